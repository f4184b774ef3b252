package tallystick.plan;

import java.util.List;
import tallystick.scenario.Dataset;

/**
 * The requests of one arrival, before it is known when they start.
 *
 * @param turns at least one; a single request has one
 */
record Draft(String requestClass, int choices, List<Turn> turns) {

  /** One request of an arrival; a tool's result has waited for the tool. */
  record Turn(
      Prompt prompt, int maxTokens, long thinkNanos, PlannedRequest.Cancel cancel, boolean tool,
      Dataset.Link link) {}

  /** The same, cut after so many requests. */
  Draft first(int most) {
    return most < turns.size()
        ? new Draft(requestClass, choices, turns.subList(0, most))
        : this;
  }
}
