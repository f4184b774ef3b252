package tallystick.experiment.fit;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tallystick.scenario.Formatted;

/**
 * What measured runs tell of an engine's times.
 *
 * @param costs each cost, in the order of {@link StepCostTerm}
 * @param scatter of steps about what their work takes
 * @param seen how much was seen
 * @param source which runs and engine, for whoever reads the file
 */
public record FittedProfile(
    List<FittedCost> costs, StepTimeNoise scatter, Seen seen, String source) {

  /** Two standard deviations are then the 10 % to which a cost must be known. */
  private static final double MOST_SPREAD = 0.05;

  static final double MICRO = 1000;

  /** An engine's own stalls took up to a tenth of the time, prompts in pieces a quarter. */
  private static final double MOST_STALLED = 0.2;

  /**
   * How much was seen.
   *
   * @param steps engine steps that were read
   * @param leftOut steps that could not be read, see {@link StepReading}
   * @param stalls share of the steps read that took far too long or too short, not fitted
   * @param stallTime their share of the time
   * @param starts requests whose begin was read
   * @param blocks of time; the unit that intervals draw
   * @param fastest the least of what a run's steps took over what these costs say
   * @param slowest the most
   * @param spread standard deviation of that between runs, as a logarithm; 0 for one run
   */
  public record Seen(
      int steps,
      int leftOut,
      double stalls,
      double stallTime,
      int starts,
      int blocks,
      double fastest,
      double slowest,
      double spread) {

    /**
     * Whether the runs' engines were equally fast, so that one set of costs is right for all. Of
     * many runs the fastest and the slowest lie further apart than of two, so they do not tell.
     */
    public boolean isOneEngine() {
      return spread <= MOST_SPREAD;
    }
  }

  /** The same with other costs, in microseconds. */
  FittedProfile with(double[] micros) {
    return new FittedProfile(
        costs.stream().map(one -> one.with(micros[one.cost().ordinal()])).toList(), scatter,
        seen, source);
  }

  /** The same with another of its costs. */
  FittedProfile with(FittedCost cost) {
    return new FittedProfile(
        costs.stream().map(one -> one.cost() == cost.cost() ? cost : one).toList(), scatter, seen,
        source);
  }

  /** The costs in nanoseconds that least squares tell, in the order of {@link StepCostTerm}. */
  double[] terms() {
    return costs.stream()
        .filter(one -> one.cost() != StepCostTerm.OUTPUT)
        .mapToDouble(one -> MICRO * one.micros())
        .toArray();
  }

  /** One cost. */
  public FittedCost of(StepCostTerm cost) {
    return costs.get(cost.ordinal());
  }

  /** Why these costs are not the engine's; empty where they may be. */
  public Optional<String> doubt() {
    return seen.stallTime() < MOST_STALLED
        ? Optional.empty()
        : Optional.of(
            Math.round(100 * seen.stallTime())
                + " % of the time is in steps far longer or shorter than any costs say: the engine"
                + " stalls, or it works as this model does not (--long-prefill-token-threshold)");
  }

  /** How many costs these runs do not tell. */
  public long notIdentifiable() {
    return costs.stream()
        .filter(one -> one.standing() == FittedCost.Standing.NOT_IDENTIFIABLE)
        .count();
  }

  /** The file that {@code --profile} takes. */
  public String text() {
    StringBuilder text = new StringBuilder("# Fitted by ./tally fit. Source: " + source + "\n");
    line(text, "# %d steps read, %d not; %.1f %% of them stalls (%.1f %% of the time), left out.",
        seen.steps(), seen.leftOut(), 100 * seen.stalls(), 100 * seen.stallTime());
    line(text, "# Start times of %d requests were read. Intervals: 95 %%, bootstrap of %d blocks.",
        seen.starts(), seen.blocks());
    line(text, "# Steps took %.3f of the fitted time in the fastest run, %.3f in the slowest.",
        seen.fastest(), seen.slowest());
    for (FittedCost cost : costs) {
      line(text, "# %s: %.6g, %.6g to %.6g, %s%s", cost.cost().key(), cost.micros(), cost.low(),
          cost.high(), cost.standing().name().toLowerCase(Locale.ROOT).replace('_', ' '),
          cost.needs().isEmpty() ? "" : ": " + cost.needs());
      if (cost.cost() == StepCostTerm.REQUEST) {
        // What is parsed and what is submitted cannot be told apart, so each is half.
        line(text, "request_parse_us=%.6g", cost.micros() / 2);
        line(text, "request_submit_us=%.6g", cost.micros() / 2);
      } else {
        line(text, "%s=%.6g", cost.cost().key(), cost.micros());
      }
    }
    line(text, "outputs_wait=true");
    line(text, "noise=%.4f", scatter.ofStep());
    line(text, "base_noise=%.4f", scatter.ofBase());
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(Formatted.of(format, values)).append('\n');
  }
}
