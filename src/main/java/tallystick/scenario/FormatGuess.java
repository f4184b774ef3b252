package tallystick.scenario;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tallystick.scenario.DatasetFormat.Holds;

/**
 * Which columns of a data set hold what: as the scenario says, else as the first row tells.
 *
 * @param section the scenario's keys of the data set
 */
record FormatGuess(Section section, DatasetFormat format, DataRow row) {
  /**
   * The format of a file.
   *
   * @param origin where the scenario's keys are written
   * @param notes takes what the file was taken for
   */
  static DatasetFormat of(
      Section section, SourceLocation origin, DataFile data, Consumer<String> notes) {
    Optional<DataRow> row = data.first();
    Optional<DatasetFormat> written =
        section.find("format").map(v -> DatasetFormat.of(v.word()));
    Map<Holds, String> own = own(section);
    List<DatasetFormat> fitting =
        written.map(List::of)
            .or(() -> row.map(one -> DatasetFormat.fitting(one, own)))
            .orElse(List.of(DatasetFormat.COLUMNS));
    DatasetFormat preset = fitting.getFirst();
    if (row.isEmpty()) {
      return format(preset, section);
    }
    DatasetFormat timed = written.isPresent() ? preset : timed(preset, row.get());
    FormatGuess guess = new FormatGuess(section, format(timed, section), row.get());
    String rivals = guess.rivals();
    if (written.isEmpty() || preset.has("any") && !rivals.isEmpty()) {
      boolean isUsual = preset.has("any") || timed != preset || !rivals.isEmpty();
      String others =
          fitting.stream().skip(1).map(DatasetFormat::name).collect(Collectors.joining(", "));
      notes.accept(
          origin + ": " + section.get("file").text() + " is read as format: " + preset.name()
              + (isUsual ? guess.found() : "")
              + (others.isEmpty() ? "" : "; " + others + " fits too: write format: to choose")
              + rivals);
    }
    return guess.format;
  }

  /** What only tells prompts and answers may have a usual column of times beside them. */
  private static DatasetFormat timed(DatasetFormat preset, DataRow row) {
    List<String> usual = DatasetFormat.COLUMNS.of(Holds.TIME);
    boolean isThere =
        row.isCsv()
            ? usual.stream().anyMatch(row::has)
            : row.find(usual).filter(RowTime::isTime).isPresent();
    return isThere && preset.of(Holds.TIME).isEmpty() ? preset.with(Holds.TIME, usual) : preset;
  }

  /** Columns that the scenario names. */
  private static Map<Holds, String> own(Section section) {
    Map<Holds, String> own = new EnumMap<>(Holds.class);
    for (Holds what : Holds.values()) {
      section.find(what.key()).ifPresent(value -> own.put(what, value.text()));
    }
    return own;
  }

  /** A preset with what the scenario names instead. */
  private static DatasetFormat format(DatasetFormat preset, Section section) {
    Map<Holds, String> own = own(section);
    List<String> traits = new ArrayList<>(preset.traits());
    traits.removeIf(one -> one.equals("strict") && !own.isEmpty());
    traits.removeIf(one -> one.equals("skip_zero") && section.has("skip_zero"));
    section.find("skip_zero").filter(ScenarioValue::flag).ifPresent(v -> traits.add("skip_zero"));
    String unit = section.find("unit").map(ScenarioValue::word).orElse(preset.unit());
    return preset.with(own, unit, traits);
  }

  /** What is taken for what. */
  private String found() {
    List<String> found = new ArrayList<>();
    for (Holds what : Holds.values()) {
      if (!isBesideText(what)) {
        there(what).stream().limit(1).forEach(column -> found.add(what.key() + ": " + column));
      }
    }
    return found.isEmpty() ? "" : " with " + String.join(", ", found);
  }

  /** Columns that could have been taken, and what to write to take them. */
  private String rivals() {
    StringBuilder rivals = new StringBuilder();
    for (Holds what : Holds.values()) {
      there(what).stream()
          .skip(isBesideText(what) ? 0 : 1)
          .map(column -> "; " + column + " fits too: write dataset." + what.key() + ": " + column)
          .forEach(rivals::append);
    }
    return rivals.toString();
  }

  private List<String> there(Holds what) {
    boolean isUnused = isBesideText(what) && !section.has(Holds.PROMPT.key());
    return (isUnused ? DatasetFormat.COLUMNS : format).of(what).stream().filter(row::has).toList();
  }

  /** A text has a length of its own. */
  private boolean isBesideText(Holds what) {
    return what == Holds.PROMPT_TOKENS && format.of(Holds.PROMPT).stream().anyMatch(row::has);
  }
}
