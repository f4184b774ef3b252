package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.RuleWords;
import tallystick.scenario.Counted;

/**
 * Finds the healthy envelope of a step's time. Each run in turn is judged by
 * the costs that the others have: what held there for as long as the rule waits is health.
 *
 * @param samples of healthy engines, each run's in the order of time
 * @param intervalMillis between two evaluations
 */
record EnvelopeFit(List<StepSample> samples, long intervalMillis) {
  /** Independent windows of a band: the worst of 20 is above 19 in 20 of its kind, or nearly. */
  static final int LEAST_WINDOWS = 20;

  private static final int LEAST_RUNS = 2; // one is judged by the others

  /** Four costs are fitted to them; those of fewer would fit chance. */
  private static final int LEAST_SAMPLES = 60;
  /** Room above the worst of health: with the worst that is allowed it stays below 1.5. */
  private static final double ROOM = 1.1;
  /** Above it, 1.5 times as slow would be hard to tell from health. */
  private static final double MOST_WORST = 1.25;

  /** Evaluations for which the rule waits: a change of load is in its range for as long. */
  private int held() {
    return (int) Math.ceilDiv(PerEngine.RANGE_MILLIS, intervalMillis) + 1;
  }

  LoadEnvelope envelope() {
    long runs = distinct(StepSample::run).size();
    long usable = fitted(samples).size();
    if (runs < LEAST_RUNS) {
      return refused(
          Counted.of(runs, "run", "runs") + ", need " + LEAST_RUNS
              + ": each is tested against the others");
    }
    if (usable < LEAST_SAMPLES) {
      return refused(usable + " evaluations, need " + LEAST_SAMPLES);
    }
    Map<StepSample, Double> byRun = leftOut(StepSample::run);
    List<LoadEnvelope.Band> bands = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (double above = 0.5; above < most(StepSample::running); above *= 2) {
      band(above, byRun, bands, refused);
    }
    if (bands.isEmpty()) {
      return refused(
          refused.isEmpty() ? "0 windows in any load" : String.join("; ", refused));
    }
    boolean isOneMix = distinct(StepSample::mix).size() < 2;
    double mixWorst =
        isOneMix
            ? Double.NaN
            : leftOut(StepSample::mix).values().stream().reduce(0.0, Math::max);
    return new LoadEnvelope.Known(
        StepTimeModel.fit(fitted(samples)), joined(bands), refused, most(StepSample::tokensPerStep),
        held() * intervalMillis, (int) runs, mixWorst);
  }

  private static LoadEnvelope refused(String missing) {
    return new LoadEnvelope.Refused(RefusalCode.TOO_FEW_OBSERVATIONS, missing);
  }

  private static List<StepSample> fitted(List<StepSample> from) {
    return from.stream().filter(StepSample::isComplete).toList();
  }

  private double most(Function<StepSample, Double> figure) {
    return samples.stream().filter(StepSample::isComplete).map(figure).reduce(0.0, Math::max);
  }

  private TreeSet<String> distinct(Function<StepSample, String> key) {
    TreeSet<String> keys = new TreeSet<>();
    samples.forEach(each -> keys.add(key.apply(each)));
    return keys;
  }

  private void band(
      double above,
      Map<StepSample, Double> sustained,
      List<LoadEnvelope.Band> bands,
      List<String> refused) {
    double most = 2 * above;
    double worst = 0;
    long evaluations = 0;
    for (Map.Entry<StepSample, Double> each : sustained.entrySet()) {
      if (each.getKey().running() > above && each.getKey().running() <= most) {
        worst = Math.max(worst, each.getValue());
        evaluations++;
      }
    }
    long windows = evaluations * intervalMillis / PerEngine.RANGE_MILLIS;
    String load =
        "%s to %s running: ".formatted(RuleWords.number(above), RuleWords.number(most));
    if (evaluations == 0) {
      return;
    }
    if (windows < LEAST_WINDOWS) {
      refused.add(load + windows + " windows, need " + LEAST_WINDOWS);
    } else if (worst > MOST_WORST) {
      refused.add(
          load
              + String.format(
                  Locale.ROOT, "healthy steps stayed %.2f times as slow as expected, allowed %.2f",
                  worst, MOST_WORST));
    } else {
      double limit = Math.ceil(100 * ROOM * Math.max(1, worst) - 1e-6) / 100;
      bands.add(new LoadEnvelope.Band(above, most, windows, worst, limit));
    }
  }

  /** Neighbours with one limit are one band. */
  private static List<LoadEnvelope.Band> joined(List<LoadEnvelope.Band> bands) {
    List<LoadEnvelope.Band> joined = new ArrayList<>();
    for (LoadEnvelope.Band next : bands) {
      LoadEnvelope.Band last = joined.isEmpty() ? next : joined.getLast();
      if (last.most() == next.above() && last.limit() == next.limit()) {
        joined.removeLast();
        joined.add(
            new LoadEnvelope.Band(
                last.above(), next.most(), last.windows() + next.windows(),
                Math.max(last.worst(), next.worst()), next.limit()));
      } else {
        joined.add(next);
      }
    }
    return joined;
  }

  /**
   * For each evaluation what its engine exceeded for as long as the rule waits, around it; by costs
   * of the runs or mixes that it is none of.
   */
  private Map<StepSample, Double> leftOut(Function<StepSample, String> key) {
    Map<StepSample, Double> sustained = new HashMap<>();
    for (String left : distinct(key)) {
      List<StepSample> others =
          fitted(samples.stream().filter(each -> !key.apply(each).equals(left)).toList());
      if (others.size() < LEAST_SAMPLES) {
        continue;
      }
      StepTimeModel cost = StepTimeModel.fit(others);
      samples.stream()
          .filter(each -> key.apply(each).equals(left))
          .collect(Collectors.groupingBy(each -> each.run() + each.engine()))
          .values()
          .forEach(series -> sustain(series, cost, sustained));
    }
    return sustained;
  }

  private void sustain(
      List<StepSample> series, StepTimeModel cost, Map<StepSample, Double> sustained) {
    int held = held();
    for (int end = held; end <= series.size(); end++) {
      List<StepSample> stretch = series.subList(end - held, end);
      double least = stretch.stream().mapToDouble(cost::ratio).min().orElse(Double.NaN);
      for (StepSample each : Double.isNaN(least) ? List.<StepSample>of() : stretch) {
        sustained.merge(each, least, Math::max);
      }
    }
  }
}
