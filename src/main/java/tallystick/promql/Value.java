package tallystick.promql;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What an expression is worth at one moment. */
public sealed interface Value {

  /** One number. */
  record Scalar(double value) implements Value {}

  /** A text. */
  record Text(String value) implements Value {}

  /** One number for each of several series; no two have the same labels. */
  record Vector(List<Element> elements) implements Value {
    /** No element. */
    public static final Vector EMPTY = new Vector(List.of());

    public Vector {
      elements = List.copyOf(elements);
    }

    /**
     * The result of an operation at a place of the text.
     *
     * @throws PromqlException if two elements have the same labels
     */
    static Vector distinct(List<Element> elements, int at) {
      Set<Labels> seen = new HashSet<>();
      for (Element element : elements) {
        if (!seen.add(element.labels())) {
          throw new PromqlException(
              "vector cannot contain metrics with the same labelset: " + element.labels(), at);
        }
      }
      return new Vector(elements);
    }
  }

  /** One element of a vector. */
  record Element(Labels labels, double value) {}
}
