package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.analysis.client.RequestCounts;
import tallystick.analysis.result.Finding;
import tallystick.runrecord.Outcome;

class FailureRemedyTest {
  private static final String OTHER = "look";

  static Stream<Arguments> waysToFail() {
    return Stream.of(
        Arguments.of(Outcome.HTTP_ERROR, "404", "The model `default` does not exist.", "--model"),
        Arguments.of(Outcome.HTTP_ERROR, "404", "Model not found", "--model"),
        Arguments.of(Outcome.HTTP_ERROR, "404", "page not found", "what the server said"),
        Arguments.of(Outcome.HTTP_ERROR, "401", "Unauthorized", "--api-key-env"),
        Arguments.of(Outcome.HTTP_ERROR, "503", "", "what the server said"),
        Arguments.of(Outcome.DONE_MISSING, "200", "", "[DONE]"),
        Arguments.of(Outcome.REFUSED, "", "Connection refused", "a server is up there"),
        Arguments.of(Outcome.REDIRECTED, "307", "", "redirects to"),
        Arguments.of(Outcome.COMPRESSED, "200", "", "compression"),
        Arguments.of(Outcome.CUT_MID_STREAM, "200", "", "closed the connections"),
        Arguments.of(Outcome.TIMED_OUT, "", "", OTHER));
  }

  @ParameterizedTest
  @MethodSource("waysToFail")
  void whatNearlyAllDiedOfHasItsRemedy(
      Outcome outcome, String status, String words, String remedy) {
    Map<String, Long> outcomes =
        Map.of(RequestCounts.word(outcome), 18L, "ok", 100L, "client_cancelled", 50L);
    assertThat(remedy(outcomes, Map.of(status, 18L), words)).contains(remedy);
  }

  @Test
  void severalWaysToFailHaveNone() {
    assertThat(remedy(Map.of("refused", 10L, "http_error", 10L), Map.of("404", 10L), "model"))
        .isEqualTo(OTHER);
  }

  @Test
  void aRunOfFailuresEndsWithIt() {
    MadeRun run = new MadeRun().window(10, 69);
    for (int i = 0; i < 20; i++) {
      run.requests.add(
          MadeRequest.request(i, 10 + i).outcome(Outcome.REFUSED, 0).silent().build());
    }
    Finding finding = SmallRun.finding(run.analyze(), "no_request_succeeded");
    assertThat(finding.remedy()).startsWith("Check the URL, that a server is");
  }

  /** Somebody was served, so the address is right. */
  @Test
  void aRunOfSomeFailuresIsNotToldToLookForTheServer() {
    MadeRun run = new MadeRun().window(10, 69);
    for (int i = 0; i < 20; i++) {
      MadeRequest made = MadeRequest.request(i, 10 + i);
      run.requests.add((i < 10 ? made : made.outcome(Outcome.REFUSED, 0).silent()).build());
    }
    assertThat(SmallRun.finding(run.analyze(), "failures").remedy()).startsWith("Look at the");
  }

  private static String remedy(
      Map<String, Long> outcomes, Map<String, Long> statuses, String words) {
    List<String> said = words.isEmpty() ? List.of() : List.of(words);
    return new FailureRemedy(outcomes, statuses, said).or(OTHER);
  }
}
