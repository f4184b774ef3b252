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
record BinaryOperations(PrometheusVersion version, BinaryOperation operation) {

  Value of(Value left, Value right) {
    if (left instanceof Scalar a && right instanceof Scalar b) {
      return new Scalar(number(a.value(), b.value()));
    }
    if (left instanceof Vector vector && right instanceof Scalar scalar) {
      return withScalar(vector, scalar.value(), false);
    }
    if (left instanceof Scalar scalar && right instanceof Vector vector) {
      return withScalar(vector, scalar.value(), true);
    }
    if (left instanceof Vector a && right instanceof Vector b) {
      return operation.isSetOperation() ? set(a, b) : paired(a, b);
    }
    throw new PromqlException(operation.operator() + " cannot take a string", operation.at());
  }

  private double number(double left, double right) {
    if (operation.isComparison()) {
      return Operators.holds(operation.operator(), left, right) ? 1 : 0;
    }
    return Operators.arithmetic(operation.operator(), left, right);
  }

  /** The result for one pair; empty where a filtering comparison is false. */
  private OptionalDouble result(double left, double right) {
    if (isFilter()) {
      return Operators.holds(operation.operator(), left, right)
          ? OptionalDouble.of(left)
          : OptionalDouble.empty();
    }
    return OptionalDouble.of(number(left, right));
  }

  private boolean isFilter() {
    return operation.isComparison() && !operation.matching().returnsBool();
  }

  /** The labels of a result, which has its name where that still says what it is. */
  private Labels named(Labels labels) {
    boolean isNamed =
        isFilter() || version.namesArcTangents() && operation.operator().equals("atan2");
    return isNamed ? labels : labels.withoutName();
  }

  /** A vector beside a number that stands on the left or on the right. */
  private Vector withScalar(Vector vector, double scalar, boolean isLeft) {
    List<Element> elements = new ArrayList<>();
    for (Element element : vector.elements()) {
      double value = element.value();
      OptionalDouble result = isLeft ? result(scalar, value) : result(value, scalar);
      if (result.isPresent()) {
        elements.add(
            new Element(named(element.labels()), isFilter() ? value : result.getAsDouble()));
      }
    }
    return Vector.distinct(elements, operation.at());
  }

  private Vector set(Vector left, Vector right) {
    Set<Labels> rightKeys = keys(right);
    if (operation.operator().equals("or")) {
      Set<Labels> leftKeys = keys(left);
      List<Element> elements = new ArrayList<>(left.elements());
      right.elements().stream()
          .filter(element -> !leftKeys.contains(key(element.labels())))
          .forEach(elements::add);
      return Vector.distinct(elements, operation.at());
    }
    boolean wanted = operation.operator().equals("and");
    return new Vector(
        left.elements().stream()
            .filter(element -> rightKeys.contains(key(element.labels())) == wanted)
            .toList());
  }

  private Set<Labels> keys(Vector vector) {
    return vector.elements().stream()
        .map(element -> key(element.labels()))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private Labels key(Labels labels) {
    Matching matching = operation.matching();
    return matching.on()
        ? labels.only(matching.labels())
        : labels.without(matching.labels()).withoutName();
  }

  private Vector paired(Vector left, Vector right) {
    Matching matching = operation.matching();
    boolean swapped = matching.cardinality() == Cardinality.GROUP_RIGHT;
    Vector many = swapped ? right : left;
    Map<Labels, Element> ones = ones(swapped ? left : right);
    Set<Labels> used = new HashSet<>();
    List<Element> elements = new ArrayList<>();
    for (Element element : many.elements()) {
      Labels key = key(element.labels());
      Element one = ones.get(key);
      if (one == null) {
        continue;
      }
      OptionalDouble result =
          swapped
              ? result(one.value(), element.value())
              : result(element.value(), one.value());
      if (result.isEmpty()) {
        continue;
      }
      if (matching.cardinality() == Cardinality.ONE_TO_ONE && !used.add(key)) {
        throw new PromqlException(
            "multiple matches for " + key + ": grouping must be explicit", operation.at());
      }
      elements.add(new Element(joined(element.labels(), one), result.getAsDouble()));
    }
    return Vector.distinct(elements, operation.at());
  }

  private Map<Labels, Element> ones(Vector side) {
    Map<Labels, Element> ones = new HashMap<>();
    for (Element element : side.elements()) {
      Labels key = key(element.labels());
      if (ones.put(key, element) != null) {
        throw new PromqlException(
            "several series for " + key + " on the side that must have one", operation.at());
      }
    }
    return ones;
  }

  private Labels joined(Labels many, Element one) {
    Matching matching = operation.matching();
    Labels labels = named(many);
    if (matching.cardinality() == Cardinality.ONE_TO_ONE) {
      return matching.on() ? labels.only(matching.labels()) : labels.without(matching.labels());
    }
    for (String label : matching.include()) {
      labels = labels.with(label, one.labels().get(label));
    }
    return labels;
  }
}
