package tallystick.plan;

import java.util.List;

/**
 * What a run intends to do, fully resolved: a pure function of (scenario, seed).
 *
 * @param settings everything but the requests
 * @param requests in the order of their index, the warm-up's first
 */
public record Plan(Settings settings, List<PlannedRequest> requests) {
  public Plan {
    requests = List.copyOf(requests);
  }
}
