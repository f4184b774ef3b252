package tallystick.experiment.capacity;

import java.util.List;
import tallystick.experiment.Budget;
import tallystick.experiment.JointObjective;

/**
 * A search that has ended.
 *
 * @param scenario its name
 * @param engine in words
 * @param objective what a rate had to hold
 * @param budget time for all probes
 * @param answer how it ended
 * @param probes all that were played
 */
record CapacityEnd(
    String scenario,
    String engine,
    JointObjective objective,
    Budget budget,
    CapacityAnswer answer,
    List<ProbeResult> probes) {
  CapacityEnd {
    probes = List.copyOf(probes);
  }

  double elapsedSeconds() {
    return probes.stream().mapToDouble(ProbeResult::elapsedSeconds).sum();
  }
}
