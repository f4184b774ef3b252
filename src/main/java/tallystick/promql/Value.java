package tallystick.promql;

import java.util.List;

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
  }

  /** One element of a vector. */
  record Element(Labels labels, double value) {}
}
