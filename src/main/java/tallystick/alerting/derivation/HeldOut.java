package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

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
      List<LabelledWindow> windows,
      Function<WindowRow, String> group,
      Fitter fitter) {
    Map<String, List<LabelledWindow>> groups =
        windows.stream()
            .collect(
                Collectors.groupingBy(
                    one -> group.apply(one.row()), LinkedHashMap::new, Collectors.toList()));
    List<Double> thresholds = new ArrayList<>();
    Confusion sum = Confusion.NONE;
    for (Map.Entry<String, List<LabelledWindow>> left : groups.entrySet()) {
      List<LabelledWindow> rest =
          windows.stream().filter(one -> !group.apply(one.row()).equals(left.getKey())).toList();
      Optional<ThresholdFit> fit =
          rest.isEmpty() ? Optional.empty() : fitter.apply(LabelledValues.of(signal, rest));
      if (fit.isPresent()) {
        double threshold = fit.get().threshold();
        thresholds.add(threshold);
        sum = sum.plus(Confusion.of(LabelledValues.of(signal, left.getValue()), threshold));
      }
    }
    return new HeldOut(thresholds, sum, groups.size());
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
