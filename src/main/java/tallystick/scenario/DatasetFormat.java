package tallystick.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which columns of a data set hold what. The named formats are lines of {@code data-formats.txt};
 * a scenario's own names stand over theirs.
 *
 * @param fits ways to tell it: columns that must be there, or with {@code -} must not
 * @param unit of its times: {@code s}, {@code ms}, {@code us}, {@code ns}, {@code iso}; empty for
 *     seconds or texts, as they come
 * @param columns what a column holds → its names, of which the first that is there counts
 * @param named what the scenario itself names, which must be there
 */
record DatasetFormat(
    String name,
    List<List<String>> fits,
    String unit,
    Map<Holds, List<String>> columns,
    List<Holds> named,
    List<String> traits) {
  /** What a column holds, in the table's order; in lower case the scenario's key that names it. */
  enum Holds {
    TIME,
    PROMPT_TOKENS,
    OUTPUT_TOKENS,
    PROMPT,
    SESSION,
    PAUSE;

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** In the order in which they are tried on a file. */
  static final List<DatasetFormat> ALL = table();

  /** The one that takes any columns. */
  static final DatasetFormat COLUMNS = ALL.getLast();

  private static final String BLOCKS = "blocks=";

  static DatasetFormat of(String name) {
    return ALL.stream().filter(one -> one.name.equals(name)).findFirst().orElseThrow();
  }

  static String[] names() {
    return ALL.stream().map(DatasetFormat::name).toArray(String[]::new);
  }

  /** The formats that a row's columns fit, the likeliest first; {@link #COLUMNS} where none. */
  static List<DatasetFormat> fitting(DataRow row) {
    return fitting(row, Map.of());
  }

  /**
   * Those of them that take no column for another thing than a scenario does.
   *
   * @param own what the scenario names
   */
  static List<DatasetFormat> fitting(DataRow row, Map<Holds, String> own) {
    List<DatasetFormat> fitting =
        ALL.stream()
            .filter(one -> one.fits(row) && one.besides(own).equals(one.columns))
            .toList();
    return fitting.isEmpty() ? List.of(COLUMNS) : fitting;
  }

  private boolean fits(DataRow row) {
    Predicate<String> there =
        mark -> mark.startsWith("-") ? !row.has(mark.substring(1)) : row.has(mark);
    return fits.stream().anyMatch(way -> way.stream().allMatch(there))
        && !(row.isCsv() && (has("strict") || has("dialogue")))
        && unknown(row).isEmpty();
  }

  /**
   * The same with columns that a scenario names, of which all must be there.
   *
   * @param changed its traits
   */
  DatasetFormat with(Map<Holds, String> own, String ownUnit, List<String> changed) {
    Map<Holds, List<String>> all = besides(own);
    own.forEach((what, column) -> all.put(what, List.of(column)));
    if (own.containsKey(Holds.PROMPT_TOKENS) && !own.containsKey(Holds.PROMPT)) {
      all.remove(Holds.PROMPT);
    }
    return new DatasetFormat(name, fits, ownUnit, all, List.copyOf(own.keySet()), changed);
  }

  /** Its columns without those that a scenario names for something else. */
  private Map<Holds, List<String>> besides(Map<Holds, String> own) {
    Map<Holds, List<String>> all = new EnumMap<>(columns);
    own.forEach(
        (taken, column) ->
            all.replaceAll(
                (what, names) ->
                    names.stream()
                        .filter(one -> what == taken || !one.equalsIgnoreCase(column))
                        .toList()));
    return all;
  }

  /** The same with other names of a column, which need not be there. */
  DatasetFormat with(Holds what, List<String> names) {
    Map<Holds, List<String>> all = new EnumMap<>(columns);
    all.put(what, names);
    return new DatasetFormat(name, fits, unit, all, named, traits);
  }

  boolean has(String trait) {
    return traits.contains(trait);
  }

  /** Tokens of the block that a hash id stands for; 0 where the format has none. */
  int blockTokens() {
    return traits.stream()
        .filter(one -> one.startsWith(BLOCKS))
        .mapToInt(one -> Integer.parseInt(one.substring(BLOCKS.length())))
        .findFirst()
        .orElse(0);
  }

  /** Names of the columns that may hold something; none where the format has no such column. */
  List<String> of(Holds what) {
    return columns.getOrDefault(what, List.of());
  }

  Optional<DataRow.Cell> find(Holds what, DataRow row) {
    Optional<DataRow.Cell> found = row.find(of(what));
    boolean isLength = what == Holds.PROMPT_TOKENS || what == Holds.OUTPUT_TOKENS;
    if (found.isEmpty() && isNeeded(what) && !(isLength && has("skip_zero"))) {
      throw missing(what, row, "");
    }
    return found;
  }

  /** Refuses a heading without the columns that are named. */
  void check(DataRow heading) {
    for (Holds what : Holds.values()) {
      if (isNeeded(what) && of(what).stream().noneMatch(heading::has)) {
        throw missing(what, heading, "");
      }
    }
  }

  private boolean isNeeded(Holds what) {
    return named.contains(what) || has("heading") && !of(what).isEmpty();
  }

  /**
   * The mistake that a row has no column that holds something.
   *
   * @param more what else helps; may be empty
   */
  ScenarioException missing(Holds what, DataRow row, String more) {
    List<String> names = of(what).isEmpty() ? COLUMNS.of(what) : of(what);
    String name = names.getFirst();
    if (row.isCsv() && !row.values().isEmpty() && row.values().size() < row.columns().size()) {
      return row.origin().error(
          "only " + row.values().size() + " columns",
          "write " + String.join(",", row.columns()) + more);
    }
    Optional<String> there = names.stream().filter(row::has).findFirst();
    if (there.isPresent()) {
      return row.origin().error(
          row.isCsv() ? there.get() + " is empty" : "\"" + there.get() + "\" is null",
          "fix or remove the row" + more);
    }
    if (row.isCsv() && row.columns().getFirst().matches("\\d.*")) {
      return row.origin().error(
          "the header row has no column " + name + ": the first line holds values",
          "write a header row with the columns' names above it" + more);
    }
    DatasetFormat other = fitting(row).getFirst();
    boolean isOther = named.isEmpty() && !List.of(this.name, COLUMNS.name).contains(other.name);
    List<String> free =
        row.columns().stream()
            .filter(one -> COLUMNS.mayHold(what, one))
            .toList();
    String remedy =
        free.stream()
            .filter(one -> COLUMNS.likeliest(one).isPresent())
            .findFirst()
            .or(() -> NearestKey.nearest(name, free))
            .map(it -> "did you mean " + it + "? Then write dataset." + what.key() + ": " + it)
            .orElse(
                named.contains(what)
                    ? "name one of these, or leave dataset." + what.key() + " out"
                    : free.isEmpty()
                        ? "add it"
                        : "name the one that holds it with dataset." + what.key() + ": NAME");
    return row.origin().error(
        (row.isCsv() ? "the header row has no column " + name : "\"" + name + "\" is missing")
            + "; there are " + row.shownColumns(),
        isOther ? "read the file with dataset.format: " + other.name : remedy + more);
  }

  /** A column that a strict format does not know; of several one that tells what it holds. */
  Optional<String> unknown(DataRow row) {
    List<String> unknown = new ArrayList<>(row.columns());
    columns.values().forEach(unknown::removeAll);
    return unknown.stream()
        .filter(one -> has("strict"))
        .max(Comparator.comparing(one -> COLUMNS.holder(one).isPresent()));
  }

  /** What a column of such a name holds. */
  Optional<Holds> holder(String column) {
    return Arrays.stream(Holds.values()).filter(what -> of(what).contains(column)).findFirst();
  }

  /** Whether no name comes nearer that holds something else; a prompt has a length. */
  private boolean mayHold(Holds what, String column) {
    return likeliest(column)
        .map(it -> it == what || it == Holds.PROMPT && what == Holds.PROMPT_TOKENS)
        .orElse(true);
  }

  private Optional<Holds> likeliest(String column) {
    return NearestKey.nearest(column, columns.values().stream().flatMap(List::stream).toList())
        .flatMap(this::holder);
  }

  private static List<DatasetFormat> table() {
    return TableLines.of(DatasetFormat.class, "data-formats.txt").stream()
        .map(DatasetFormat::row)
        .toList();
  }

  private static DatasetFormat row(String line) {
    String[] cells = line.split("\\|", -1);
    Map<Holds, List<String>> columns = new EnumMap<>(Holds.class);
    for (Holds what : Holds.values()) {
      columns.put(what, words(cells[2 + what.ordinal()], ","));
    }
    return new DatasetFormat(
        cells[0].strip(), words(cells[1], ";").stream().map(way -> words(way, ",")).toList(),
        cells[8].strip(), columns, List.of(), words(cells[9], " "));
  }

  private static List<String> words(String cell, String between) {
    return Arrays.stream(cell.split(between))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .toList();
  }
}
