package tallystick.plan;

import java.util.ArrayList;
import java.util.List;
import tallystick.scenario.Rate;

/**
 * Where one phase of a window ends and the next begins.
 *
 * @param phases in order of time, without a gap; the last one has no end of its own
 */
record PhaseCuts(List<Phase> phases) {
  /** As few as a screen holds; each has requests enough to be judged in a run of some minutes. */
  private static final int PARTS_OF_A_RAMP = 10;

  PhaseCuts {
    phases = List.copyOf(phases);
  }

  /** One phase. */
  static PhaseCuts whole(PlanPart part, double requestsPerSecond) {
    return new PhaseCuts(
        List.of(
            new Phase(
                part.word(), part == PlanPart.WARMUP, 0, Settings.Timing.UNBOUNDED_NANOS,
                requestsPerSecond)));
  }

  /** A phase for each step and for each tenth of a ramp, one for any other rate. */
  static PhaseCuts of(PlanPart part, Rate rate) {
    return switch (rate) {
      case Rate.Steady steady -> whole(part, steady.perSecond());
      case Rate.Ramp ramp -> ofRamp(ramp);
      case Rate.Sine sine -> whole(part, 0);
      case Rate.Steps steps -> ofSteps(steps);
    };
  }

  /** So that a load that rises without steps tells, as steps do, which rate holds. */
  private static PhaseCuts ofRamp(Rate.Ramp ramp) {
    double change = (ramp.to() - ramp.from()) / PARTS_OF_A_RAMP;
    long whole = Math.round(ramp.seconds() * 1e9);
    List<Phase> phases = new ArrayList<>();
    for (int i = 0; i < PARTS_OF_A_RAMP; i++) {
      phases.add(
          new Phase(
              "ramp-" + (i + 1), false, whole * i / PARTS_OF_A_RAMP,
              whole * (i + 1) / PARTS_OF_A_RAMP, ramp.from() + change * (i + 0.5), true));
    }
    return new PhaseCuts(phases);
  }

  private static PhaseCuts ofSteps(Rate.Steps steps) {
    List<Phase> phases = new ArrayList<>();
    long start = 0;
    for (Rate.Step step : steps.steps()) {
      phases.add(
          new Phase(step.name(), false, start, start + step.nanos(), step.perSecond()));
      start += step.nanos();
    }
    return new PhaseCuts(phases);
  }

  /** Name of the phase an offset lies in; past the end, of the last one. */
  String phaseAt(long offsetNanos) {
    return phases.stream()
        .filter(phase -> offsetNanos < phase.endNanos())
        .findFirst()
        .orElse(phases.get(phases.size() - 1))
        .name();
  }

  /** The phases that begin before an end, the last one cut there. */
  List<Phase> within(long endNanos) {
    return phases.stream()
        .filter(phase -> phase.startNanos() < endNanos)
        .map(phase -> new Phase(
            phase.name(), phase.warmup(), phase.startNanos(),
            Math.min(phase.endNanos(), endNanos), phase.requestsPerSecond(), phase.ramp()))
        .toList();
  }
}
