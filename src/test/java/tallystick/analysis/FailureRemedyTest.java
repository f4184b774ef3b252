package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
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
        Arguments.of(Outcome.HTTP_ERROR, "404", "page not found", "correct the path"),
        Arguments.of(
            Outcome.HTTP_ERROR, "404", "Response with id 'resp_1' not found.", "by_response_id"),
        Arguments.of(Outcome.HTTP_ERROR, "401", "Unauthorized", "--api-key-env"),
        Arguments.of(Outcome.HTTP_ERROR, "503", "", "refuses all"),
        Arguments.of(Outcome.HTTP_ERROR, "422", "extra fields", "as they are"),
        Arguments.of(Outcome.HTTP_ERROR, "502", "", "the engine is up"),
        Arguments.of(Outcome.HTTP_ERROR, "500", "CUDA error", "what the server said"),
        Arguments.of(Outcome.ERROR_EVENT, "200", "x", "inside its streams"),
        Arguments.of(Outcome.DONE_MISSING, "200", "", "[DONE]"),
        Arguments.of(Outcome.REFUSED, "", "Connection refused", "a server is up there"),
        Arguments.of(
            Outcome.REDIRECTED, "307", "9 redirected: to http://10.0.0.7:8000/v1/chat/completions",
            "--target http://10.0.0.7:8000. Redirects"),
        Arguments.of(
            Outcome.REDIRECTED, "307", "9 redirected: to http://10.0.0.7:8000/new/v1/completions",
            "redirects to, up to its /v1: --target http://10.0.0.7:8000/new. Redirects"),
        Arguments.of(
            Outcome.REDIRECTED, "302", "9 redirected: to https://login.example/x", "a key may be"),
        Arguments.of(
            Outcome.REDIRECTED, "302", "9 redirected: to http://x;reboot/v1/", "a key may be"),
        Arguments.of(
            Outcome.REDIRECTED, "307", "9 redirected: to /v1/chat/completions/", "the route"),
        Arguments.of(Outcome.COMPRESSED, "200", "", "compression"),
        Arguments.of(Outcome.CUT_MID_STREAM, "200", "", "ended the answers"),
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

  /** A real server names the answer that it does not keep: another in each refusal. */
  @Test
  void refusalsThatNameEachAnswerAreOneReasonWithItsRemedy() {
    MadeRun run = new MadeRun().window(10, 69);
    for (int i = 0; i < 40; i++) {
      MadeRequest made = MadeRequest.request(i, 10 + i);
      run.requests.add(
          (i % 2 == 0
                  ? made
                  : made.outcome(Outcome.HTTP_ERROR, 404).silent()
                      .saying("Response with id 'resp_803a239094fe6d" + (10 + i) + "' not found."))
              .build());
    }
    Finding finding = SmallRun.finding(run.analyze(), "failures");
    assertThat(finding.remedy()).contains("by_response_id");
    assertThat(finding.evidence()).anyMatch(line -> line.startsWith("20 HTTP 404: Response with"));
  }

  /** Bodies that name each request hide how many there are. */
  @Test
  void refusalsInManyWordsAreStillCounted() {
    MadeRun run = new MadeRun().window(10, 69);
    for (int i = 0; i < 20; i++) {
      run.requests.add(
          MadeRequest.request(i, 10 + i).outcome(Outcome.HTTP_ERROR, i < 10 ? 429 : 503).silent()
              .build());
    }
    assertThat(SmallRun.finding(run.analyze(), "no_request_succeeded").evidence())
        .contains("20 http_error", "10 HTTP 429", "10 HTTP 503");
  }

  @ParameterizedTest
  @CsvSource({
    "http_error, 429, 9 HTTP 429: busy, lift the limit",
    "http_error, 500, 9 HTTP 500: x, Look at the outcomes",
    "cut_mid_stream, none, x, Somebody ended these answers"
  })
  void someFailuresOfOneKindHaveARemedyToo(
      String outcome, String status, String words, String remedy) {
    assertThat(
            new FailureRemedy(
                    Map.of("ok", 90L, outcome, 9L), Map.of("200", 90L, status, 9L), List.of(words))
                .ofSome())
        .contains(remedy);
  }

  @ParameterizedTest
  @CsvSource({
    "9 not_a_stream: <!doctype html><html>, A web page",
    "'9 not_a_stream: {\"error\":{\"message\":\"quota\"}}', an error with status 200",
    "'9 not_a_stream: {\"choices\":[{', came whole",
    "'9 not_a_stream: content-type application/json: quota', an error with status 200",
    "'9 not_a_stream: content-type application/json: {\"choices\":[{', came whole",
    "'9 not_a_stream: no content-type: data: {}', Content-Type: text/event-stream",
    "'9 not_a_stream: content-type text/plain: data: {}', Content-Type: text/event-stream",
    "9 empty_stream: 12 bytes arrived, may not stream"
  })
  void answersThatAreNoStreamAreToldApart(String words, String remedy) {
    assertThat(new FailureRemedy(Map.of(), Map.of(), List.of(words)).ofNothingStreamed())
        .contains(remedy);
  }

  private static String remedy(
      Map<String, Long> outcomes, Map<String, Long> statuses, String words) {
    List<String> said = words.isEmpty() ? List.of() : List.of(words);
    return new FailureRemedy(outcomes, statuses, said).or(OTHER);
  }
}
