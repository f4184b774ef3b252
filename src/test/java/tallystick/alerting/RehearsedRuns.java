package tallystick.alerting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.runrecord.MemoryRun;
import tallystick.scenario.Objective;

/** Stepped load on the simulated engine whose capacity is known for each mix. */
public final class RehearsedRuns {
  /** What the client is judged by: 1 s is a bucket edge. */
  public static final Objective OBJECTIVE = new Objective(Objective.Metric.TTFT, 1, 0.99, "");

  private static final double[] SHORT_STEPS = {0.4, 0.7, 1.06, 0.5, 0.85, 1.1};
  private static final double[] LONG_STEPS = {
    0.4, 0.75, 0.9, 0.6, 1.06, 0.4, 0.97, 0.5, 1.12, 0.4, 0.85, 1.02, 0.4
  };

  private static final double[] MILD_STEPS = {0.5, 0.6, 0.94, 0.94, 0.94, 0.94, 0.5, 0.6};

  private static final double[] RECOVERY_STEPS = {
    0.5, 0.6, 1.3, 0.5, 0.6, 0.5, 0.6, 1.3, 0.5, 0.5, 0.6
  };

  private static final double[] BURSTS = {
    0.5, 1.5, 0.3, 1.4, 0.4, 0.8, 1.6, 0.3, 0.7, 1.5, 0.3, 0.5
  };

  /** The capacities below are those of this engine. */
  private static final Map<String, String> ENGINE =
      Map.of(
          "profile", "invented-mid-gpu",
          "enable-prefix-caching", "false",
          "max-num-seqs", "64",
          "max-num-batched-tokens", "2048",
          "num-gpu-blocks-override", "2048");

  private RehearsedRuns() {}

  /** A traffic mix and the highest rate the engine serves within the objective. */
  public enum Mix {
    LONG_PROMPTS(400, 150, 17),
    LONG_ANSWERS(150, 450, 9.5),
    EVEN(250, 250, 14),
    CHAT(120, 120, 31.4),
    LONG_INPUT(800, 60, 12.1),
    ESSAYS(60, 300, 15.3),
    /** The capacities of these three are only roughly known. */
    PAPERS(1200, 100, 7.6),
    SUMMARIES(1000, 30, 11.3),
    REVIEWS(600, 300, 6.5);

    private final int promptTokens;
    private final int outputTokens;
    private final double capacity;

    Mix(int promptTokens, int outputTokens, double capacity) {
      this.promptTokens = promptTokens;
      this.outputTokens = outputTokens;
      this.capacity = capacity;
    }
  }

  /** Six steps of three minutes. */
  public static MemoryRun brief(Mix mix, long seed) {
    return run(mix, seed, SHORT_STEPS, 180);
  }

  /** Health, an overload of five minutes, and long recovery; then the same once more. */
  public static MemoryRun recovering(Mix mix, long seed) {
    return run(mix, seed, RECOVERY_STEPS, 300);
  }

  /** Minutes of overload and of drain in turn; some requests wait for more than 18 s. */
  public static MemoryRun bursts(Mix mix, long seed) {
    return run(mix, seed, BURSTS, 60);
  }

  /** Health, twenty minutes just below capacity in which some users wait now and then, health. */
  public static MemoryRun mild(Mix mix, long seed) {
    return run(mix, seed, MILD_STEPS, 300);
  }

  /** Thirteen steps of eight minutes, recovery between those above capacity. */
  public static MemoryRun thorough(Mix mix, long seed) {
    return run(mix, seed, LONG_STEPS, 480);
  }

  /** Constant load at 60 % of capacity. */
  public static MemoryRun healthy(Mix mix, long seed, int hours) {
    return run(mix, seed, new double[] {0.6}, hours * 3600);
  }

  /**
   * A share of capacity at which decoding becomes 1.5 times as slow, for five minutes.
   *
   * @param prefill by how much steps that read a prompt become slower
   */
  static MemoryRun slowed(Mix mix, double share, long seed, int atSeconds, double prefill) {
    Map<String, String> engine = new HashMap<>(ENGINE);
    engine.put(
        "fault",
        "slow:prefill=" + prefill + ",decode=1.5,share=1,at=" + atSeconds + "s,for=3600s");
    return run(mix, seed, new double[] {share}, atSeconds + 300, 5, engine);
  }

  /** Load that goes through shares of capacity. */
  static MemoryRun moving(Mix mix, double[] shares, int stepSeconds, long seed) {
    return run(mix, seed, shares, stepSeconds, 5, ENGINE);
  }

  /** The first two mixes with some seeds each. */
  public static List<DerivationRun> twoMixes(int seeds, boolean thorough) {
    List<DerivationRun> runs = new ArrayList<>();
    for (Mix mix : List.of(Mix.LONG_PROMPTS, Mix.LONG_ANSWERS)) {
      for (int seed = 1; seed <= seeds; seed++) {
        runs.add(DerivationRun.of(thorough ? thorough(mix, seed) : brief(mix, seed), true));
      }
    }
    return runs;
  }

  private static MemoryRun run(Mix mix, long seed, double[] shares, int stepSeconds) {
    return run(mix, seed, shares, stepSeconds, stepSeconds < 3600 ? 5 : 15, ENGINE);
  }

  private static MemoryRun run(
      Mix mix,
      long seed,
      double[] shares,
      int stepSeconds,
      int scrapeSeconds,
      Map<String, String> engine) {
    double[] rates = Arrays.stream(shares).map(share -> share * mix.capacity).toArray();
    return PoissonLoad.of(
        new PoissonLoad.Shape(
            mix + "-" + seed, mix.toString(), seed, mix.promptTokens, mix.outputTokens, rates,
            stepSeconds, scrapeSeconds, engine));
  }
}
