package tallystick.scrape;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import tallystick.runrecord.Series;
import tallystick.runrecord.Series.Type;

/** The {@code # TYPE} lines of one exposition, and what they say of a sample's name. */
final class FamilyTypes {
  private final Map<String, Type> declared = new HashMap<>();

  /**
   * One {@code # TYPE} line.
   *
   * @param family the name it declares
   * @param type what the family is
   * @param escaped the name without colons, as prometheus_client writes it for some readers
   */
  record Declaration(String family, Type type, String escaped) {
    Declaration(String family, Type type) {
      this(family, type, family.replace(':', '_'));
    }
  }

  /** Forgets every declaration, for the next exposition. */
  void clear() {
    declared.clear();
  }

  /** Whether the family has a type already. */
  boolean isDeclared(String family) {
    return declared.containsKey(family);
  }

  /** Takes one declaration; a later one of the same family holds for the lines after it. */
  void declare(Declaration declaration) {
    declared.put(declaration.family(), declaration.type());
    // prometheus_client writes vllm_ in sample lines but vllm: in their TYPE lines when it escapes.
    declared.putIfAbsent(declaration.escaped(), declaration.type());
  }

  /** The type of the family a sample name belongs to; UNTYPED where no line declares it. */
  Type typeOf(String name) {
    Type exact = declared.get(name);
    if (exact != null) {
      return exact;
    }
    int cut = name.lastIndexOf('_');
    Type family = cut < 0 ? null : declared.get(name.substring(0, cut));
    if (family == null) {
      return Type.UNTYPED;
    }
    return switch (name.substring(cut)) {
      case "_bucket" -> family == Type.HISTOGRAM ? family : Type.UNTYPED;
      case "_sum", "_count" ->
          family == Type.HISTOGRAM || family == Type.SUMMARY ? family : Type.UNTYPED;
      case "_total" -> family == Type.COUNTER ? family : Type.UNTYPED;
      // The moment a series began; it belongs to the family's text but is no part of its value.
      case "_created" -> family == Type.GAUGE ? Type.UNTYPED : Type.GAUGE;
      case "_info" -> family == Type.GAUGE ? family : Type.UNTYPED;
      default -> Type.UNTYPED;
    };
  }

  /**
   * The type a {@code # TYPE} line's word stands for.
   *
   * @throws IllegalArgumentException if the formats know no such word
   */
  static Series.Type typeOfWord(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "counter" -> Type.COUNTER;
      case "gauge", "info", "stateset" -> Type.GAUGE;
      case "histogram" -> Type.HISTOGRAM;
      case "summary" -> Type.SUMMARY;
      // The buckets of a gauge histogram may fall, so its deltas are no histogram's.
      case "untyped", "unknown", "gaugehistogram" -> Type.UNTYPED;
      default -> throw new IllegalArgumentException("'" + word + "' is not a metric type");
    };
  }
}
