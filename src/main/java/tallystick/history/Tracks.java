package tallystick.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import tallystick.analysis.statistics.LevelChanges;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.Differences;
import tallystick.experiment.regress.Regression;

/** Where a metric changed its level over the runs of one series. */
final class Tracks {
  /** Over all metrics together; each alone gets its part. */
  static final double LEVEL = 0.04;

  /** Fewer runs on a side tell no level from a few odd runs. */
  private static final int SHORTEST = 5;

  /** Chances are told to 0.1 %; the part of each of twelve metrics is 0.33 %. */
  private static final int PERMUTATIONS = 999;

  /** Between 1, which bears odd runs best, and 2, which sees the mean best. */
  private static final double EXPONENT = 1.5;

  /** So many standard errors apart two halves are told in four of five tries. */
  private static final double SEEN = 5.2;

  private final List<ComparedRun> runs;
  private final LevelChanges.Rule rule;

  Tracks(List<ComparedRun> runs, int metrics) {
    this.runs = runs;
    this.rule = new LevelChanges.Rule(SHORTEST, PERMUTATIONS, LEVEL / metrics, EXPONENT);
  }

  /** One metric, which every run has. */
  History.Track of(ComparedMetric metric) {
    List<Double> values = runs.stream().map(run -> run.metrics().get(metric)).toList();
    double[] logs = values.stream().mapToDouble(Math::log).toArray();
    int needed = LevelChanges.fewest(rule);
    if (logs.length < needed) {
      return new History.Track(metric, values, needed, 0, List.of(), List.of());
    }
    List<LevelChanges.Split> sure = new ArrayList<>();
    List<LevelChanges.Split> unclear = new ArrayList<>();
    tell(logs, sure, unclear);
    List<Integer> ends = new ArrayList<>(List.of(0));
    sure.forEach(split -> ends.add(split.at()));
    ends.add(logs.length);
    List<History.Change> changes = new ArrayList<>();
    for (int i = 0; i < sure.size(); i++) {
      changes.add(
          change(
              metric, logs, new int[] {ends.get(i), ends.get(i + 1), ends.get(i + 2)},
              sure.get(i).pValue()));
    }
    return new History.Track(
        metric, values, needed, couldSee(logs, ends), changes,
        unclear.stream()
            .map(
                one ->
                    change(metric, logs, new int[] {one.from(), one.at(), one.to()}, one.pValue()))
            .toList());
  }

  /** Parts the splits by what runs that follow one another make; inside such a one none is told. */
  private void tell(
      double[] logs, List<LevelChanges.Split> sure, List<LevelChanges.Split> unclear) {
    List<LevelChanges.Split> found = new ArrayList<>(LevelChanges.in(logs, rule));
    found.sort(Comparator.comparingInt(split -> split.from() - split.to()));
    for (LevelChanges.Split split : found) {
      boolean isInside =
          unclear.stream().anyMatch(one -> one.from() <= split.from() && split.to() <= one.to());
      if (isInside) {
        continue;
      }
      double pValue =
          Math.max(split.pValue(), LevelChanges.ifCorrelated(logs, split, rule));
      (pValue <= rule.pLimit() ? sure : unclear)
          .add(new LevelChanges.Split(split.from(), split.at(), split.to(), pValue));
    }
    sure.sort(Comparator.comparingInt(LevelChanges.Split::at));
  }

  private History.Change change(
      ComparedMetric metric, double[] logs, int[] ends, double pValue) {
    double before = mean(logs, ends[0], ends[1]);
    double after = mean(logs, ends[1], ends[2]);
    double worse = metric.isBetterHigh() ? before - after : after - before;
    return new History.Change(
        ends[1], Math.exp(before), Math.exp(after), Math.expm1(worse), pValue,
        told(runs.subList(ends[0], ends[1]), runs.subList(ends[1], ends[2])));
  }

  /** Not what the engine counted: that changes whenever its speed does. */
  private static List<Regression.Difference> told(
      List<ComparedRun> before, List<ComparedRun> after) {
    return Differences.between(before, after).stream()
        .filter(one -> before.getFirst().engine().get(one.name()) == null)
        .toList();
  }

  private static double couldSee(double[] logs, List<Integer> ends) {
    double squares = 0;
    for (int i = 0; i + 1 < ends.size(); i++) {
      double mean = mean(logs, ends.get(i), ends.get(i + 1));
      squares +=
          Arrays.stream(logs, ends.get(i), ends.get(i + 1))
              .map(one -> (one - mean) * (one - mean))
              .sum();
    }
    double spread = Math.sqrt(squares / (logs.length - ends.size() + 1));
    return Math.expm1(SEEN * spread * 2 / Math.sqrt(logs.length));
  }

  private static double mean(double[] logs, int from, int to) {
    return Arrays.stream(logs, from, to).average().orElseThrow();
  }
}
