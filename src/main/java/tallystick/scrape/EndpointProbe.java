package tallystick.scrape;

import java.util.List;
import tallystick.runrecord.Sample;
import tallystick.scenario.Target;

/**
 * What one look at a target before a run has shown.
 *
 * @param target which target
 * @param samples what it exposes; empty where that could not be read
 * @param engineVersion what {@code /version} tells; empty where it tells nothing
 * @param problem a whole sentence with a remedy why the engine's half cannot be recorded; empty if
 *     it can
 */
public record EndpointProbe(
    Target target, List<Sample> samples, String engineVersion, String problem) {
  public EndpointProbe {
    samples = List.copyOf(samples);
  }

  /** Whether the engine's half can be recorded. */
  public boolean isFit() {
    return problem.isEmpty();
  }
}
