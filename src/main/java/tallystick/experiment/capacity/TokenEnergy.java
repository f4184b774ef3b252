package tallystick.experiment.capacity;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.descriptive.rank.Median;
import tallystick.scenario.Formatted;

/**
 * What an output token costs in energy at a rate.
 *
 * @param joules for each output token
 * @param goodJoules for each output token of a request that kept every limit: what the others cost
 *     is part of it; 0 where not every run counted them
 * @param runs in which the GPUs' exporters measured it; 0 where the user declared the power
 * @param gpus that the energy is of; 0 where the runs differ, or nobody told
 */
record TokenEnergy(double joules, double goodJoules, int runs, int gpus) {
  /** A judgement: within a tenth of the rate batches are alike. Farther off they are not. */
  private static final double NEAR = 0.1;

  /**
   * Measured in runs near the rate; else from the power that the user declared.
   *
   * @param watts of one replica
   */
  static Optional<TokenEnergy> of(
      List<ProbeResult> probes, OptionalDouble watts, double perSecond, double tokensPerRequest) {
    List<ProbeResult.Load> near =
        probes.stream()
            .filter(ProbeResult::isTrusted)
            .filter(probe -> Math.abs(probe.probe().perSecond() / perSecond - 1) <= NEAR)
            .map(ProbeResult::load)
            .toList();
    List<ProbeResult.Load> measured =
        near.stream().filter(load -> load.joulesPerToken() > 0).toList();
    if (!measured.isEmpty()) {
      List<Integer> gpus = measured.stream().map(ProbeResult.Load::gpus).distinct().toList();
      return Optional.of(
          new TokenEnergy(
              median(measured, ProbeResult.Load::joulesPerToken),
              good(measured, load -> load.joulesPerToken() / load.goodTokenShare()),
              measured.size(), gpus.size() == 1 ? gpus.getFirst() : 0));
    }
    if (watts.isEmpty() || tokensPerRequest <= 0) {
      return Optional.empty();
    }
    double joules = watts.getAsDouble() / (perSecond * tokensPerRequest);
    return Optional.of(
        new TokenEnergy(joules, good(near, load -> joules / load.goodTokenShare()), 0, 0));
  }

  /**
   * In {@code capacity.json}.
   *
   * @param joulesPerOutputToken energy of the GPUs for each output token
   * @param joulesPerGoodOutputToken for each of a good request, what the others cost included;
   *     absent where not every run counted them
   * @param joulesMeasured whether exporters measured it; else the user declared the power
   * @param joulesGpus how many GPUs it is of; absent where the runs differ, or nobody told
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Figures(
      double joulesPerOutputToken,
      Double joulesPerGoodOutputToken,
      boolean joulesMeasured,
      Integer joulesGpus) {}

  Figures figures() {
    return new Figures(
        joules, goodJoules > 0 ? goodJoules : null, isMeasured(), gpus > 0 ? gpus : null);
  }

  private static double median(
      List<ProbeResult.Load> loads, ToDoubleFunction<ProbeResult.Load> figure) {
    return new Median().evaluate(loads.stream().mapToDouble(figure).toArray());
  }

  /** Of runs that all counted good tokens; 0 where one did not, and may be unlike the others. */
  private static double good(
      List<ProbeResult.Load> loads, ToDoubleFunction<ProbeResult.Load> figure) {
    return !loads.isEmpty() && loads.stream().allMatch(load -> load.goodTokenShare() > 0)
        ? median(loads, figure)
        : 0;
  }

  boolean isMeasured() {
    return runs > 0;
  }

  String words() {
    String good =
        goodJoules > 0
            ? Formatted.of(", %.3g J per token of a good request", goodJoules)
            : ", n/a per token of a good request: some runs did not count those";
    String source =
        isMeasured()
            ? Formatted.of(
                "measured at %s exporters show, median of %d %s near the proven rate",
                gpuWords(), runs, runs == 1 ? "run" : "runs")
            : "from the power given by --power";
    return Formatted.of("%.3g J for an output token%s (%s)", joules, good, source);
  }

  private String gpuWords() {
    return switch (gpus) {
      case 0 -> "all GPUs that";
      case 1 -> "the 1 GPU that";
      default -> "all " + gpus + " GPUs that";
    };
  }
}
