package tallystick.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A YAML value that remembers where it was written. */
sealed interface Node {

  /** Where the value begins; for a mapping's value the line of its key is in the entry. */
  SourceLocation origin();

  /** The value as a reader would write it on one line. */
  String shown();

  /** The value as YAML on one line; of a list only that it is one. */
  default String line() {
    return switch (this) {
      case Scalar scalar -> scalar.text();
      case Sequence list -> "[…]";
      case Mapping mapping ->
          mapping.entries.entrySet().stream()
              .map(one -> one.getKey() + ": " + one.getValue().value.line())
              .collect(Collectors.joining(", ", "{", "}"));
    };
  }

  /** The kinds of a single value, decided by the YAML core schema. */
  enum Kind {
    TEXT,
    NUMBER,
    BOOLEAN,
    NULL
  }

  /** A single value. */
  record Scalar(SourceLocation origin, String text, Kind kind) implements Node {
    @Override
    public String shown() {
      return kind == Kind.TEXT ? "\"" + text + "\"" : kind == Kind.NULL ? "nothing" : text;
    }
  }

  /** Keys with values, in the order they were written. */
  record Mapping(SourceLocation origin, Map<String, Entry> entries) implements Node {
    public Mapping {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    /** A single key with its value, both of one place. */
    static Mapping of(SourceLocation origin, String key, Node value) {
      return new Mapping(origin, Map.of(key, new Entry(origin, value)));
    }

    @Override
    public String shown() {
      return "the keys " + String.join(", ", entries.keySet());
    }
  }

  /**
   * A key's line and its value.
   *
   * @param beside what a refusal of the key says besides its remedy; mostly nothing
   */
  record Entry(SourceLocation origin, Node value, String beside) {
    Entry(SourceLocation origin, Node value) {
      this(origin, value, "");
    }
  }

  /** A list. */
  record Sequence(SourceLocation origin, List<Node> items) implements Node {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public String shown() {
      return "a list of " + items.size();
    }
  }
}
