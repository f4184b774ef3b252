package tallystick.scenario;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a key of a scenario takes, its kind with its bounds; and the keys themselves. */
sealed interface ValueType {
  /**
   * Text; a number or a truth value counts as its text.
   *
   * @param form regular expression of the whole text
   * @param wanted what messages say of a text of another form; empty where its reader says more
   */
  record Text(String form, String wanted) implements ValueType {}

  /** True or false. */
  record Flag() implements ValueType {}

  /**
   * One of several words.
   *
   * @param noun what they are called where a message refuses another; may be empty
   */
  record Choice(String noun, List<String> words) implements ValueType {}

  /**
   * A number with its ends.
   *
   * @param isAbove whether the number must be above {@code least}, not only at least that
   */
  record Number(double least, boolean isAbove, double most) implements ValueType {}

  /** A whole number with its ends, both allowed. */
  record Whole(long least, long most) implements ValueType {}

  /** A share, as {@code 0.99} or {@code 99%}; of the ends 0 and 1 where they are allowed. */
  record Share(boolean hasEnds) implements ValueType {}

  /** A length of time with its unit; 0 is allowed where the least is {@code 0s}. */
  record Time(String least) implements ValueType {}

  /** A list of such values. */
  record ListOf(ValueType of, int least, int most) implements ValueType {}

  /**
   * Names that the user chooses, with such values.
   *
   * @param name form of a name, a regular expression
   */
  record Names(String name, ValueType of) implements ValueType {}

  /** Fields of a request's body, of any kind. */
  record Fields() implements ValueType {}

  /**
   * Keys that stand together in one mapping.
   *
   * @param shape what the mapping must hold, for messages; empty where they list the keys
   * @param isShownWhole whether the message of a missing key shows the whole mapping
   * @param alone the key that a value in place of the mapping stands for; empty where none does
   * @param rules which keys go together
   */
  record Keys(
      String shape, boolean isShownWhole, String alone, List<Key> keys, List<Rule> rules)
      implements ValueType {
    List<String> names() {
      return keys.stream().map(Key::name).toList();
    }

    /** A key that a reader asks for: the table must know it. */
    Key get(String name) {
      return keys.stream()
          .filter(key -> key.name().equals(name))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("no key \"" + name + "\" in the table"));
    }
  }

  /** How many of some keys may be written. */
  record Rule(int least, int most, List<String> names) {}

  /**
   * One key: what the reader takes, and what messages, schema and documents say of it.
   *
   * @param name as it is written
   * @param type what it takes
   * @param example a value that suits it, as YAML
   * @param unwritten what it means that it is not there
   * @param description what it means
   */
  record Key(
      String name, ValueType type, String example, Unwritten unwritten, String description) {
    boolean isRequired() {
      return unwritten.equals(MUST);
    }

    /** The key with its example, as a line of a scenario. */
    String written() {
      return name + ": " + example;
    }
  }

  /**
   * What it means that a key is not there.
   *
   * @param value the value it then has, as YAML; empty where it has none
   * @param words what happens then
   */
  record Unwritten(String value, String words) {}

  /** One of several types. */
  record Either(List<ValueType> options) implements ValueType {}

  /**
   * A type that several keys take.
   *
   * @param name what the schema calls it
   * @param example what its messages show, with {@code %s} for the value's path; empty where they
   *     show the key's own
   */
  record Shared(String name, ValueType of, String example, String description)
      implements ValueType {}

  Text TEXT = new Text("(?s).*", "");
  Time TIME = new Time("");
  Number ABOVE_0 = new Number(0, true, Double.MAX_VALUE);

  /** Its section cannot be without it. */
  Unwritten MUST = new Unwritten("", "must be there");

  /** Another key of its section stands in its place. */
  Unwritten NOTHING = new Unwritten("", "");

  /** The part of this type that is of a kind. */
  default <T extends ValueType> Optional<T> find(Class<T> kind) {
    return parts().filter(kind::isInstance).map(kind::cast).findFirst();
  }

  /** What a key or a position in such a value takes, if the value can have it. */
  default Optional<ValueType> inside(String key) {
    return parts()
        .flatMap(part -> switch (part) {
          case Keys keys ->
              keys.keys.stream().filter(one -> one.name.equals(key)).map(Key::type);
          case ListOf list -> Stream.of(list.of);
          case Names names -> Stream.of(names.of);
          default -> Stream.of();
        })
        .findFirst();
  }

  /** What its messages show in place of the key's own example. */
  default Optional<String> example(String path) {
    return parts()
        .flatMap(part -> part instanceof Shared shared ? Stream.of(shared.example) : Stream.of())
        .filter(example -> !example.isEmpty())
        .map(example -> example.replace("%s", path))
        .findFirst();
  }

  /** The type itself, and what it may be instead. */
  private Stream<ValueType> parts() {
    return switch (this) {
      case Shared shared -> Stream.concat(Stream.of(shared), shared.of.parts());
      case Either either -> either.options.stream().flatMap(ValueType::parts);
      default -> Stream.of(this);
    };
  }
}
