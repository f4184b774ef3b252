package tallystick.experiment.capacity;

import java.util.Map;
import java.util.Optional;
import tallystick.experiment.fit.FittedProfile;
import tallystick.experiment.fit.MeasuredRun;
import tallystick.experiment.fit.ProfileFitting;
import tallystick.experiment.fit.StepCostTerm;

/**
 * An engine as one probe shows it: what its steps cost, and what it has room for.
 *
 * @param costs what its steps cost
 * @param sequences requests that it runs at once
 * @param batchedTokens tokens that it computes in a step
 * @param cacheTokens tokens that its KV cache holds; infinite where nobody told
 * @param blockTokens tokens of a block of the cache
 */
record InferredEngineModel(
    Costs costs, int sequences, int batchedTokens, double cacheTokens, int blockTokens) {
  private static final double MICROS = 1e6;

  /** What vLLM takes where nobody told. */
  private static final int USUAL_BATCH = 2048;

  /** Tokens of a block that vLLM takes where nobody told. */
  private static final int USUAL_BLOCK = 16;

  /** Other sizes that people take, the nearest first: powers of two, as kernels want them. */
  private static final int[] SMALLER = {1024, 512, 256};

  private static final int[] LARGER = {4096, 8192};

  /** Another batch must fit so much better than the usual one, which is right for most engines. */
  private static final double CLEARLY = 0.7;

  /** Where one misfits by half more than the usual, those beyond it fit worse: none is tried. */
  private static final double FAR_WORSE = 1.5;

  /**
   * Costs in seconds; see {@link StepCostTerm}.
   *
   * @param step of every step
   * @param promptToken of every prompt token computed
   * @param promptPair of every pair of a prompt token and a token that it attends to
   * @param sequence of every sequence that decodes a token
   * @param contextToken of every token of context
   * @param request of every request, outside the steps
   */
  record Costs(
      double step,
      double promptToken,
      double promptPair,
      double sequence,
      double contextToken,
      double request) {
    private static Costs of(FittedProfile fitted) {
      return new Costs(
          seconds(fitted, StepCostTerm.STEP), seconds(fitted, StepCostTerm.PREFILL_TOKEN),
          seconds(fitted, StepCostTerm.PREFILL_PAIR), seconds(fitted, StepCostTerm.DECODE_SEQUENCE),
          seconds(fitted, StepCostTerm.KV_TOKEN), seconds(fitted, StepCostTerm.REQUEST));
    }

    private static double seconds(FittedProfile fitted, StepCostTerm cost) {
      return Math.max(0, fitted.of(cost).micros() / MICROS);
    }

    /** A step's time. */
    double seconds(double tokens, double pairs, int decoding, double context) {
      return step + promptToken * tokens + promptPair * pairs + sequence * decoding
          + contextToken * context;
    }
  }

  /**
   * The engine that answered a run, each of several alike ones; empty where its steps cannot be
   * read.
   *
   * @param sequences requests that it runs at once, where the record does not tell; 0 for unknown
   */
  static Optional<InferredEngineModel> of(MeasuredRun run, int sequences) {
    Map<String, String> flags = run.flags();
    int batch = number(flags, "max-num-batched-tokens", 0);
    int block = number(flags, "block-size", USUAL_BLOCK);
    int blocks = number(flags, "num-gpu-blocks-override", 0);
    double cache = blocks > 1 ? (blocks - 1.0) * block : Double.POSITIVE_INFINITY;
    int most = sequences > 0 ? sequences : Integer.MAX_VALUE;
    return (batch > 0 ? Reading.of(run, batch) : Reading.likeliest(run))
        .map(
            reading ->
                new InferredEngineModel(
                    Costs.of(reading.fitted), number(flags, "max-num-seqs", most), reading.batch,
                    cache, block));
  }

  /** The steps of a run, as an engine would have made them that computes so much in each. */
  private record Reading(int batch, FittedProfile fitted) {
    /** A step that cannot be read counts like one that took twice or half as long as it should. */
    private static final double UNREAD = Math.log(2) * Math.log(2);

    private static Optional<Reading> of(MeasuredRun run, int batch) {
      ProfileFitting fitting = new ProfileFitting();
      run.byTarget().forEach(rows -> fitting.add(rows, batch));
      return fitting.fit("").map(fitted -> new Reading(batch, fitted));
    }

    /** Where nobody tells the batch: the usual one, unless another explains the steps better. */
    private static Optional<Reading> likeliest(MeasuredRun run) {
      Optional<Reading> usual = of(run, USUAL_BATCH);
      if (usual.isEmpty()) {
        return usual;
      }
      Reading best = usual.get();
      for (int[] others : new int[][] {SMALLER, LARGER}) {
        for (int batch : others) {
          // A larger one changes nothing where the usual one has room for all that came.
          Optional<Reading> next =
              batch > USUAL_BATCH && usual.get().fitted.seen().leftOut() == 0
                  ? Optional.empty()
                  : of(run, batch);
          if (next.isEmpty() || next.get().misfit() > FAR_WORSE * usual.get().misfit()) {
            break;
          }
          best = next.get().misfit() < best.misfit() ? next.get() : best;
        }
      }
      return best.misfit() < CLEARLY * usual.get().misfit() ? Optional.of(best) : usual;
    }

    /** How far the steps lie off the costs, as a variance of logarithms. */
    private double misfit() {
      FittedProfile.Seen seen = fitted.seen();
      double unread = (double) seen.leftOut() / (seen.steps() + seen.leftOut());
      return Math.pow(fitted.scatter().whole(), 2) + UNREAD * (unread + seen.stalls());
    }
  }

  private static int number(Map<String, String> flags, String name, int otherwise) {
    String told = flags.getOrDefault(name, "");
    return told.matches("[1-9]\\d{0,8}") ? Integer.parseInt(told) : otherwise;
  }
}
