package tallystick.reach;

import static org.assertj.core.api.Assertions.assertThat;

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
