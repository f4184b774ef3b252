package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tallystick.analysis.result.Judgement.Verdict;

/**
 * How a threshold does on groups of windows it was not fitted to, each left out in turn.
 *
 * @param thresholds the threshold fitted without each group, in the groups' order; groups whose
 *     rest had not both labels are left out
 * @param confusion answers on the left-out groups, added up
 * @param groups how many groups there are
 */
public record HeldOut(List<Double> thresholds, Confusion confusion, int groups) {

  public HeldOut {
    thresholds = List.copyOf(thresholds);
  }

  /** Fits a threshold to some windows. */
  interface Fitter extends Function<LabelledValues, Optional<ThresholdFit>> {}

  static HeldOut of(
      Signal signal,
      List<WindowRow> rows,
      List<Verdict> labels,
      Function<WindowRow, String> group,
      Fitter fitter) {
    List<String> names = rows.stream().map(group).distinct().toList();
    List<Double> thresholds = new ArrayList<>();
    Confusion sum = Confusion.NONE;
    for (String name : names) {
      LabelledValues rest = select(signal, rows, labels, row -> !group.apply(row).equals(name));
      LabelledValues left = select(signal, rows, labels, row -> group.apply(row).equals(name));
      Optional<ThresholdFit> fit = names.size() < 2 ? Optional.empty() : fitter.apply(rest);
      if (fit.isPresent()) {
        thresholds.add(fit.get().threshold());
        sum = sum.plus(Confusion.of(left, fit.get().threshold()));
      }
    }
    return new HeldOut(thresholds, sum, names.size());
  }

  private static LabelledValues select(
      Signal signal,
      List<WindowRow> rows,
      List<Verdict> labels,
      Function<WindowRow, Boolean> wanted) {
    List<WindowRow> chosen = new ArrayList<>();
    List<Verdict> chosenLabels = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      if (wanted.apply(rows.get(i))) {
        chosen.add(rows.get(i));
        chosenLabels.add(labels.get(i));
      }
    }
    return LabelledValues.of(signal, chosen, chosenLabels);
  }

  /** The largest of the thresholds over the smallest; infinite where that says nothing. */
  double spread() {
    double least = thresholds.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
    double most = thresholds.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    if (least == most) {
      return 1;
    }
    return least > 0 ? most / least : Double.POSITIVE_INFINITY;
  }
}
