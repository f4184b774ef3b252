package tallystick.reach;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.reach.ServerUrl.Fault;
import tallystick.reach.ServerUrl.Use;

class ServerUrlTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:8000", "https://engine.example/prefix", "http://vllm_server:8000/",
        "HTTP://127.0.0.1:8000", "http://[::1]:8000", "https://[fe80::1]", "http://host."
      })
  void takesServers(String url) {
    assertThat(ServerUrl.faultOf(url, Use.TARGET)).isEmpty();
    assertThat(ServerUrl.faultOf(url, Use.METRICS)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://prometheus:9090/api/v1/query?job=vllm&instance=10.0.0.7:8000",
        "http://h/probe?module=tcp&target=https://other:1/?x", "file:/folder/metrics.txt",
        "file:///folder/metrics.txt", "http://h/metrics?hashed_api_key_alias=x"
      })
  void takesMetricsWithLabelsAndFromFiles(String url) {
    assertThat(ServerUrl.faultOf(url, Use.METRICS)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://user:PLANTED@h:8000",
        "http://PLANTED@h",
        "HTTPS://u:PLANTED@[::1]:1/metrics",
        "user:PLANTED@h:8000",
        "http://u:PLANTED@[bad",
        "http://u:PLANTED@h:x?y#z",
        "http://u:PL@NTED@h",
        "ftp://u:PLANTED@h",
        "//u:PLANTED@h",
        "http://h/metrics?token=PLANTED",
        "http://h/metrics?a=b&API_KEY=PLANTED",
        "http://[bad?access-token=PLANTED",
        "http://h/metrics?x=1;password=PLANTED",
        "http://h/metrics#token=PLANTED",
        "http://h/?X-Amz-Signature=PLANTED",
        "http://h:1/m?sig=PLANTED"
      })
  void refusesASecretWithoutRepeatingIt(String url) {
    for (Use use : Use.values()) {
      Fault fault = ServerUrl.faultOf(url, use).orElseThrow();
      assertThat(fault.what() + fault.remedy()).doesNotContain("PLANTED", "PL@NTED");
    }
  }

  @ParameterizedTest
  @EnumSource(Use.class)
  void namesWhereASecretBelongs(Use use) {
    assertThat(ServerUrl.faultOf("http://u:p@h", use).orElseThrow().remedy())
        .contains(use == Use.TARGET ? "--api-key-env" : "TALLY_METRICS_USER");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "127.0.0.1:8000", "ftp://h", "http:/h", "http://", "http:///x", "http://[bad",
        "http://[::g]", "http://[fe80::1%25eth0]", "http://h:0", "http://h:65536", "http://h:",
        "http://h:x", "http://a..b", "http://a b", "http://h/\\", "http://h/%zz", "http://a$b",
        "javascript:alert(1)", "http://h\u0000", "http://h/a\nb", "http://münchen.example",
        "file:x", "file://host/x", "file:/x?y"
      })
  void refusesWhatIsNoServerAndNoFile(String url) {
    assertThat(ServerUrl.faultOf(url, Use.METRICS)).isPresent();
    assertThat(ServerUrl.faultOf(url, Use.TARGET)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://h:8000/v1", "http://h:8000/v1/", "HTTP://h:8000/v1"})
  void aServerIsReadWithoutThePathOfItsApi(String url) {
    assertThat(ServerUrl.faultOf(url, Use.TARGET)).isEmpty();
    assertThat(ServerUrl.normal(url, Use.TARGET)).isEqualTo("http://h:8000");
    assertThat(ServerUrl.normal(url, Use.METRICS)).endsWith(url.substring(4));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://h/x/v1",
        "http://h/v1/models",
        "http://h/metrics",
        "http://h?a=b",
        "http://h/#x",
        "file:/x"
      })
  void refusesABaseUrlWithMoreThanABase(String url) {
    assertThat(ServerUrl.faultOf(url, Use.TARGET)).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "https://h, https://H:443, true",
    "HTTP://h/metrics, http://h:80, true",
    "http://h, https://h, false",
    "http://h:8000, http://h:8001, false",
    "http://[::1]/a, http://[::1]:80/b?c, true",
    "http://h, http://h.evil, false",
    "http://a_b:1, http://A_B:1, true"
  })
  void comparesOriginsBySchemeHostAndPort(String one, String other, boolean isSame) {
    assertThat(WebOrigin.of(one).equals(WebOrigin.of(other))).isEqualTo(isSame);
  }

  @Test
  void writesTheSchemeInSmallLetters() {
    assertThat(ServerUrl.normal("HTTPS://Host/Path")).isEqualTo("https://Host/Path");
  }
}
