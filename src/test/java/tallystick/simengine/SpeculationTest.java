package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpeculationTest {

  @Test
  void rightDraftsAreKeptAndOneTokenMore() {
    EngineRun run = run("3", "1");
    run.submit(EngineRun.prompt(40, 1), 13);
    run.runToEnd();
    assertThat(chunks(run)).containsExactly(1, 4, 4, 4);
    assertThat(run.metric("spec_decode_num_drafts_total")).isEqualTo(3);
    assertThat(run.metric("spec_decode_num_draft_tokens_total")).isEqualTo(9);
    assertThat(run.metric("spec_decode_num_accepted_tokens_total")).isEqualTo(9);
    for (String position : List.of("0", "1", "2")) {
      assertThat(perPosition(run, position)).isEqualTo(3);
    }
  }

  @Test
  void aGapIsObservedOncePerOutputAndATokenCountedEach() {
    EngineRun run = run("3", "1");
    run.submit(EngineRun.prompt(40, 1), 13);
    run.runToEnd();
    assertThat(run.metric("inter_token_latency_seconds_count")).isEqualTo(3);
    assertThat(run.metric("generation_tokens_total")).isEqualTo(13);
    assertThat(run.metric("iteration_tokens_total_sum")).isEqualTo(40 + 13);
    double perToken = run.metric("request_time_per_output_token_seconds_sum");
    double gaps = run.metric("inter_token_latency_seconds_sum");
    assertThat(perToken).isCloseTo(gaps / 12, org.assertj.core.data.Offset.offset(1e-12));
  }

  @Test
  void whatIsBeyondTheLastTokenIsCutButCountsAsAccepted() {
    EngineRun run = run("3", "1");
    run.submit(EngineRun.prompt(40, 1), 6);
    run.runToEnd();
    assertThat(chunks(run)).containsExactly(1, 4, 1);
    assertThat(run.metric("spec_decode_num_accepted_tokens_total")).isEqualTo(6);
    assertThat(run.metric("generation_tokens_total")).isEqualTo(6);
  }

  @Test
  void wrongDraftsLeaveOneTokenAStep() {
    EngineRun run = run("2", "0");
    run.submit(EngineRun.prompt(40, 1), 5);
    run.runToEnd();
    assertThat(chunks(run)).containsExactly(1, 1, 1, 1, 1);
    assertThat(run.metric("spec_decode_num_draft_tokens_total")).isEqualTo(8);
    assertThat(perPosition(run, "0")).isZero();
  }

  @Test
  void draftsChangeWhenTokensComeAndNotWhichTokens() {
    EngineRun plain = run("0", "0");
    EngineRun drafting = run("4", "0.6");
    for (EngineRun run : List.of(plain, drafting)) {
      run.submit(EngineRun.prompt(40, 1), 200);
      run.runToEnd();
    }
    assertThat(tokens(drafting)).isEqualTo(tokens(plain)).hasSize(200);
    assertThat(drafting.deliveries.size()).isLessThan(plain.deliveries.size());
  }

  @Test
  void eachPlaceOfTheDraftIsAcceptedLessOftenThanTheOneBefore() {
    EngineRun run = run("3", "0.5");
    for (int i = 0; i < 20; i++) {
      run.submit(EngineRun.prompt(40, i), 200);
    }
    run.runToEnd();
    double drafts = run.metric("spec_decode_num_drafts_total");
    // 2,000 drafts and more: three standard deviations of a share of 0.5 are 0.034.
    assertThat(drafts).isGreaterThan(2000);
    assertThat(perPosition(run, "0") / drafts).isBetween(0.466, 0.534);
    assertThat(perPosition(run, "1") / drafts).isBetween(0.216, 0.284);
    assertThat(perPosition(run, "2") / drafts).isBetween(0.091, 0.159);
  }

  @Test
  void thereAreNoSuchFamiliesWithoutSpeculation() {
    assertThat(run("0", "0.7").metrics().keySet())
        .noneMatch(name -> name.contains("spec_decode"));
  }

  @Test
  void anAcceptanceThatIsNoShareIsRefused() {
    assertThatThrownBy(() -> EngineSettings.ofFlags(Map.of("acceptance", "1.2")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("acceptance must be between 0 and 1, was 1.2");
  }

  private static EngineRun run(String tokens, String acceptance) {
    return new EngineRun(Map.of("speculative-tokens", tokens, "acceptance", acceptance));
  }

  private static List<Integer> chunks(EngineRun run) {
    return run.deliveries.stream().map(delivery -> delivery.tokens().length).toList();
  }

  private static List<Integer> tokens(EngineRun run) {
    return run.deliveries.stream()
        .flatMapToInt(delivery -> java.util.Arrays.stream(delivery.tokens()))
        .boxed()
        .toList();
  }

  private static double perPosition(EngineRun run, String position) {
    return run.metric(
        "spec_decode_num_accepted_tokens_per_pos_total{position=\""
            + position
            + "\"}");
  }
}
