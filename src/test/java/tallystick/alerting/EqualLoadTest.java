package tallystick.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tallystick.alerting.RehearsedRuns.Mix;
import tallystick.alerting.derivation.AlertDerivation;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.rules.RuleBook;
import tallystick.promql.Firing;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.RecordedSeries;
import tallystick.promql.RuleGroup;
import tallystick.promql.RuleReplay;
import tallystick.runrecord.MemoryRun;

/** Decoding that becomes slower is found at any load; load that moves is not taken for it. */
@Tag("stress")
class EqualLoadTest {
  private static final String ALERT = "VLLMDegradedAtEqualLoad";
  private static final int SEEDS = Integer.getInteger("equal.seeds", 1);
  private static final int FIRST = Integer.getInteger("equal.first", 901);
  private static final int SLOW_FROM = 600;
  private static final double[] LOADS = {0.3, 0.5, 0.7, 0.95};
  private static final List<Mix> SEEN = List.of(Mix.LONG_PROMPTS, Mix.LONG_ANSWERS);
  private static List<RuleGroup> rules;

  @BeforeAll
  static void deriveOnce() {
    rules = derived(RehearsedRuns.twoMixes(3, true));
  }

  /** The rules of {@link #ALERT} and what they read. */
  private static List<RuleGroup> derived(List<DerivationRun> runs) {
    AlertRequest request = AlertRequest.usual(RehearsedRuns.OBJECTIVE);
    RuleGroup all =
        RuleBook.of(AlertDerivation.derive(runs, request)).evaluable().getFirst();
    List<RuleGroup.Rule> kept =
        all.rules().stream()
            .filter(
                rule -> !(rule instanceof RuleGroup.Alert alert) || alert.name().equals(ALERT))
            .toList();
    return List.of(new RuleGroup(all.name(), all.intervalMillis(), kept));
  }

  @Test
  void slowerDecodingIsFoundWithinFiveMinutesAtAnyLoad() {
    assertThat(found(SEEN, 1))
        .isGreaterThanOrEqualTo((int) (0.9 * SEEN.size() * LOADS.length * SEEDS));
  }

  /** Few of them run at once, and so few were not seen: it may be silent and must not be early. */
  @Test
  void slowerStepsAreFoundOnMixesOfLongInputThatNobodyMeasured() {
    List<Mix> mixes = List.of(Mix.LONG_INPUT, Mix.PAPERS, Mix.SUMMARIES, Mix.REVIEWS);
    assertThat(found(mixes, 1.5)).isPositive();
  }

  @Test
  void loadThatMovesIsNotTakenForIt() {
    double[] ramp = IntStream.range(0, 32).mapToDouble(i -> 0.3 + 0.02 * i).toArray();
    double[] steps = {0.4, 0.9, 0.5, 0.8, 0.3, 0.95, 0.6, 0.3};
    double[] spikes = IntStream.range(0, 32).mapToDouble(i -> i % 8 == 5 ? 1.2 : 0.5).toArray();
    double[] bursts = IntStream.range(0, 64).mapToDouble(i -> i % 2 == 0 ? 0.3 : 0.9).toArray();
    for (Mix mix : SEEN) {
      for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
        assertSilent(RehearsedRuns.moving(mix, ramp, 60, seed));
        assertSilent(RehearsedRuns.moving(mix, steps, 240, seed));
        assertSilent(RehearsedRuns.moving(mix, spikes, 60, seed));
        assertSilent(RehearsedRuns.moving(mix, bursts, 30, seed));
      }
    }
  }

  /** These fill the KV cache: what is computed again after a preemption makes no slow engine. */
  @Test
  void anOverloadOfAMixThatNobodyMeasuredIsNotTakenForIt() {
    for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
      for (double load : new double[] {1.05, 1.2, 1.5}) {
        assertSilent(RehearsedRuns.moving(Mix.REVIEWS, new double[] {load}, 900, seed));
      }
    }
  }

  /** Runs of few requests at once give the band; an idle engine takes no steps. */
  @Test
  void anEngineThatRestsIsNoSlowOne() {
    List<DerivationRun> runs = new ArrayList<>();
    for (Mix mix : List.of(Mix.LONG_INPUT, Mix.SUMMARIES)) {
      for (int seed = 1; seed <= 3; seed++) {
        runs.add(DerivationRun.of(RehearsedRuns.thorough(mix, seed), true));
      }
    }
    List<RuleGroup> ofFew = derived(runs);
    for (Mix mix : List.of(Mix.LONG_INPUT, Mix.PAPERS, Mix.CHAT, Mix.LONG_PROMPTS)) {
      for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
        for (double load : new double[] {0.05, 0.1}) {
          MemoryRun run = RehearsedRuns.moving(mix, new double[] {load}, 1800, seed);
          assertThat(firings(run, ofFew)).as(run.runId + " at " + load).isEmpty();
        }
      }
    }
    assertThat(
            firings(RehearsedRuns.slowed(Mix.LONG_INPUT, 0.3, FIRST, SLOW_FROM, 1.5), ofFew))
        .hasSize(1);
  }

  private static void assertSilent(MemoryRun run) {
    assertThat(firings(run, rules)).as(run.runId).isEmpty();
  }

  /** How many were found in time; none may fire before the engine is slow. */
  private static int found(List<Mix> mixes, double prefill) {
    int all = 0;
    for (Mix mix : mixes) {
      for (double load : LOADS) {
        List<Long> delays = new ArrayList<>();
        for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
          List<Firing> firings =
              firings(RehearsedRuns.slowed(mix, load, seed, SLOW_FROM, prefill), rules);
          firings.stream()
              .map(firing -> firing.firedMillis() / 1000 - SLOW_FROM)
              .forEach(delays::add);
        }
        assertThat(delays).as(mix + " at " + load).allMatch(delay -> delay > 0);
        System.out.println(
            mix + " " + load + " " + prefill + ": " + delays.size() + " of " + SEEDS + delays);
        all += delays.size();
      }
    }
    return all;
  }

  private static List<Firing> firings(MemoryRun run, List<RuleGroup> rules) {
    long end = run.phases.getLast().endNanos() / 1_000_000;
    return new RuleReplay(
            RecordedSeries.of(run, 15_000, Map.of("cluster", "test")), PrometheusVersion.V2_42,
            rules)
        .run(0, end, 15_000);
  }
}
