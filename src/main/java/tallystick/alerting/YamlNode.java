package tallystick.alerting;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A YAML or JSON document as a tree whose nodes know their line. */
public sealed interface YamlNode {
  /** Line of the node's first character, from 1. */
  int line();

  /**
   * A text, number or truth value, as written.
   *
   * @param textLine line of its first letter: a block begins on the line after its indicator
   * @param begin where it begins in the file, with its quotes or its indicator
   * @param end where it ends
   */
  record Scalar(String text, int line, int textLine, int begin, int end) implements YamlNode {
    /** Whether each line of the text is a line of the file. */
    public boolean isBlock() {
      return textLine > line;
    }
  }

  /** A list. */
  record Sequence(List<YamlNode> items, int line) implements YamlNode {}

  /** Keys and values in their order. */
  record Mapping(Map<String, YamlNode> entries, int line) implements YamlNode {
    /** The value of a key. */
    public Optional<YamlNode> get(String key) {
      return Optional.ofNullable(entries.get(key));
    }

    /** The value of a key where it is a mapping. */
    public Optional<Mapping> mapping(String key) {
      return get(key).filter(Mapping.class::isInstance).map(Mapping.class::cast);
    }

    /** The value of a key where it is a text, a number or a truth value. */
    public Optional<Scalar> scalar(String key) {
      return get(key).filter(Scalar.class::isInstance).map(Scalar.class::cast);
    }

    /** What {@link #scalar} says; empty where it says nothing. */
    public String text(String key) {
      return scalar(key).map(Scalar::text).orElse("");
    }
  }
}
