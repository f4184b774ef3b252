package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Strength;
import tallystick.experiment.regress.Regression.Verdict;

/**
 * How often a comparison errs, and what it finds: made pairs with the noise that pairs of equal
 * runs of a real vLLM had (standard deviation of the logarithm: 9 % of TTFT P95, 4.7 % of TPOT),
 * looked at after each pair as the command does.
 */
class RegressCalibrationTest {
  private static final int SEED = 70_423;

  /** Of a pair. */
  private static final Map<ComparedMetric, Double> NOISE =
      new EnumMap<>(
          Map.of(
              ComparedMetric.TTFT_P95, 0.09, ComparedMetric.TPOT_MEAN, 0.047,
              ComparedMetric.ITL_P99, 0.06, ComparedMetric.E2E_P95, 0.06));

  /**
   * A machine and what a candidate does on it.
   *
   * @param slower by how much the candidate is, as a share
   * @param noise times that of a real engine
   * @param common how much of it all metrics share, as a correlation
   * @param slowFourth by how much every fourth run is slower
   * @param twoSpeeds by how much a run may be slower by chance
   */
  private record World(
      double slower, double noise, double common, double slowFourth, double twoSpeeds) {
    static World of(double slower, double noise, double common) {
      return new World(slower, noise, common, 0, 0);
    }
  }

  /** Ends of so many comparisons, in per cent. */
  private record Ends(
      double sureWorse, double likelyWorse, double sureNoWorse, double likelyNoWorse,
      double tooClose, double pairs) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "regressed %.2f, likely worse %.2f, no worse %.1f, likely %.1f, too close"
              + " %.1f; %.2f pairs", sureWorse, likelyWorse, sureNoWorse, likelyNoWorse, tooClose,
          pairs);
    }
  }

  private static Ends play(World world, int most, int comparisons, long seed) {
    double[] counts = new double[6];
    for (int i = 0; i < comparisons; i++) {
      SplittableRandom random = new SplittableRandom(seed * 1_000_003 + i);
      List<ComparedRun> base = new ArrayList<>();
      List<ComparedRun> candidate = new ArrayList<>();
      List<Boolean> first = new ArrayList<>();
      Regression end = null;
      int run = random.nextInt(4);
      for (int pair = 1; pair <= most; pair++) {
        boolean isFirst =
            RunOrder.pair(pair, seed * 7919 + i).getFirst().role() == PlayedRun.Role.CANDIDATE;
        first.add(isFirst);
        double[] machine = {speed(world, run++, random), speed(world, run++, random)};
        base.add(run(pair, world, machine[isFirst ? 1 : 0], 0, random));
        candidate.add(
            run(pair, world, machine[isFirst ? 0 : 1], Math.log1p(world.slower), random));
        if (pair >= Looks.FIRST) {
          end =
              RegressionJudge.judge(
                  new RegressionJudge.Runs(base, candidate, true, first, 0, 0),
                  NonInferiorityMargins.usual(), Optional.empty());
          if (end.isSettled()) {
            break;
          }
        }
      }
      counts[place(end)]++;
      counts[5] += base.size();
    }
    double share = 100.0 / comparisons;
    return new Ends(
        share * counts[0], share * counts[1], share * counts[2], share * counts[3],
        share * counts[4], counts[5] / comparisons);
  }

  private static int place(Regression end) {
    boolean isSure = end.strength() == Strength.SURE;
    return switch (end.verdict()) {
      case REGRESSED -> isSure ? 0 : 1;
      case PASSED -> isSure ? 2 : 3;
      case TOO_CLOSE, INVALID -> 4;
    };
  }

  private static double speed(World world, int run, SplittableRandom random) {
    double slow = run % 4 == 3 ? Math.log1p(world.slowFourth) : 0;
    return random.nextBoolean() ? slow + Math.log1p(world.twoSpeeds) : slow;
  }

  private static ComparedRun run(
      int pair, World world, double machine, double slower, SplittableRandom random) {
    ComparedRun made = MadeRuns.run(pair, 1, Map.of(), List.of());
    double common = random.nextGaussian();
    Map<ComparedMetric, Double> figures = new EnumMap<>(made.metrics());
    NOISE.forEach(
        (metric, pairNoise) -> {
          double own = random.nextGaussian();
          double noise =
              Math.sqrt(world.common) * common + Math.sqrt(1 - world.common) * own;
          figures.put(
              metric,
              Math.exp(slower + machine + world.noise * pairNoise / Math.sqrt(2) * noise));
        });
    return new ComparedRun(
        made.runId() + "-" + random.nextInt(), made.scenario(), made.startedUtc(), pair, figures,
        Map.of(), made.ttft(), made.e2e(), made.load(), made.likeness(), made.settings(),
        made.engine(), List.of());
  }

  @Test
  void equalEnginesHardlyEverLookWorse() {
    Ends equal = play(World.of(0, 1, 0.5), 5, 400, SEED);

    assertThat(equal.sureWorse).isLessThanOrEqualTo(2);
    assertThat(equal.likelyWorse).isLessThanOrEqualTo(6);
    assertThat(equal.sureNoWorse + equal.likelyNoWorse).isGreaterThan(50);
  }

  @Test
  void aCandidateATenthSlowerIsWorseOrLikelyWorseAfterFivePairs() {
    Ends slower = play(World.of(0.1, 1, 0.5), 5, 100, SEED + 1);

    assertThat(slower.sureWorse).isGreaterThan(40);
    assertThat(slower.sureWorse + slower.likelyWorse).isGreaterThan(85);
  }

  @Test
  @Tag("stress")
  void theWholeTable() {
    for (double common : new double[] {0, 0.5, 0.8}) {
      for (double noise : new double[] {0.2, 1, 2}) {
        Ends equal = play(World.of(0, noise, common), 5, 4000, SEED + 2);
        tell("equal, noise x" + noise + ", common " + common, equal);
        assertThat(equal.sureWorse).isLessThanOrEqualTo(noise > 1 ? 2.5 : 1.4);
        assertThat(equal.likelyWorse).isLessThanOrEqualTo(noise > 1 ? 10 : 6);
      }
      for (double slower : new double[] {0.05, 0.1, 0.2}) {
        for (int most : new int[] {4, 6, 10}) {
          tell(
              "slower by " + slower + ", common " + common + ", at most " + most,
              play(World.of(slower, 1, common), most, 500, SEED + 3));
        }
      }
    }
    for (int most : new int[] {5, 10}) {
      for (double slow : new double[] {0.08, 0.15, 0.3}) {
        tell(
            "equal, every fourth run slower by " + slow + ", at most " + most,
            play(new World(0, 1, 0.5, slow, 0), most, 1000, SEED));
      }
      for (double slower : new double[] {0, 0.1}) {
        tell(
            "slower by " + slower + ", two speeds 30 % apart, at most " + most,
            play(new World(slower, 0.2, 0.5, 0, 0.3), most, 1000, SEED));
      }
    }
  }

  private static void tell(String world, Ends ends) {
    System.out.println(world + ": " + ends);
  }
}
