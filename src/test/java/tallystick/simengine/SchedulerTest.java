package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchedulerTest {

  @Test
  void runsWhatIsAdmittedBeforeWhatWaits() {
    EngineRun run = small(Map.of("max-num-batched-tokens", "10"));
    run.submit(EngineRun.prompt(8, 1), 5);
    run.submit(EngineRun.prompt(8, 2), 5);
    run.core.beginStep(0);
    assertThat(scheduledTokens(run)).containsExactly(8, 2);
    run.core.endStep(1);
    run.core.beginStep(1);
    assertThat(scheduledTokens(run)).containsExactly(1, 6);
  }

  @Test
  void whatDoesNotFitStopsTheLine() {
    // 7 usable blocks of 4. The first takes 5, the second needs 4, the third would fit in 1.
    EngineRun run = small(Map.of());
    run.submit(EngineRun.prompt(18, 1), 2);
    run.submit(EngineRun.prompt(14, 2), 2);
    run.submit(EngineRun.prompt(3, 3), 2);
    run.core.beginStep(0);
    assertThat(scheduledTokens(run)).containsExactly(18);
  }

  @Test
  void preemptsTheLastAdmittedAndRecomputesItWithoutSendingTwice() {
    // 7 usable blocks of 4; two sequences of 12 tokens hold 3 each. At 13 tokens the first takes
    // the last free block and the second has none: it is preempted, its prefix stays cached.
    EngineRun run = small(Map.of());
    run.submit(EngineRun.prompt(11, 1), 8);
    run.submit(EngineRun.prompt(11, 2), 8);
    run.runToEnd();
    assertThat(run.metric("num_preemptions_total")).isEqualTo(1);
    assertThat(run.metric("generation_tokens_total")).isEqualTo(16);
    assertThat(run.metric("request_num_preemptions_sum")).isEqualTo(1);
    assertThat(run.metric("inter_token_latency_seconds_count")).isEqualTo(14);
    assertThat(run.metric("inter_token_latency_seconds_sum"))
        .isCloseTo(
            run.metric("request_decode_time_seconds_sum"),
            org.assertj.core.data.Offset.offset(1e-12));
    assertThat(run.metric("prompt_tokens_total")).isEqualTo(22);
    assertThat(run.metric("prefix_cache_queries_total")).isEqualTo(22);
  }

  @Test
  void countsAPreemptionOnlyWhenTheVictimSpeaksAgain() {
    EngineRun run = small(Map.of());
    run.submit(EngineRun.prompt(11, 1), 8);
    run.submit(EngineRun.prompt(11, 2), 8);
    while (run.metric("num_requests_waiting") == 0) {
      run.step();
    }
    assertThat(run.metric("num_preemptions_total")).isZero();
    run.runToEnd();
    assertThat(run.metric("num_preemptions_total")).isEqualTo(1);
  }

  @Test
  void anAdmissionNeedsBlocksForTheWholePromptNotForTheChunk() {
    EngineRun run = small(Map.of("max-num-batched-tokens", "4"));
    run.submit(EngineRun.prompt(4, 1), 8);
    run.submit(EngineRun.prompt(26, 2), 1);
    run.step();
    run.core.beginStep(run.nowNanos);
    assertThat(scheduledTokens(run)).containsExactly(1);
  }

  @Test
  void priorityAdmitsTheMostUrgentFirst() {
    EngineRun run = small(Map.of("scheduling-policy", "priority", "max-num-seqs", "1"));
    submit(run, 5);
    submit(run, 1);
    run.core.beginStep(0);
    assertThat(run.core.scheduler().scheduled().getFirst().priority).isEqualTo(1);
  }

  @Test
  void aLongPrefillIsCutOnlyIfAnotherRequestIsThere() {
    EngineRun alone = small(Map.of("long-prefill-token-threshold", "3"));
    alone.submit(EngineRun.prompt(9, 1), 2);
    alone.core.beginStep(0);
    assertThat(scheduledTokens(alone)).containsExactly(9);
    EngineRun two = small(Map.of("long-prefill-token-threshold", "3"));
    two.submit(EngineRun.prompt(9, 1), 2);
    two.submit(EngineRun.prompt(2, 2), 2);
    two.core.beginStep(0);
    assertThat(scheduledTokens(two)).containsExactly(3, 2);
  }

  @Test
  void theStepTimeIsTheProfilesSum() {
    StepTimeProfile profile = 
        new StepTimeProfile(
            "test", 1000, 10, 0, 100, 1, StepTimeProfile.ApiServerTime.NONE, 0);
    SchedulerSettings settings =
        new SchedulerSettings(
            8, 64, 65, 4, 256, 0, true, 0, SchedulingPolicy.FCFS, 0, new Speculation(0, 0));
    Scheduler scheduler = new Scheduler(settings, profile, new TokenSource(0, 0), 0);
    scheduler.add(sequence(1, 20), 0);
    assertThat(scheduler.schedule(0)).isEqualTo(1000 + 20 * 10 + 20);
    scheduler.finishStep(1220);
    scheduler.add(sequence(2, 5), 1220);
    assertThat(scheduler.schedule(1220)).isEqualTo(1000 + 5 * 10 + 100 + 21 + 5);
  }

  /** Where one sequence ends and the next one waits already, the engine was not idle. */
  @Test
  void onlyAStepThatMeetsAnIdleEngineWakesIt() {
    StepTimeProfile profile =
        new StepTimeProfile(
            "test", 1000, 10, 0, 0, 0, StepTimeProfile.ApiServerTime.NONE, 500,
            new StepTimeProfile.Noise(0, 0));
    SchedulerSettings settings =
        new SchedulerSettings(
            8, 64, 65, 4, 256, 0, true, 0, SchedulingPolicy.FCFS, 0, new Speculation(0, 0));
    Scheduler scheduler = new Scheduler(settings, profile, new TokenSource(0, 0), 0);
    Sequence first = sequence(1, 20);
    Sequence second = sequence(2, 20);
    scheduler.add(first, 0);
    assertThat(scheduler.schedule(0)).isEqualTo(1000 + 200 + 500);
    scheduler.finishStep(1700);
    scheduler.abort(first);
    scheduler.add(second, 1700);
    assertThat(scheduler.schedule(1700)).isEqualTo(1000 + 200);
    scheduler.finishStep(2900);
    scheduler.abort(second);
    scheduler.add(sequence(3, 20), 5000);
    assertThat(scheduler.schedule(5000)).isEqualTo(1000 + 200 + 500);
  }

  @Test
  void anIdleEngineTellsOnceMoreThatItIsEmpty() {
    EngineRun run = EngineRun.asRecorded();
    Frontend.Request request = run.submit(EngineRun.prompt(40, 1), 9);
    run.step();
    assertThat(run.metric("num_requests_running")).isEqualTo(1);
    run.core.cancel(request);
    assertThat(run.core.hasWork()).isTrue();
    run.step();
    assertThat(run.metric("num_requests_running")).isZero();
    assertThat(run.metric("kv_cache_usage_perc")).isZero();
    assertThat(run.core.hasWork()).isFalse();
  }

  private static EngineRun small(Map<String, String> flags) {
    Map<String, String> all = new java.util.HashMap<>(flags);
    all.put("num-gpu-blocks-override", "8");
    all.put("block-size", "4");
    all.put("max-model-len", "28");
    return new EngineRun(all);
  }

  private static void submit(EngineRun run, int priority) {
    Generation generation =
        new Generation(
            EngineRun.prompt(4, priority),
            new Sequence.SamplingLimits(2, 0, true, Set.of()),
            List.of(),
            1,
            1,
            priority);
    run.core.submit(generation, run.deliveries::add, 0, 0);
  }

  private static Sequence sequence(long id, int promptTokens) {
    return new Sequence(
        id,
        EngineRun.prompt(promptTokens, (int) id),
        new Sequence.SamplingLimits(10, 0, true, Set.of()),
        new Sequence.Admission(0, 0),
        4);
  }

  private static List<Integer> scheduledTokens(EngineRun run) {
    return run.core.scheduler().scheduled().stream()
        .map(sequence -> sequence.scheduledTokens)
        .toList();
  }
}
