package tallystick.experiment.study;

import java.util.List;

/**
 * One run that the study asks for.
 *
 * @param number counts the runs of a study from 1
 * @param mix name of its traffic mix
 * @param windowSeconds length of the windows that its steps are made of
 * @param steps in order of time
 * @param seed of every random choice in it
 */
record StudyRun(int number, String mix, int windowSeconds, List<StudyStep> steps, long seed) {
  StudyRun {
    steps = List.copyOf(steps);
  }

  /** Whether it only looks for the capacity. */
  boolean isScout() {
    return steps.getFirst().kind() == StudyStep.Kind.SCOUT;
  }

  /** Whether it only tries what others have earned: nothing is derived from it. */
  boolean isTrial() {
    return has(StudyStep.Kind.HEALTH) || has(StudyStep.Kind.RAMP);
  }

  /** How long it loads the engine. */
  double loadSeconds() {
    return steps.stream().mapToDouble(StudyStep::seconds).sum();
  }

  boolean has(StudyStep.Kind kind) {
    return steps.stream().anyMatch(step -> step.kind() == kind);
  }
}
