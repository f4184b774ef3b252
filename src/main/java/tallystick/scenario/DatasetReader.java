package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.scenario.DatasetFormat.Holds;
import tallystick.scenario.RequestContent.FromDataset;
import tallystick.scenario.RequestContent.Order;
import tallystick.scenario.RequestContent.Outputs;

/**
 * Reads a data set or trace that a class names: rows of columns, whatever they are called.
 *
 * <p>Equal hash ids are equal blocks behind equal blocks. Blocks at a prompt's end whose ids come
 * once in the file are shared with nobody; they are left out, so that their tokens are unique.
 */
final class DatasetReader {
  /** Dialogues taken of a file where no limit is said: whole files of them fill the memory. */
  static final int DIALOGUES = 10_000;

  private final Folder folder;
  private final Consumer<String> notes;

  /**
   * A reader of one scenario's data sets.
   *
   * @param notes takes what a file was taken for and what was left out of it, one line each
   */
  DatasetReader(Folder folder, Consumer<String> notes) {
    this.folder = folder;
    this.notes = notes;
  }

  FromDataset read(ScenarioValue value, Optional<Lengths> outputTokens) {
    Section section = Section.of(value);
    Path file = folder.file(section.get("file").like(value.example()));
    DataFile data = new DataFile(file);
    DatasetFormat preset =
        section.find("format").map(v -> DatasetFormat.of(v.word()))
            .orElseGet(() -> guessed(value.origin(), section, data));
    if (preset.blockTokens() == 0) {
      section.refuse("block_tokens", "only a mooncake, bailian or servegen trace has blocks");
    }
    int blocks = section.find("block_tokens").map(ScenarioValue::count)
        .orElse(preset.blockTokens());
    int limit = section.find("limit").map(ScenarioValue::count)
        .orElse(preset.has("dialogue") ? DIALOGUES : Dataset.MOST_ENTRIES);
    Reading reading =
        new Reading(format(preset, section), blocks, limit, outputTokens.isEmpty());
    read(data, preset, reading);
    Dataset dataset = reading.dataset(file.toString());
    if (reading.isCut() && !section.has("limit")) {
      if (limit == Dataset.MOST_ENTRIES) {
        throw SourceLocation.ofFile(file.toString()).error(
            "holds more than " + Dataset.MOST_ENTRIES + " entries",
            "take the first with dataset.limit");
      }
      notes.accept(
          String.format(
              Locale.ROOT, "%s: only the first %,d are taken; dataset.limit takes more", file,
              limit));
    }
    reading.remarks(file.toString()).forEach(notes);
    Outputs outputs =
        outputTokens.<Outputs>map(Outputs.Drawn::new).orElseGet(Outputs.AsWritten::new);
    return new FromDataset(
        dataset, Order.valueOf(section.get("order").word().toUpperCase(Locale.ROOT)), outputs);
  }

  private static void read(DataFile data, DatasetFormat preset, Reading reading) {
    if (preset.has("spans")) {
      AgentSpans spans = new AgentSpans(reading);
      data.read(spans);
      spans.end();
    } else {
      data.read(reading);
    }
  }

  private DatasetFormat guessed(SourceLocation origin, Section section, DataFile data) {
    Optional<DataRow> first = data.first();
    if (first.isEmpty()) {
      return DatasetFormat.COLUMNS;
    }
    List<DatasetFormat> fitting = DatasetFormat.fitting(first.get());
    String found = found(fitting.getFirst(), section, first.get());
    String others =
        fitting.stream().skip(1).map(DatasetFormat::name).collect(Collectors.joining(", "));
    notes.accept(
        origin + ": " + section.get("file").text() + " is read as format: "
            + fitting.getFirst().name() + found
            + (others.isEmpty() ? "" : "; " + others + " fits too: write format: to choose"));
    return fitting.getFirst();
  }

  /** Which columns the format of any columns takes for what. */
  private static String found(DatasetFormat preset, Section section, DataRow row) {
    DatasetFormat format = format(preset, section);
    String found =
        Stream.of(Holds.values())
            .flatMap(what -> format.of(what).stream().filter(row::has).limit(1)
                .map(column -> what.key() + ": " + column))
            .collect(Collectors.joining(", "));
    return format.has("any") && !found.isEmpty() ? " with " + found : "";
  }

  /** A preset with what the section names instead. */
  private static DatasetFormat format(DatasetFormat preset, Section section) {
    Map<Holds, String> own = new EnumMap<>(Holds.class);
    for (Holds what : Holds.values()) {
      section.find(what.key()).ifPresent(value -> own.put(what, value.text()));
    }
    List<String> traits = new ArrayList<>(preset.traits());
    traits.removeIf(one -> one.equals("strict") && !own.isEmpty());
    traits.removeIf(one -> one.equals("skip_zero") && section.has("skip_zero"));
    section.find("skip_zero").filter(ScenarioValue::flag).ifPresent(v -> traits.add("skip_zero"));
    return preset.with(
        own, section.find("unit").map(ScenarioValue::word).orElse(preset.unit()), traits);
  }

  /** What has been read of one file. */
  private static final class Reading implements DataFile.Rows {
    private final DatasetFormat format;
    private final int blockTokens;
    private final int limit;
    private final boolean needsOutput;
    private final RowTime times;
    private final List<Dataset.Entry> entries = new ArrayList<>();
    private final Map<String, Integer> leftOut = new TreeMap<>();
    private int backwards;

    Reading(DatasetFormat format, int blockTokens, int limit, boolean needsOutput) {
      this.format = format;
      this.blockTokens = blockTokens;
      this.limit = limit;
      this.needsOutput = needsOutput;
      this.times = new RowTime(format);
    }

    boolean isCut() {
      return entries.size() == limit;
    }

    @Override
    public void heading(DataRow columns) {
      format.check(columns);
      if (ways().stream().noneMatch(columns::has)) {
        throw noPrompt(columns);
      }
      if (needsOutput && format.of(Holds.OUTPUT_TOKENS).stream().noneMatch(columns::has)) {
        throw noOutput(columns);
      }
    }

    @Override
    public boolean take(DataRow row) {
      try {
        Optional<Dataset.Entry> entry = entry(row);
        boolean isBack =
            entry.isPresent() && !entries.isEmpty() && entry.get().atNanos() != Dataset.NO_TIME
                && entry.get().atNanos() < entries.getLast().atNanos();
        backwards += isBack ? 1 : 0;
        entry.ifPresent(entries::add);
      } catch (RowMessages.NotText e) {
        leftOut.merge(e.getMessage(), 1, Integer::sum);
      }
      return !isCut();
    }

    private Optional<Dataset.Entry> entry(DataRow row) {
      check(row);
      long at = format.find(Holds.TIME, row).map(times::nanos).orElse(Dataset.NO_TIME);
      String session = session(row);
      long pause =
          row.find(format.of(Holds.PAUSE)).map(times::pauseNanos).orElse(Dataset.NO_PAUSE);
      Optional<DataRow.Cell> prompt = format.find(Holds.PROMPT, row);
      if (prompt.isPresent() && isDialogue(prompt.get())) {
        List<Dataset.Turn> turns = RowMessages.ofDialogue(prompt.get());
        if (turns.isEmpty()) {
          return leaveOut("without an answered question");
        }
        return Optional.of(new Dataset.Entry(at, turns, session));
      }
      boolean mayLack = format.has("skip_zero");
      Optional<DataRow.Cell> output = format.find(Holds.OUTPUT_TOKENS, row);
      int outputTokens = output.map(cell -> cell.tokens(mayLack)).orElse(0);
      if (outputTokens == 0 && needsOutput) {
        if (mayLack) {
          return leaveOut("without output tokens");
        }
        throw noOutput(row);
      }
      if (prompt.isPresent()) {
        return Optional.of(
            new Dataset.Entry(
                at,
                List.of(
                    new Dataset.Text(RowMessages.ofRequest(prompt.get()), outputTokens, pause)),
                session));
      }
      int promptTokens =
          format.find(Holds.PROMPT_TOKENS, row)
              .orElseThrow(() -> noPrompt(row))
              .tokens(mayLack);
      if (promptTokens == 0) {
        return leaveOut("without prompt tokens");
      }
      return Optional.of(
          new Dataset.Entry(
              at,
              List.of(
                  new Dataset.Tokens(
                      promptTokens, blocks(row, promptTokens), outputTokens, pause)),
              session));
    }

    /** A row without one is a session of its own, but not every row of a file. */
    private String session(DataRow row) {
      return (entries.isEmpty()
              ? format.find(Holds.SESSION, row)
              : row.find(format.of(Holds.SESSION)))
          .map(cell -> cell.value().asText())
          .orElse("");
    }

    private boolean isDialogue(DataRow.Cell prompt) {
      return format.has("dialogue")
          || format.has("any") && RowMessages.isDialogue(prompt.value());
    }

    private Optional<Dataset.Entry> leaveOut(String reason) {
      leftOut.merge(reason, 1, Integer::sum);
      return Optional.empty();
    }

    private ScenarioException noOutput(DataRow row) {
      return format.missing(
          Holds.OUTPUT_TOKENS, row, ", or write output_tokens in the workload");
    }

    private ScenarioException noPrompt(DataRow row) {
      Holds what = format.of(Holds.PROMPT_TOKENS).isEmpty() ? Holds.PROMPT : Holds.PROMPT_TOKENS;
      return format.missing(what, row, "");
    }

    /** Of what looks alike, read as the other, a load is a thousand times off. */
    private void check(DataRow row) {
      if (format.has("chat_id") && !row.has("chat_id")) {
        throw row.origin().error(
            "no \"chat_id\": it is no Bailian trace, whose timestamps are seconds",
            "write dataset.format: mooncake if the timestamps are milliseconds; else name the"
                + " columns with dataset.format: columns");
      }
      if (format.has("no_chat_id") && row.has("chat_id")) {
        throw row.origin().error(
            "\"chat_id\" is of a Bailian trace, whose timestamps are seconds",
            "write dataset.format: bailian");
      }
      if (row.surplus() > 0 && !format.has("heading")) {
        throw row.origin().error(
            "more cells than the heading has columns",
            "put a cell that holds commas into double quotes");
      }
      if (format.has("strict")) {
        checkStrictly(row);
      }
    }

    private void checkStrictly(DataRow row) {
      format.unknown(row).ifPresent(
          column -> {
            throw unknown(row, column);
          });
      long asked = ways().stream().filter(row::has).count();
      if (asked != 1) {
        throw row.origin().error(
            asked == 0 ? "the entry asks nothing" : "the entry asks in " + asked + " ways",
            "write one of "
                + String.join(", ", ways()).replaceFirst(", ([^,]*)$", " and $1"));
      }
    }

    /** Columns that may hold what is asked. */
    private List<String> ways() {
      List<String> ways = new ArrayList<>(format.of(Holds.PROMPT));
      ways.addAll(format.of(Holds.PROMPT_TOKENS));
      return ways;
    }

    private ScenarioException unknown(DataRow row, String column) {
      List<String> known = new ArrayList<>();
      format.columns().values().forEach(known::addAll);
      DatasetFormat other = DatasetFormat.fitting(row).getFirst();
      String elsewhere = "read the file with dataset.format: " + other.name();
      String remedy =
          DatasetFormat.COLUMNS.holder(column)
              .map(what -> "write " + String.join(" or ", format.of(what)) + ", or " + elsewhere)
              .or(() -> NearestKey.nearest(column, known).map(it -> "did you mean \"" + it + "\"?"))
              .orElse(elsewhere);
      return row.origin().error("unknown key \"" + column + "\"", remedy);
    }

    private List<Dataset.Block> blocks(DataRow row, int promptTokens) {
      Optional<DataRow.Cell> cell = row.find(List.of("hash_ids"));
      if (cell.isEmpty() || blockTokens == 0) {
        return List.of();
      }
      JsonNode ids = cell.get().value();
      if (!ids.isArray()) {
        throw row.origin().error(
            "\"hash_ids\" must be a list, was " + ids, "mend or remove the entry");
      }
      List<Dataset.Block> blocks = new ArrayList<>();
      int left = promptTokens;
      // A trace may count one more block where the length is a whole number of blocks.
      int counted = promptTokens % blockTokens == 0 ? promptTokens / blockTokens + 1 : 0;
      for (JsonNode id : ids) {
        if (!id.canConvertToLong() || !id.isIntegralNumber()) {
          throw row.origin().error("\"hash_ids\" holds " + id, "write whole numbers only");
        }
        if (left <= 0 && ids.size() != counted) {
          throw row.origin().error(
              ids.size() + " hash_ids of " + blockTokens + " tokens are more than input_length "
                  + promptTokens,
              "set dataset.block_tokens to the trace's block, or mend the entry");
        }
        if (left > 0) {
          blocks.add(new Dataset.Block(id.asLong(), Math.min(left, blockTokens)));
        }
        left -= blockTokens;
      }
      return blocks;
    }

    Dataset dataset(String file) {
      if (entries.isEmpty()) {
        throw SourceLocation.ofFile(file).error(
            "holds no usable entry" + (leftOut.isEmpty() ? "" : ": " + leftOutWords()),
            leftOut.isEmpty()
                ? "write rows into it, or name another file"
                : "check that it is a " + format.name() + " file");
      }
      return new Dataset(
          file, format.name(), inOrderOfTime(sessions(withoutUnsharedTails(entries))), leftOut);
    }

    private String leftOutWords() {
      return leftOut.entrySet().stream()
          .map(e -> String.format(Locale.ROOT, "%,d %s", e.getValue(), e.getKey()))
          .collect(Collectors.joining(", "));
    }

    List<String> remarks(String file) {
      List<String> remarks = new ArrayList<>();
      int left = leftOut.values().stream().mapToInt(Integer::intValue).sum();
      if (left > 0) {
        remarks.add(
            String.format(
                Locale.ROOT, "%s: %,d of %,d rows are left out: %s", file, left,
                left + entries.size(), leftOutWords()));
      }
      if (backwards > 0) {
        remarks.add(
            String.format(
                Locale.ROOT, "%s: the time goes back at %,d of %,d rows; they are put in its order",
                file, backwards, entries.size()));
      }
      return remarks;
    }

    private static List<Dataset.Entry> withoutUnsharedTails(List<Dataset.Entry> entries) {
      Map<Long, Integer> uses = new HashMap<>();
      for (Dataset.Entry entry : entries) {
        if (entry.turns().getFirst() instanceof Dataset.Tokens tokens) {
          tokens.blocks().forEach(block -> uses.merge(block.id(), 1, Integer::sum));
        }
      }
      return uses.isEmpty()
          ? entries
          : entries.stream().map(entry -> withoutUnsharedTail(entry, uses)).toList();
    }

    private static Dataset.Entry withoutUnsharedTail(
        Dataset.Entry entry, Map<Long, Integer> uses) {
      if (!(entry.turns().getFirst() instanceof Dataset.Tokens tokens)) {
        return entry;
      }
      int kept = tokens.blocks().size();
      while (kept > 0 && uses.get(tokens.blocks().get(kept - 1).id()) == 1) {
        kept--;
      }
      return new Dataset.Entry(
          entry.atNanos(),
          List.of(
              new Dataset.Tokens(
                  tokens.promptTokens(), tokens.blocks().subList(0, kept), tokens.outputTokens(),
                  tokens.pauseNanos())),
          entry.session());
    }

    /** Rows of one session as the turns of one entry, in the order of their times. */
    private List<Dataset.Entry> sessions(List<Dataset.Entry> rows) {
      if (rows.stream().allMatch(row -> row.session().isEmpty())) {
        return rows;
      }
      Map<String, List<Dataset.Entry>> sessions = new LinkedHashMap<>();
      for (Dataset.Entry row : rows) {
        String name = row.session().isEmpty() ? "\n" + sessions.size() : row.session();
        sessions.computeIfAbsent(name, key -> new ArrayList<>()).add(row);
      }
      return sessions.values().stream().map(this::session).toList();
    }

    private Dataset.Entry session(List<Dataset.Entry> rows) {
      // Later turns may have a pause in place of a time.
      if (rows.stream().allMatch(row -> row.atNanos() != Dataset.NO_TIME)) {
        rows.sort(Comparator.comparingLong(Dataset.Entry::atNanos));
      }
      List<Dataset.Turn> turns = new ArrayList<>();
      long history = 0;
      for (Dataset.Entry row : rows) {
        for (Dataset.Turn turn : row.turns()) {
          // Where a pause marks what is added to a session, no row holds what came before.
          boolean isAdded = format.has("added") && turn.pauseNanos() != Dataset.NO_PAUSE;
          turns.add(turns.isEmpty() ? turn : turn.behind(isAdded ? 0 : history));
          history = turn instanceof Dataset.Tokens tokens
              ? tokens.promptTokens() + tokens.outputTokens() : 0;
        }
      }
      return new Dataset.Entry(rows.getFirst().atNanos(), turns, rows.getFirst().session());
    }

    /** Entries by time with the first at 0, where every one has a time; else as they lie. */
    private static List<Dataset.Entry> inOrderOfTime(List<Dataset.Entry> entries) {
      if (entries.stream().anyMatch(entry -> entry.atNanos() == Dataset.NO_TIME)) {
        return entries;
      }
      List<Dataset.Entry> sorted = new ArrayList<>(entries);
      sorted.sort(Comparator.comparingLong(Dataset.Entry::atNanos));
      long first = sorted.getFirst().atNanos();
      return sorted.stream()
          .map(entry -> new Dataset.Entry(entry.atNanos() - first, entry.turns(), entry.session()))
          .toList();
    }
  }
}
