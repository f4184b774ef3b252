package tallystick.experiment.fit;

import java.util.List;

/**
 * Engines that fitted runs leave possible, all equally likely; what none of them shows is outside
 * of a prediction's 90 % interval.
 *
 * @param engines their costs
 * @param doubt why there are none; empty where there are
 */
public record PosteriorEngines(List<FittedProfile> engines, String doubt) {
  static PosteriorEngines none(String doubt) {
    return new PosteriorEngines(List.of(), doubt);
  }
}
