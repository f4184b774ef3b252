package tallystick.analysis.exporters;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Surroundings.Observed;
import tallystick.analysis.result.Surroundings.VantageOrder;
import tallystick.analysis.result.Surroundings.VantageOrder.Verdict;
import tallystick.analysis.result.Surroundings.VantagePoint;
import tallystick.scenario.Exporter.Quantity;

/**
 * Whether times shrink from the client to the engine. Each point measures by its own clock, but
 * only lengths of time, so clocks need not agree; the requests must be the same, which equal
 * counts stand for.
 */
final class VantageOrders {
  private VantageOrders() {}

  static List<VantageOrder> of(List<VantagePoint> points) {
    List<VantageOrder> orders = new ArrayList<>();
    for (Quantity quantity : List.of(Quantity.TTFT, Quantity.E2E)) {
      List<VantagePoint> timed =
          points.stream().filter(point -> isTimed(point, quantity)).toList();
      if (timed.size() > 2) {
        orders.add(order(quantity, timed));
      }
    }
    return orders;
  }

  private static boolean isTimed(VantagePoint point, Quantity quantity) {
    Observed observed = point.latencies().get(quantity);
    return observed != null && observed.mean() instanceof Figure.Known;
  }

  private static VantageOrder order(Quantity quantity, List<VantagePoint> points) {
    List<String> names = points.stream().map(VantagePoint::name).toList();
    List<Double> means = points.stream().map(point -> mean(point, quantity)).toList();
    for (int i = 1; i < points.size(); i++) {
      double before = points.get(i - 1).latencies().get(quantity).count();
      double here = points.get(i).latencies().get(quantity).count();
      if (before != here) {
        String detail =
            String.format(
                Locale.ROOT, "%s saw %.0f, %s %.0f", names.get(i - 1), before, names.get(i), here);
        return new VantageOrder(quantity, names, means, Verdict.NOT_COMPARED, detail);
      }
    }
    for (int i = 1; i < points.size(); i++) {
      if (means.get(i) > means.get(i - 1)) {
        String detail = names.get(i) + " measured more than " + names.get(i - 1);
        return new VantageOrder(quantity, names, means, Verdict.BROKEN, detail);
      }
    }
    return new VantageOrder(quantity, names, means, Verdict.HOLDS, "");
  }

  private static double mean(VantagePoint point, Quantity quantity) {
    return ((Figure.Known) point.latencies().get(quantity).mean()).value();
  }
}
