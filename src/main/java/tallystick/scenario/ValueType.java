package tallystick.scenario;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a key of a scenario takes: its kind with its bounds. */
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

  /** Keys of their own. */
  record Keys(KeySection section) implements ValueType {}

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
  Flag FLAG = new Flag();
  Share SHARE = new Share(true);

  /** A share of what must be kept: none and all are no promise. */
  Share INNER_SHARE = new Share(false);

  Time TIME = new Time("");
  Time TIME_OR_ZERO = new Time("0s");
  Number ABOVE_0 = new Number(0, true, Double.MAX_VALUE);
  Number AT_LEAST_0 = new Number(0, false, Double.MAX_VALUE);

  static Either either(ValueType... options) {
    return new Either(List.of(options));
  }

  static Choice choice(String noun, String... words) {
    return new Choice(noun, List.of(words));
  }

  static Whole whole(long least, long most) {
    return new Whole(least, most);
  }

  static ListOf listOf(ValueType of) {
    return new ListOf(of, 1, Integer.MAX_VALUE);
  }

  /** The part of this type that is of a kind. */
  default <T extends ValueType> Optional<T> find(Class<T> kind) {
    return parts().filter(kind::isInstance).map(kind::cast).findFirst();
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
