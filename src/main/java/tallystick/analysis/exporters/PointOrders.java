package tallystick.analysis.exporters;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.ExporterAccount.MeasuringPoint;
import tallystick.analysis.result.ExporterAccount.Observed;
import tallystick.analysis.result.ExporterAccount.PointOrder;
import tallystick.analysis.result.ExporterAccount.PointOrder.Verdict;
import tallystick.analysis.result.Figure;
import tallystick.scenario.Exporter.Quantity;
import tallystick.scenario.Formatted;

/**
 * Whether times shrink from the client to the engine. Each point measures by its own clock, but
 * only lengths of time, so clocks need not agree; the requests must be the same, which equal
 * counts stand for.
 */
final class PointOrders {
  /** A server's time ends after its last byte, which the point before may have read by then. */
  private static final double ROOM_SECONDS = 0.001;

  private PointOrders() {}

  static List<PointOrder> of(List<MeasuringPoint> points) {
    List<PointOrder> orders = new ArrayList<>();
    for (Quantity quantity : List.of(Quantity.TTFT, Quantity.E2E)) {
      List<MeasuringPoint> timed =
          points.stream().filter(point -> isTimed(point, quantity)).toList();
      if (timed.size() > 2) {
        orders.add(order(quantity, timed));
      }
    }
    return orders;
  }

  private static boolean isTimed(MeasuringPoint point, Quantity quantity) {
    Observed observed = point.latencies().get(quantity);
    return observed != null && observed.mean() instanceof Figure.Known;
  }

  private static PointOrder order(Quantity quantity, List<MeasuringPoint> points) {
    List<String> names = points.stream().map(MeasuringPoint::name).toList();
    List<Double> means = points.stream().map(point -> mean(point, quantity)).toList();
    for (int i = 1; i < points.size(); i++) {
      double before = points.get(i - 1).latencies().get(quantity).count();
      double here = points.get(i).latencies().get(quantity).count();
      if (before != here) {
        String detail =
            Formatted.of("%s saw %.0f, %s %.0f", names.get(i - 1), before, names.get(i), here);
        return new PointOrder(quantity, names, means, Verdict.NOT_COMPARED, detail);
      }
    }
    String within = "";
    for (int i = 1; i < points.size(); i++) {
      double more = means.get(i) - means.get(i - 1);
      double room = roomSeconds(points, i);
      String detail = names.get(i) + " measured more than " + names.get(i - 1);
      if (more > room) {
        return new PointOrder(quantity, names, means, Verdict.BROKEN, detail);
      }
      if (more > 0) {
        within = Formatted.of("%s, by %.2f ms: no more than %s", detail, 1e3 * more, words(room));
      }
    }
    return new PointOrder(quantity, names, means, Verdict.HOLDS, within);
  }

  /**
   * By how much a point may measure more than the one before it. The API server notes the end of a
   * request when its loop comes back to it, after the outputs of a step were sent to all others;
   * the client has the last byte by then. On a real vLLM with 62 streams on one core: 6.7 ms.
   */
  private static double roomSeconds(List<MeasuringPoint> points, int place) {
    if (!points.get(place).name().equals(MeasuringPoint.SERVER)) {
      return ROOM_SECONDS;
    }
    return points.stream()
        .filter(point -> isTimed(point, Quantity.ITL))
        .mapToDouble(point -> mean(point, Quantity.ITL))
        .reduce(ROOM_SECONDS, Math::max);
  }

  private static String words(double room) {
    return room > ROOM_SECONDS
        ? Formatted.of("a mean gap between tokens, %.2f ms", 1e3 * room)
        : "1 ms";
  }

  private static double mean(MeasuringPoint point, Quantity quantity) {
    return ((Figure.Known) point.latencies().get(quantity).mean()).value();
  }
}
