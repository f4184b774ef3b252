package tallystick.experiment.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.alerting.derivation.UnmetRequirement;

/**
 * {@code study.json}: every figure of a study. What is not asked is absent.
 *
 * @param formatVersion version of study.json
 * @param scenario its name
 * @param engine in words
 * @param outcome earned, not_proven, not_trusted or budget_too_small
 * @param elapsedSeconds time of all runs
 * @param completedPerSecond mix → requests that it completed under the latest overload
 * @param thresholds how each stands
 * @param moved runs that met another engine
 * @param predicted what a profile says; absent where none was asked
 * @param runs all that were played
 */
record StudyFigures(
    int formatVersion,
    String scenario,
    String engine,
    String outcome,
    double elapsedSeconds,
    Map<String, Double> completedPerSecond,
    List<Threshold> thresholds,
    List<Drift.Moved> moved,
    @JsonInclude(JsonInclude.Include.NON_NULL) Predicted predicted,
    List<StudyResult> runs) {
  static final int FORMAT = 1;

  /**
   * One threshold.
   *
   * @param objective metric that users are judged by
   * @param signal what the alert would watch
   * @param state earned, open or out_of_reach
   * @param lacks what it lacks; empty where it is earned
   */
  record Threshold(String objective, String signal, String state, List<Lack> lacks) {
    static Threshold of(ThresholdProgress standing) {
      return new Threshold(
          word(standing.objective()), standing.signal().code(), word(standing.state()),
          standing.lacks().stream().map(Lack::of).toList());
    }
  }

  /**
   * One thing that a threshold lacks.
   *
   * @param need which
   * @param code of the refusal
   * @param sentence with its numbers
   */
  record Lack(String need, String code, String sentence) {
    private static Lack of(UnmetRequirement lack) {
      return new Lack(word(lack.need()), lack.need().code().code(), lack.sentence());
    }
  }

  /**
   * What a profile of the engine predicted.
   *
   * @param simulated always true: nothing of it is measured
   * @param capacitiesPerSecond mix → requests per second
   * @param words what a reader of the answer is told
   * @param steps each that was measured, beside its prediction
   */
  record Predicted(
      boolean simulated, Map<String, Double> capacitiesPerSecond, String words,
      List<PredictedStudy.Beside> steps) {}

  private static String word(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT);
  }
}
