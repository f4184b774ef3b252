package tallystick.scenario;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Puts words of other tools, and keys of ours that stand elsewhere, to where they belong, and says
 * each. What a word means stands in {@code scenario-keys.txt}. Of two values for one key none is
 * taken: both stay, and the reader refuses what it does not know.
 */
final class ForeignWords {
  /** A place that no table knows. */
  private static final String NOWHERE = "?";

  private static final String LEAVE = ".";
  private static final String DROP = "-";

  /** Word, block.word or word=value → path of ours. */
  private static final Map<String, String> WORDS = ScenarioKeys.remedies("words of others");

  private static final Set<String> BLOCKS = ScenarioKeys.remedies("blocks of others").keySet();

  /** Sections that are taken apart, so that each of their keys finds its place. */
  private static final Set<String> OPENED =
      Set.of(
          "target", "request", "workload", "workload.arrival", "workload.dataset",
          "workload.conversation");

  private static final List<String> HOMES = List.of("", "request", "workload");

  /** In a request or of a server they mean something of its own. */
  private static final Set<String> OF_A_SERVER = Set.of("seed", "concurrency", "rate", "requests");

  /** An upper bound of answers; ours is their length. */
  private static final Pattern BOUND = Pattern.compile("max_.*tokens");

  /** Sections in which a word of the first level may mean something else. */
  private static final Set<String> DEEP =
      Set.of("workload.arrival", "workload.dataset", "workload.conversation");

  private final Consumer<String> notes;
  private final Map<List<String>, Move> moves = new LinkedHashMap<>();

  /** Paths of mappings that are none of ours: what is left of them goes one level up. */
  private final Set<List<String>> strange = new HashSet<>();

  private ForeignWords(Consumer<String> notes) {
    this.notes = notes;
  }

  /** A key that moves; one that stays unknown only follows its block. */
  private record Move(List<String> from, Node.Entry entry, String to, boolean isUnknown) {}

  /** The first level with everything at its place. */
  static Node in(Node root, Consumer<String> notes) {
    return root instanceof Node.Mapping mapping ? new ForeignWords(notes).moved(mapping) : root;
  }

  /** Where the value of a key that its section does not know belongs; empty if nobody can tell. */
  static Optional<String> placeOf(String key, Node value, String section) {
    return Optional.of(destination(section, value, key.replace('-', '_')))
        .filter(to -> !to.isEmpty() && !to.equals(LEAVE) && !to.equals(DROP))
        .map(to -> to.replaceFirst(" or .*", ""));
  }

  /** What a path of ours takes; empty for a path that no table knows. */
  private static Optional<ValueType> type(String path) {
    Optional<ValueType> type = Optional.of(ScenarioKeys.FIRST_LEVEL);
    for (String key : path.isEmpty() ? List.<String>of() : List.of(path.split("\\."))) {
      type = type.flatMap(known -> known.inside(key));
    }
    return type;
  }

  /** A key with its example, as a line of a scenario. */
  static Optional<String> example(String path) {
    return type(path.substring(0, Math.max(0, path.lastIndexOf('.'))))
        .flatMap(type -> type.find(ValueType.Keys.class))
        .filter(keys -> keys.names().contains(last(path)))
        .map(keys -> keys.get(last(path)).written());
  }

  private static boolean isKey(String section, String key) {
    return type(section)
        .flatMap(type -> type.find(ValueType.Keys.class))
        .filter(keys -> keys.names().contains(key))
        .isPresent();
  }

  private static String path(String section, String key) {
    return section.isEmpty() ? key : section + "." + key;
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /**
   * Where a word belongs.
   *
   * @param section the path of ours it stands in, or another block's name
   */
  private static String destination(String section, Node value, String word) {
    String within = last(section).replaceFirst("\\[\\d+]$", "") + "." + word;
    String said =
        value instanceof Node.Scalar scalar
            ? "=" + scalar.text().toLowerCase(Locale.ROOT)
            : "=";
    return Stream.of(within + said, word + said, within, word)
        .filter(WORDS::containsKey)
        .map(WORDS::get)
        .findFirst()
        .or(() -> HOMES.stream()
            .filter(home -> !home.equals(section) && !isOfItsOwn(section, word))
            .filter(home -> home.equals("workload") || !DEEP.contains(section))
            .filter(home -> isKey(home, word))
            .findFirst()
            .map(home -> path(home, word)))
        .orElse("");
  }

  private static boolean isOfItsOwn(String section, String word) {
    // A block's name, and how many there are of it, are no names of ours.
    return word.equals("name") || word.equals("n") && !section.isEmpty()
        || OF_A_SERVER.contains(word) && List.of("request", "target").contains(section);
  }

  private Node moved(Node.Mapping root) {
    walk(root, List.of(), "", "");
    List<String> written =
        moves.values().stream().map(Move::to).filter(to -> !to.contains(" ")).toList();
    moves.replaceAll(
        (from, move) ->
            new Move(from, move.entry, chosen(move.to, root, written), move.isUnknown));
    moves.values().removeIf(move -> !move.isUnknown && !fits(move.to, move.entry.value()));
    boolean hasDataset =
        standing(root, List.of("workload", "dataset")).isPresent()
            || written.stream().anyMatch(to -> to.startsWith("workload.dataset"));
    moves.values().removeIf(move -> hasDataset && isBound(move));
    if (standing(root, List.of("workload", "classes")).isPresent()) {
      moves.values().removeIf(move -> move.to.endsWith(".think_time")); // of which class?
    }
    Map<List<String>, String> losing = new HashMap<>();
    Map<List<String>, String> found;
    do {
      found = losing(pruned(root, losing));
      losing.putAll(found);
      moves.keySet().removeAll(found.keySet());
    } while (!found.isEmpty());
    Node tree = pruned(root, losing);
    for (Move move : moves.values()) {
      SourceLocation origin = move.entry.origin();
      Node value = move.entry.value();
      if (move.to.equals(DROP)) {
        notes.accept(origin + ": " + shown(move.from, value) + " is left out: it changes nothing");
        continue;
      }
      Node ours = ours(move.to, value);
      if (!move.isUnknown) {
        notes.accept(
            origin + ": " + shown(move.from, value) + " is read as "
                + shown(List.of(move.to), ours)
                + remark(move, tree));
      }
      tree = put(tree, List.of(move.to.split("\\.")), new Node.Entry(origin, ours));
    }
    return tree;
  }

  /** What holds of a moved value that its own tool means otherwise. */
  private String remark(Move move, Node tree) {
    if (isBound(move)) {
      return " (exactly; request.ignore_eos: false lets answers end)";
    }
    boolean isLimit =
        move.to.equals("workload.concurrency")
            && (standing(tree, List.of("workload", "rate")).isPresent()
                || moves.values().stream().anyMatch(one -> one.to.equals("workload.rate")));
    return isLimit ? " (beside a rate: so many in flight at most)" : "";
  }

  private static boolean isBound(Move move) {
    return move.to.equals("workload.output_tokens")
        && BOUND.matcher(move.from.getLast().replace('-', '_')).matches();
  }

  /** Looks for what stands elsewhere than it belongs. */
  private void walk(Node node, List<String> at, String section, String home) {
    if (!(inner(node) instanceof Node.Mapping mapping)) {
      return;
    }
    mapping.entries().forEach((key, entry) -> {
      List<String> from = Stream.concat(at.stream(), Stream.of(key)).toList();
      String word = isKey(home, key) ? key : key.replace('-', '_');
      boolean isKnown = isKey(home, word);
      String to = isKnown ? path(home, word) : destination(section, entry.value(), word);
      boolean isMapping = inner(entry.value()) instanceof Node.Mapping;
      boolean isHere = to.equals(String.join(".", from));
      if (OPENED.contains(to) && entry.value() instanceof Node.Mapping) {
        strange.addAll(isHere ? List.of() : List.of(from));
        walk(entry.value(), from, to, to);
      } else if (!isKnown && isMapping && BLOCKS.contains(word)) {
        strange.add(from);
        walk(entry.value(), from, word, NOWHERE);
      } else if (entry.origin().option().isEmpty() && !isHere) {
        boolean isUnknown =
            to.isEmpty() || to.equals(LEAVE) || !to.contains(" ") && !fits(to, entry.value());
        if (!isUnknown) {
          moves.put(from, new Move(from, entry, to, false));
        } else if (OPENED.contains(home) && strange.contains(at)) {
          moves.put(from, new Move(from, entry, path(home, key), true));
        }
      }
    });
  }

  /** A list of one mapping says no more than the mapping. */
  private static Node inner(Node node) {
    return node instanceof Node.Sequence list && list.items().size() == 1
        ? list.items().getFirst()
        : node;
  }

  /** Of several places the first whose section is written, else the last. */
  private static String chosen(String places, Node root, List<String> written) {
    List<String> all = List.of(places.split(" or "));
    return all.stream()
        .limit(all.size() - 1)
        .filter(place -> {
          String section = place.substring(0, place.lastIndexOf('.'));
          return standing(root, List.of(section.split("\\."))).isPresent()
              || written.stream().anyMatch(one -> one.startsWith(section + "."));
        })
        .findFirst()
        .orElse(all.getLast());
  }

  /** Whether a key takes a value of this kind; whether the value is good its reader says. */
  static boolean fits(String to, Node node) {
    Optional<ValueType> type = type(to);
    if (type.isEmpty()) {
      return to.equals(DROP);
    }
    if (!(node instanceof Node.Scalar scalar)) {
      return isAny(type.get(), ValueType.Keys.class, ValueType.ListOf.class, ValueType.Names.class);
    }
    return switch (scalar.kind()) {
      case NULL -> false;
      case BOOLEAN -> isAny(type.get(), ValueType.Flag.class);
      case NUMBER ->
          isAny(
              type.get(), ValueType.Number.class, ValueType.Whole.class, ValueType.Time.class,
              ValueType.Text.class, ValueType.Share.class)
              || to.equals("warmup");
      case TEXT ->
          to.equals("request.api_key_env")
              ? ScenarioValue.VARIABLE.matcher(scalar.text()).matches()
              : isAny(
                  type.get(), ValueType.Text.class, ValueType.Choice.class, ValueType.Time.class)
                  || to.equals("workload.dataset") || to.equals("warmup");
    };
  }

  @SafeVarargs
  private static boolean isAny(ValueType type, Class<? extends ValueType>... kinds) {
    return Stream.of(kinds).anyMatch(kind -> type.find(kind).isPresent());
  }

  /** Where a key is named whose value was a variable, its name alone. */
  private static Node ours(String to, Node value) {
    if (!to.equals("request.api_key_env") || !(value instanceof Node.Scalar scalar)) {
      return value;
    }
    Matcher variable = ScenarioValue.VARIABLE.matcher(scalar.text());
    return variable.matches()
        ? new Node.Scalar(scalar.origin(), ScenarioValue.nameOf(variable), Node.Kind.TEXT)
        : value;
  }

  /** The moves whose place is taken, each with where by. */
  private Map<List<String>, String> losing(Node tree) {
    Map<List<String>, String> losing = new LinkedHashMap<>();
    moves.forEach((from, move) ->
        standing(tree, List.of(move.to.split("\\.")))
            .or(() -> moves.values().stream()
                .filter(other -> other != move && !move.to.equals(DROP))
                .filter(other -> (other.to + ".").startsWith(move.to + "."))
                .map(other -> other.entry.origin())
                .findFirst())
            .ifPresent(
                other -> losing.put(
                    from, " (" + move.to + " is written at " + other + " too: keep one)")));
    return losing;
  }

  /** Where a path is taken, by a value there or by one in which it cannot be. */
  private static Optional<SourceLocation> standing(Node tree, List<String> path) {
    if (path.isEmpty() || !(tree instanceof Node.Mapping mapping)) {
      return Optional.of(tree.origin());
    }
    return Optional.ofNullable(mapping.entries().get(path.getFirst()))
        .flatMap(
            entry ->
                path.size() == 1
                    ? Optional.of(entry.origin())
                    : standing(entry.value(), path.subList(1, path.size())));
  }

  /** The tree without what is moved or dropped; what stays says why. */
  private Node pruned(Node root, Map<List<String>, String> losing) {
    return pruned(root, List.of(), losing);
  }

  private Node pruned(Node node, List<String> at, Map<List<String>, String> losing) {
    if (!(inner(node) instanceof Node.Mapping mapping)) {
      return node;
    }
    Map<String, Node.Entry> entries = new LinkedHashMap<>();
    mapping.entries().forEach((key, entry) -> {
      List<String> path = Stream.concat(at.stream(), Stream.of(key)).toList();
      if (moves.containsKey(path)) {
        return;
      }
      boolean isTouched =
          Stream.concat(moves.keySet().stream(), losing.keySet().stream())
              .filter(one -> one.size() > path.size())
              .anyMatch(one -> one.subList(0, path.size()).equals(path));
      Node rest = isTouched ? pruned(entry.value(), path, losing) : entry.value();
      if (strange.contains(path) && rest instanceof Node.Mapping left
          && (isTouched || !left.entries().isEmpty())) {
        left.entries().forEach((inside, one) -> entries.put(key + "." + inside, one));
      } else if (!isTouched || !(rest instanceof Node.Mapping left) || !left.entries().isEmpty()) {
        entries.put(
            key, new Node.Entry(entry.origin(), rest, losing.getOrDefault(path, entry.beside())));
      }
    });
    return new Node.Mapping(mapping.origin(), entries);
  }

  private static Node put(Node tree, List<String> path, Node.Entry entry) {
    Map<String, Node.Entry> entries =
        new LinkedHashMap<>(tree instanceof Node.Mapping mapping ? mapping.entries() : Map.of());
    String key = path.getFirst();
    if (path.size() == 1) {
      entries.put(key, entry);
    } else {
      Node.Entry old =
          entries.getOrDefault(
              key, new Node.Entry(entry.origin(), new Node.Mapping(entry.origin(), Map.of())));
      entries.put(
          key,
          new Node.Entry(
              old.origin(), put(old.value(), path.subList(1, path.size()), entry), old.beside()));
    }
    return new Node.Mapping(tree.origin(), entries);
  }

  /** A path with its value where that is short; a user's password in an address is left out. */
  private static String shown(List<String> path, Node value) {
    return String.join(".", path)
        + (value instanceof Node.Scalar scalar
            ? ": " + ScenarioValue.withoutUser(scalar.text())
            : "");
  }
}
