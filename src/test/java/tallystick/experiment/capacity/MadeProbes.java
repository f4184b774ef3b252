package tallystick.experiment.capacity;

import java.util.List;
import java.util.Optional;
import tallystick.experiment.Budget;
import tallystick.experiment.JointObjective;

/** Questions, probes and ends of tests that leave some of it open. */
final class MadeProbes {
  private MadeProbes() {}

  /** Without a closed loop. */
  static CapacityQuestion question(
      double share, double firstPerSecond, double mostPerSecond, double budgetSeconds,
      double overheadSeconds, long seed) {
    return new CapacityQuestion(
        share, firstPerSecond, true, 0, mostPerSecond, budgetSeconds, overheadSeconds, seed);
  }

  /** A probe of which no figures are known. */
  static ProbeResult result(
      Probe probe, double elapsedSeconds, long judged, long good, ProbeResult.Load load,
      ProbeResult.Trust trust, String doubt) {
    return new ProbeResult(
        probe, elapsedSeconds, judged, good, load, trust, doubt, ProbeFigures.UNKNOWN);
  }

  /** Of requests that come alone. */
  static ProbeFigures figures(
      ProbeFigures.Percentiles ttft, ProbeFigures.Percentiles tpot, double tokensPerSecond,
      double running, double waiting, List<ProbeFigures.Kept> limits, ProbeFigures.Kept half) {
    return new ProbeFigures(ttft, tpot, tokensPerSecond, running, waiting, limits, half, 0, "");
  }

  /** With the ceiling that a closed loop among the probes shows. */
  static CapacityEnd end(
      String scenario, String unit, String engine, JointObjective objective, Budget budget,
      FleetSizing sizing, CapacityAnswer answer, List<ProbeResult> probes,
      Optional<PredictedSearch> forecast) {
    return new CapacityEnd(
        scenario, unit, engine, objective, budget, sizing, answer, probes, forecast,
        Ceiling.of(probes, objective.share()));
  }
}
