package tallystick.promql;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tallystick.promql.Value.Element;
import tallystick.promql.Value.Vector;

/**
 * One of the aggregations over series that rules use.
 *
 * @param parameter the number or text of an operator that takes one, otherwise anything
 */
record Aggregations(Expression.Aggregation aggregation, Value parameter) {

  Vector of(Vector operand) {
    Map<Labels, List<Element>> groups =
        operand.elements().stream()
            .collect(
                Collectors.groupingBy(
                    element -> group(element.labels()), LinkedHashMap::new, Collectors.toList()));
    List<Element> elements = new ArrayList<>();
    groups.forEach((labels, members) -> elements.addAll(result(labels, members)));
    return new Vector(elements);
  }

  private Labels group(Labels labels) {
    return aggregation.without()
        ? labels.without(aggregation.grouping()).withoutName()
        : labels.only(aggregation.grouping());
  }

  private List<Element> result(Labels labels, List<Element> members) {
    return switch (aggregation.operator()) {
      case "topk" -> first(members, false);
      case "bottomk" -> first(members, true);
      case "count_values" -> counted(labels, members);
      default -> {
        double[] values = members.stream().mapToDouble(Element::value).toArray();
        double folded =
            aggregation.operator().equals("quantile")
                ? SampleMath.quantile(number(), values)
                : folded(aggregation.operator(), values);
        yield List.of(new Element(labels, folded));
      }
    };
  }

  /** What one of the functions over time, or the aggregation of that name, makes of values. */
  static double folded(String fold, double[] values) {
    return switch (fold) {
      case "sum" -> SampleMath.sum(values);
      case "avg" -> SampleMath.sum(values) / values.length;
      case "min" -> SampleMath.extreme(values, -1);
      case "max" -> SampleMath.extreme(values, 1);
      case "count" -> values.length;
      case "group" -> 1;
      case "stddev" -> Math.sqrt(SampleMath.variance(values));
      case "stdvar" -> SampleMath.variance(values);
      default -> throw new IllegalArgumentException("no fold: " + fold);
    };
  }

  private double number() {
    if (parameter instanceof Value.Scalar scalar) {
      return scalar.value();
    }
    throw new PromqlException(aggregation.operator() + " expects a scalar", aggregation.at());
  }

  /** The elements themselves, the largest or smallest first; a NaN comes last. */
  private List<Element> first(List<Element> members, boolean ascending) {
    double wanted = number();
    if (Double.isNaN(wanted)) {
      throw new PromqlException("scalar value NaN overflows int64", aggregation.at());
    }
    Comparator<Element> order =
        Comparator.comparingDouble(element -> ascending ? element.value() : -element.value());
    Comparator<Element> numbersFirst =
        Comparator.comparing(element -> Double.isNaN(element.value()));
    return members.stream()
        .sorted(numbersFirst.thenComparing(order))
        .limit(Math.max(0, (long) wanted))
        .toList();
  }

  private List<Element> counted(Labels labels, List<Element> members) {
    if (!(parameter instanceof Value.Text name)) {
      throw new PromqlException("count_values expects a text", aggregation.at());
    }
    Map<Labels, Double> counts = new LinkedHashMap<>();
    for (Element element : members) {
      String value = ExpressionText.number(element.value());
      counts.merge(labels.with(name.value(), value), 1.0, Double::sum);
    }
    List<Element> elements = new ArrayList<>();
    counts.forEach((key, count) -> elements.add(new Element(key, count)));
    return elements;
  }
}
