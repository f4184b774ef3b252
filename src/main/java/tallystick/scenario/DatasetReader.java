package tallystick.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tallystick.scenario.RequestContent.FromDataset;
import tallystick.scenario.RequestContent.Order;
import tallystick.scenario.RequestContent.Outputs;

/**
 * Reads a data set or trace that a class names: rows of columns, whatever they are called.
 *
 * @param folder where relative file names begin
 * @param notes takes what a file was taken for and what was left out of it, one line each
 */
record DatasetReader(Folder folder, Consumer<String> notes) {
  /** Dialogues taken of a file where no limit is said: whole files of them fill the memory. */
  static final int DIALOGUES = 10_000;

  FromDataset read(ScenarioValue value, Optional<Lengths> outputTokens) {
    Section section = Section.of(value);
    Path file = folder.file(section.get("file").like(value.example()));
    DataFile data = new DataFile(file);
    DatasetFormat format = FormatGuess.of(section, value.origin(), data, notes);
    if (format.blockTokens() == 0) {
      section.refuse(
          "block_tokens", "only mooncake, bailian, servegen and weka traces have blocks");
    }
    int blocks =
        section.find("block_tokens").map(ScenarioValue::count).orElse(format.blockTokens());
    int limit =
        section.find("limit").map(ScenarioValue::count)
            .orElse(format.has("dialogue") ? DIALOGUES : Dataset.MOST_ENTRIES);
    EntryReader reader =
        new EntryReader(format, new RowTime(format), blocks, outputTokens.isEmpty());
    Reading reading = new Reading(file.toString(), limit, section.has("limit"), reader);
    DataFile.Rows rows =
        format.has("spans") ? new AgentSpans(reading)
            : format.has("rounds") ? new AgentRounds(reading)
                : format.has("sessions") ? new WekaSessions(reading, blocks) : reading;
    data.read(rows);
    rows.end();
    reading.remarks(section).forEach(notes);
    List<Dataset.Entry> entries = EntryOrder.of(reading.entries, format);
    long branching =
        entries.stream()
            .filter(entry -> entry.links().stream().anyMatch(link -> link.agent() > 0))
            .count();
    if (branching > 0) {
      notes.accept(
          reading.said(
              "%,d of %,d sessions have sub-agents or calls at the same time", branching,
              entries.size()));
    }
    return new FromDataset(
        new Dataset(file.toString(), format.name(), entries, reading.leftOut),
        Order.valueOf(section.get("order").word().toUpperCase(Locale.ROOT)),
        outputTokens.<Outputs>map(Outputs.Drawn::new).orElseGet(Outputs.AsWritten::new));
  }

  /** What has been read of one file. */
  private static final class Reading implements DataFile.Rows {
    private final String file;
    private final int limit;
    private final boolean isLimitAsked;
    private final EntryReader reader;
    private final List<Dataset.Entry> entries = new ArrayList<>();
    private final Map<String, Integer> leftOut = new TreeMap<>();
    private int backwards;
    private boolean isCut;

    Reading(String file, int limit, boolean isLimitAsked, EntryReader reader) {
      this.file = file;
      this.limit = limit;
      this.isLimitAsked = isLimitAsked;
      this.reader = reader;
    }

    @Override
    public boolean take(DataRow row) {
      if (row.isHeading()) {
        reader.check(row);
        return true;
      }
      if (entries.size() == limit) {
        isCut = true;
        return false;
      }
      try {
        Dataset.Entry entry = reader.read(row, entries.isEmpty());
        boolean isTimed = entry.atNanos() != Dataset.NO_TIME;
        if (isTimed && !entries.isEmpty() && entry.atNanos() < entries.getLast().atNanos()) {
          backwards++;
        }
        entries.add(entry);
      } catch (RowMessages.LeftOut e) {
        leaveOut(e);
      }
      // Whether more would come is only asked where nobody wants to end here.
      return entries.size() < limit || !isLimitAsked;
    }

    @Override
    public void leaveOut(RowMessages.LeftOut why) {
      leftOut.merge(why.getMessage(), 1, Integer::sum);
    }

    /** What a user should know of it, one line each. */
    List<String> remarks(Section section) {
      String left =
          leftOut.entrySet().stream()
              .map(e -> Formatted.of("%,d %s", e.getValue(), e.getKey()))
              .collect(Collectors.joining(", "));
      if (entries.isEmpty()) {
        throw SourceLocation.ofFile(file).error(
            "holds no usable entry" + (left.isEmpty() ? "" : ": " + left),
            left.isEmpty()
                ? "write rows into it, or name another file"
                : "check that its format is " + reader.format().name());
      }
      List<String> remarks = new ArrayList<>();
      if (isCut) {
        if (limit == Dataset.MOST_ENTRIES) {
          throw SourceLocation.ofFile(file).error(
              "holds more than " + Dataset.MOST_ENTRIES + " entries",
              "read only the first ones with dataset.limit");
        }
        remarks.add(said("only the first %,d entries are read; dataset.limit reads more", limit));
      }
      if (!left.isEmpty()) {
        int count = leftOut.values().stream().mapToInt(Integer::intValue).sum();
        remarks.add(
            said("%,d of %,d rows are left out: %s", count, count + entries.size(), left));
      }
      if (backwards > 0) {
        remarks.add(
            said(
                "times go backwards at %,d of %,d rows; rows were sorted by time", backwards,
                entries.size()));
      }
      if (!section.has("unit")) {
        reader.times().doubt(entries.size()).map(this::said).ifPresent(remarks::add);
      }
      return remarks;
    }

    private String said(String form, Object... values) {
      return file + ": " + Formatted.of(form, values);
    }
  }
}
