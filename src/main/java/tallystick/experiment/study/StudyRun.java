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

  /** How long it loads the engine. */
  double loadSeconds() {
    return steps.stream().mapToDouble(StudyStep::seconds).sum();
  }

  boolean has(StudyStep.Kind kind) {
    return steps.stream().anyMatch(step -> step.kind() == kind);
  }
}
