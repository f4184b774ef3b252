package tallystick.alerting.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.FiringTime;
import tallystick.alerting.rules.AlertExpectation;
import tallystick.alerting.rules.RuleSet;

class EarnedTest {
  @Test
  void anAlertSaysWhatItCompares() {
    assertThat(
            line(
                "(cluster_model:vllm_ttft_bad:ratio_rate1h > 0.144 and"
                    + " cluster_model:vllm_ttft_bad:ratio_rate5m > 0.144 and"
                    + " cluster_model:vllm_ttft_bad:increase1h >= 5)\nor\n"
                    + "(cluster_model:vllm_ttft_bad:ratio_rate6h > 0.06 and"
                    + " cluster_model:vllm_ttft_bad:ratio_rate30m > 0.06)"))
        .isEqualTo(
            "> 14.4 % bad in 1h and 5m, or > 6 % bad in 6h and 30m");
    assertThat(line("model:vllm_ttft_bad:ratio_rate5m > 0.02\nand\nmore"))
        .isEqualTo("> 2 % bad in 5m");
    assertThat(line("cluster_model:vllm_queue_time_seconds:p95_5m > 0.3\nand\nmore"))
        .isEqualTo("queue time P95 > 0.3 s in 5m");
    assertThat(line("cluster_model:vllm_ttft_seconds:p99_5m > 0.75"))
        .isEqualTo("TTFT P99 > 0.75 s in 5m");
  }

  @Test
  void whatItDoesNotKnowItQuotes() {
    assertThat(line("job:other > 3 and more")).isEqualTo("> 3");
    assertThat(line("absent(up)")).isEqualTo("absent(up)");
  }

  @Test
  void anEarnedAlertThatFiredWhileUsersWereWellIsNamed() {
    List<AlertScore> scores = List.of(score("Page", 2), score("Quiet", 0), score("Refused", 1));
    assertThat(Earned.falselyFired(List.of("Page", "Quiet"), scores))
        .contains("fired with no episode near: Page 2 false in 60 min of health");
    assertThat(Earned.falselyFired(List.of("Quiet"), scores)).isEmpty();
  }

  @Test
  void whatIsTooCloseToCallIsToldOfThoseThatAreReady() {
    AlertScore.Hits few = new AlertScore.Hits(2, 1);
    AlertScore score =
        new AlertScore(
            "VLLMHighTTFT", few, few, 1, 0, List.of(), new AlertScore.Health(3600, 1, 0),
            FiringTime.NONE);
    RuleSet.Rule rule =
        new RuleSet.Rule(
            true, "VLLMHighTTFT", "x > 1", 0, 0, Map.of("severity", "page"), Map.of(),
            List.of("evidence"), new AlertExpectation(true, false, 0, List.of()));
    AlertReview review =
        new AlertReview(
            null, new RuleSet(List.of(), "vllm-slo", 30_000, List.of(rule), List.of()), List.of(),
            List.of(new ConditionScore(ConditionScore.RUN_LEFT_OUT, List.of(score), List.of())),
            new LeadReview(List.of(), List.of(), List.of()), Optional.empty());
    assertThat(Earned.learned(List.of(review)))
        .isEqualTo(
            "1 alert with a threshold learned from these runs (1 of them too close to call)");
  }

  private static AlertScore score(String alert, int falseFirings) {
    AlertScore.Hits hits = new AlertScore.Hits(3, 3);
    return new AlertScore(
        alert, hits, hits, 3 + falseFirings, falseFirings, List.of(),
        new AlertScore.Health(3600, 1, 0), FiringTime.NONE);
  }

  private static String line(String expression) {
    return Earned.firesWhen(
        new RuleSet.Rule(
            true, "VLLMSome", expression, 0, 0, Map.of("severity", "page"), Map.of(),
            List.of("evidence"), AlertExpectation.NONE));
  }
}
