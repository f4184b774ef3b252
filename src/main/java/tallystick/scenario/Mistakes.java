package tallystick.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All that the table of keys has against a scenario: unknown keys, values of another type or out of
 * bounds. Who writes from memory sees them in one answer.
 */
final class Mistakes {
  private final List<ScenarioException> found = new ArrayList<>();

  private Mistakes() {}

  /** A mistake that ended the reading, and those that stand in other lines. */
  static ScenarioException with(ScenarioException first, Node tree) {
    Set<String> places = new HashSet<>(Set.of(first.place()));
    List<ScenarioException> rest =
        in(tree).stream()
            .filter(one -> places.add(one.place()))
            .sorted(Comparator.comparingInt(ScenarioException::line))
            .toList();
    return first.and(rest);
  }

  /** The mistakes of a whole first level; none where its table has nothing against it. */
  static List<ScenarioException> in(Node tree) {
    Mistakes all = new Mistakes();
    all.check(new ScenarioValue(tree.origin(), "", tree, ScenarioKeys.FIRST_LEVEL, ""));
    return all.found;
  }

  private void check(ScenarioValue value) {
    try {
      judge(value);
    } catch (ScenarioException e) {
      found.add(e);
    }
  }

  private void judge(ScenarioValue value) {
    switch (value.type()) {
      case ValueType.Shared shared -> judge(value.as(shared.of()));
      case ValueType.Either either -> option(either, value.node()).ifPresent(
          option -> judge(value.as(option)));
      case ValueType.Keys keys -> keys(value, keys);
      case ValueType.Names names -> value.entries("keys and values").values().forEach(this::check);
      case ValueType.ListOf list -> value.items().forEach(this::check);
      case ValueType.Text text -> value.text();
      case ValueType.Flag flag -> value.flag();
      case ValueType.Choice choice -> value.word();
      case ValueType.Number number -> value.number();
      case ValueType.Whole whole when whole.most() > Integer.MAX_VALUE -> value.wholeLong();
      case ValueType.Whole whole -> value.count();
      case ValueType.Share share -> value.share();
      case ValueType.Time time -> value.nanos();
      case ValueType.Fields fields -> { }
    }
  }

  private void keys(ScenarioValue value, ValueType.Keys keys) {
    if (!(value.node() instanceof Node.Mapping mapping)) {
      Section.of(value);
      return;
    }
    mapping.entries().forEach((name, entry) -> {
      if (keys.names().contains(name)) {
        String path = value.path().isEmpty() ? name : value.path() + "." + name;
        check(ScenarioValue.of(keys.get(name), path, entry.origin(), entry.value()));
      } else {
        found.add(Section.unknown(name, entry, value.path(), keys.names()));
      }
    });
  }

  /** The one of several types that a value is written as; empty where several are. */
  private static Optional<ValueType> option(ValueType.Either either, Node node) {
    List<ValueType> fitting =
        either.options().stream().filter(option -> isWrittenAs(option, node)).toList();
    return fitting.size() == 1 ? Optional.of(fitting.getFirst()) : Optional.empty();
  }

  private static boolean isWrittenAs(ValueType type, Node node) {
    return switch (type) {
      case ValueType.Shared shared -> isWrittenAs(shared.of(), node);
      case ValueType.Either either -> either.options().stream().anyMatch(o -> isWrittenAs(o, node));
      case ValueType.Keys keys -> node instanceof Node.Mapping;
      case ValueType.Names names -> node instanceof Node.Mapping;
      case ValueType.Fields fields -> node instanceof Node.Mapping;
      case ValueType.ListOf list -> node instanceof Node.Sequence;
      default -> node instanceof Node.Scalar;
    };
  }
}
