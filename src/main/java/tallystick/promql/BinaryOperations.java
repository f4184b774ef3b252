package tallystick.promql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.Cardinality;
import tallystick.promql.Expression.Matching;
import tallystick.promql.Value.Element;
import tallystick.promql.Value.Scalar;
import tallystick.promql.Value.Vector;

/** Arithmetic, comparisons and set operations between scalars and vectors. */
final class BinaryOperations {
  private BinaryOperations() {}

  static Value of(
      PrometheusVersion version, BinaryOperation operation, Value left, Value right) {
    if (left instanceof Scalar a && right instanceof Scalar b) {
      return new Scalar(number(operation, a.value(), b.value()));
    }
    if (left instanceof Vector vector && right instanceof Scalar scalar) {
      return withScalar(version, operation, vector, new Side(scalar.value(), false));
    }
    if (left instanceof Scalar scalar && right instanceof Vector vector) {
      return withScalar(version, operation, vector, new Side(scalar.value(), true));
    }
    if (left instanceof Vector a && right instanceof Vector b) {
      return operation.isSetOperation()
          ? set(operation, a, b)
          : paired(version, operation, a, b);
    }
    throw new PromqlException(operation.operator() + " cannot take a string", operation.at());
  }

  private static double number(BinaryOperation operation, double left, double right) {
    if (operation.isComparison()) {
      return Operators.holds(operation.operator(), left, right) ? 1 : 0;
    }
    return Operators.arithmetic(operation.operator(), left, right);
  }

  /** The result for one pair; empty where a filtering comparison is false. */
  private static OptionalDouble result(BinaryOperation operation, double left, double right) {
    if (operation.isComparison() && !operation.matching().returnsBool()) {
      return Operators.holds(operation.operator(), left, right)
          ? OptionalDouble.of(left)
          : OptionalDouble.empty();
    }
    return OptionalDouble.of(number(operation, left, right));
  }

  private static boolean isFilter(BinaryOperation operation) {
    return operation.isComparison() && !operation.matching().returnsBool();
  }

  private static boolean keepsName(PrometheusVersion version, BinaryOperation operation) {
    return isFilter(operation)
        || version.namesArcTangents() && operation.operator().equals("atan2");
  }

  /** A number beside a vector, and whether it stands on the left. */
  private record Side(double scalar, boolean isLeft) {}

  private static Vector withScalar(
      PrometheusVersion version, BinaryOperation operation, Vector vector, Side side) {
    List<Element> elements = new ArrayList<>();
    for (Element element : vector.elements()) {
      double value = element.value();
      OptionalDouble result =
          side.isLeft()
              ? result(operation, side.scalar(), value)
              : result(operation, value, side.scalar());
      if (result.isPresent()) {
        boolean isNamed = keepsName(version, operation);
        Labels labels = isNamed ? element.labels() : element.labels().withoutName();
        elements.add(new Element(labels, isFilter(operation) ? value : result.getAsDouble()));
      }
    }
    return Vector.distinct(elements, operation.at());
  }

  private static Vector set(BinaryOperation operation, Vector left, Vector right) {
    Matching matching = operation.matching();
    Set<Labels> rightKeys = keys(matching, right);
    if (operation.operator().equals("or")) {
      Set<Labels> leftKeys = keys(matching, left);
      List<Element> elements = new ArrayList<>(left.elements());
      right.elements().stream()
          .filter(element -> !leftKeys.contains(key(matching, element.labels())))
          .forEach(elements::add);
      return Vector.distinct(elements, operation.at());
    }
    boolean wanted = operation.operator().equals("and");
    return new Vector(
        left.elements().stream()
            .filter(e -> rightKeys.contains(key(matching, e.labels())) == wanted)
            .toList());
  }

  private static Set<Labels> keys(Matching matching, Vector vector) {
    return vector.elements().stream()
        .map(element -> key(matching, element.labels()))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static Labels key(Matching matching, Labels labels) {
    return matching.on()
        ? labels.only(matching.labels())
        : labels.without(matching.labels()).withoutName();
  }

  private static Vector paired(
      PrometheusVersion version, BinaryOperation operation, Vector left, Vector right) {
    Matching matching = operation.matching();
    boolean swapped = matching.cardinality() == Cardinality.GROUP_RIGHT;
    Vector many = swapped ? right : left;
    Map<Labels, Element> ones = ones(operation, swapped ? left : right);
    Set<Labels> used = new HashSet<>();
    List<Element> elements = new ArrayList<>();
    for (Element element : many.elements()) {
      Labels key = key(matching, element.labels());
      Element one = ones.get(key);
      if (one == null) {
        continue;
      }
      OptionalDouble result =
          swapped
              ? result(operation, one.value(), element.value())
              : result(operation, element.value(), one.value());
      if (result.isEmpty()) {
        continue;
      }
      if (matching.cardinality() == Cardinality.ONE_TO_ONE && !used.add(key)) {
        throw new PromqlException(
            "multiple matches for " + key + ": grouping must be explicit", operation.at());
      }
      elements.add(
          new Element(
              resultLabels(version, operation, element.labels(), one), result.getAsDouble()));
    }
    return Vector.distinct(elements, operation.at());
  }

  private static Map<Labels, Element> ones(BinaryOperation operation, Vector side) {
    Map<Labels, Element> ones = new HashMap<>();
    for (Element element : side.elements()) {
      Labels key = key(operation.matching(), element.labels());
      if (ones.put(key, element) != null) {
        throw new PromqlException(
            "several series for " + key + " on the side that must have one", operation.at());
      }
    }
    return ones;
  }

  private static Labels resultLabels(
      PrometheusVersion version, BinaryOperation operation, Labels many, Element one) {
    Matching matching = operation.matching();
    Labels labels = keepsName(version, operation) ? many : many.withoutName();
    if (matching.cardinality() == Cardinality.ONE_TO_ONE) {
      return matching.on() ? labels.only(matching.labels()) : labels.without(matching.labels());
    }
    for (String label : matching.include()) {
      labels = labels.with(label, one.labels().get(label));
    }
    return labels;
  }
}
