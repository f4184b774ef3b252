package tallystick.alerting.derivation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.analysis.statistics.Proportion;

/** A window, and what the client's counts say of it against the objective's target. */
record LabelledWindow(WindowRow row, Verdict label) {

  /**
   * The label of each row, in their order. A quiet window alone can prove little: with none bad it
   * takes 268 requests to be sure of 99 %. Where its whole step is proven good and the window
   * itself is no worse than the target, it counts as met. Requests that wait past the limit and
   * are judged in a later window, where the engine observes them, can keep it from being met.
   *
   * @param target the share that must be good
   */
  static List<LabelledWindow> of(List<WindowRow> rows, double target) {
    Map<String, long[]> steps = new HashMap<>();
    for (WindowRow row : rows) {
      long[] counts = steps.computeIfAbsent(row.place().cluster(), any -> new long[2]);
      counts[0] += row.good();
      counts[1] += row.observed();
    }
    return rows.stream()
        .map(row -> new LabelledWindow(row, label(row, steps.get(row.place().cluster()), target)))
        .toList();
  }

  private static Verdict label(WindowRow row, long[] step, double target) {
    if (row.observed() == 0) {
      return Verdict.NOT_JUDGED;
    }
    if (wilson(row.good(), row.observed()).high() < target) {
      return Verdict.MISSED;
    }
    long users = row.observed() + row.waiting();
    boolean stepIsGood = wilson(step[0], step[1]).low() >= target;
    boolean noWorse = row.good() >= target * users;
    return wilson(row.good(), users).low() >= target || stepIsGood && noWorse
        ? Verdict.MET
        : Verdict.NOT_JUDGED;
  }

  private static Proportion wilson(double good, double count) {
    return Proportion.wilson(good, count, Proportion.CONFIDENCE);
  }
}
