package tallystick.analysis.prometheus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tallystick.analysis.prometheus.Value.Element;
import tallystick.analysis.prometheus.Value.Vector;

/** The aggregations over series that rules use. */
final class Aggregations {
  private static final Set<String> KNOWN = Set.of("sum", "min", "max", "avg", "count", "group");

  private Aggregations() {}

  static Vector of(Expression.Aggregation aggregation, Vector operand) {
    if (!KNOWN.contains(aggregation.operator())) {
      throw new NotUnderstoodException(
          "aggregation " + aggregation.operator(), aggregation.at());
    }
    Map<Labels, List<Double>> groups = new LinkedHashMap<>();
    for (Element element : operand.elements()) {
      groups
          .computeIfAbsent(group(aggregation, element.labels()), labels -> new ArrayList<>())
          .add(element.value());
    }
    List<Element> elements = new ArrayList<>();
    groups.forEach(
        (labels, values) ->
            elements.add(new Element(labels, folded(aggregation.operator(), values))));
    return new Vector(elements);
  }

  private static Labels group(Expression.Aggregation aggregation, Labels labels) {
    return aggregation.without()
        ? labels.without(aggregation.grouping()).withoutName()
        : labels.only(aggregation.grouping());
  }

  private static double folded(String operator, List<Double> values) {
    double sum = 0;
    double extreme = values.getFirst();
    for (double value : values) {
      sum += value;
      boolean better = operator.equals("min") ? value < extreme : value > extreme;
      // A NaN loses against any number.
      if (better || Double.isNaN(extreme)) {
        extreme = value;
      }
    }
    return switch (operator) {
      case "sum" -> sum;
      case "avg" -> sum / values.size();
      case "count" -> values.size();
      case "group" -> 1;
      default -> extreme;
    };
  }
}
