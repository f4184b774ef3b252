package tallystick.experiment.capacity;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * What an output token costs in energy at a rate.
 *
 * @param joules for each output token
 * @param runs in which the GPUs' exporters measured it; 0 where the user declared the power
 */
record TokenEnergy(double joules, int runs) {
  /** Runs whose rates lie further off say little of this one. */
  private static final double NEAR = 0.1;

  /**
   * Measured in runs near the rate; else from the power that the user declared.
   *
   * @param watts of one replica
   */
  static Optional<TokenEnergy> of(
      List<ProbeResult> probes, OptionalDouble watts, double perSecond, double tokensPerRequest) {
    double[] measured =
        probes.stream()
            .filter(probe -> probe.isTrusted() && probe.load().joulesPerToken() > 0)
            .filter(probe -> Math.abs(probe.probe().perSecond() / perSecond - 1) <= NEAR)
            .mapToDouble(probe -> probe.load().joulesPerToken())
            .toArray();
    if (measured.length > 0) {
      return Optional.of(new TokenEnergy(new Median().evaluate(measured), measured.length));
    }
    return watts.isPresent() && tokensPerRequest > 0
        ? Optional.of(new TokenEnergy(watts.getAsDouble() / (perSecond * tokensPerRequest), 0))
        : Optional.empty();
  }

  boolean isMeasured() {
    return runs > 0;
  }

  String words() {
    String source =
        isMeasured()
            ? String.format(
                Locale.ROOT,
                "measured at all GPUs that exporters show, median of %d %s near the proven rate",
                runs, runs == 1 ? "run" : "runs")
            : "from the power given by --power";
    return String.format(Locale.ROOT, "%.3g J for an output token (%s)", joules, source);
  }
}
