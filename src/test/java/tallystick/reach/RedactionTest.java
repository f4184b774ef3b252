package tallystick.reach;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedactionTest {
  private static final Redaction ONE = Redaction.of(List.of("sk-0123456789"));

  @Test
  void takesOutEveryWholeSecret() {
    assertThat(ONE.of("a sk-0123456789 b sk-0123456789")).isEqualTo("a (the key) b (the key)");
  }

  @Test
  void takesOutWhatBeginsAsASecretDoes() {
    assertThat(ONE.of("a sk-0123456")).isEqualTo("a (the key)");
    assertThat(ONE.of("a sk-01234… b")).isEqualTo("a (the key)… b");
    assertThat(ONE.of("a sk-0123")).isEqualTo("a sk-0123");
  }

  @Test
  void cutsOnlyWhatIsClean() {
    assertThat(ONE.excerpt("ab sk-0123456789 cd", 8)).isEqualTo("ab (the …");
    assertThat(ONE.excerpt("ab", 2)).isEqualTo("ab");
  }

  @Test
  void knowsASecretAsJsonAndUrlsWriteIt() {
    Redaction odd = Redaction.of(List.of("a/b\"c\\d+e", ""));
    assertThat(odd.of("a/b\"c\\d+e | a\\/b\\\"c\\\\d+e | a%2Fb%22c%5Cd%2Be"))
        .isEqualTo("(the key) | (the key) | (the key)");
  }

  /** Each letter may be written in its own way, also behind letters that are written alike. */
  @Test
  void knowsASecretInSmallHexAndInMixedSpellings() {
    Redaction odd = Redaction.of(List.of("planted-key/ab=c d\u00e9"));
    for (String written :
        List.of(
            "planted-key%2fab%3dc+d%c3%a9",
            "planted-key%2Fab%3Dc%20d%C3%A9",
            "planted-key\\/ab\\u003Dc d\\u00e9",
            "%70lanted-key\\u002fab=c d\u00e9")) {
      assertThat(odd.of("a " + written + " b")).as(written).isEqualTo("a (the key) b");
    }
  }

  @Test
  void knowsASecretInBase64AloneAndInsideALongerText() {
    String secret = "sk-0123456789?>~";
    Redaction odd = Redaction.of(List.of(secret));
    for (String around : List.of("", "u:", "me:", "user:")) {
      byte[] whole = (around + secret).getBytes(StandardCharsets.UTF_8);
      for (Base64.Encoder base64 : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
        String written = base64.encodeToString(whole);
        assertThat(odd.of(written)).as(written).contains("(the key)").hasSizeLessThan(22);
      }
    }
  }

  @Test
  void knowsWhatIsSecretInsideAHeader() {
    Redaction headers =
        Redaction.of(
            List.of("Basic bWU6cGxhbnRlZC13b3Jk", "Token abcdefgh", "session=planted-cookie; a=b"));
    assertThat(headers.of("planted-word, abcdefgh, planted-cookie, bWU6cGxhbnRlZC13b3Jk"))
        .isEqualTo("(the key), (the key), (the key), (the key)");
  }

  @Test
  void leavesShortSecretsInNamesAlone() {
    Redaction both = Redaction.of(List.of("test", "planted-key"));
    assertThat(both.ofName("test-7b of planted-key")).isEqualTo("test-7b of (the key)");
    assertThat(both.of("test-7b")).isEqualTo("(the key)-7b");
  }

  @Test
  void leavesAShortSecretsNeighboursAlone() {
    assertThat(Redaction.of(List.of("secret")).of("secr et secret")).isEqualTo("secr et (the key)");
    assertThat(Redaction.NONE.of("secret")).isEqualTo("secret");
  }

  @Test
  void isSilentAboutItsSecrets() {
    assertThat(ONE.toString()).doesNotContain("sk-0");
  }
}
