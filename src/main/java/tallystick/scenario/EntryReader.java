package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tallystick.scenario.Dataset.Entry;
import tallystick.scenario.DatasetFormat.Holds;

/**
 * Reads a row of a data set: when it starts, what it asks, how long its answer is.
 *
 * @param blockTokens tokens of a hash id's block; 0 where there are none
 * @param needsOutput whether rows must say how long answers are
 */
record EntryReader(DatasetFormat format, RowTime times, int blockTokens, boolean needsOutput) {
  /** Refuses a heading that lacks what every row needs. */
  void check(DataRow heading) {
    format.check(heading);
    if (ways().stream().noneMatch(heading::has)) {
      throw noPrompt(heading);
    }
    if (needsOutput && format.of(Holds.OUTPUT_TOKENS).stream().noneMatch(heading::has)) {
      throw noOutput(heading);
    }
  }

  /**
   * The entry that a row is.
   *
   * @param isFirst whether none was read before: some row must have the session that is named
   * @throws RowMessages.LeftOut if it is none, though not by a mistake
   */
  Entry read(DataRow row, boolean isFirst) {
    checkForm(row);
    long at = format.find(Holds.TIME, row).map(times::nanos).orElse(Dataset.NO_TIME);
    String session =
        (isFirst ? format.find(Holds.SESSION, row) : row.find(format.of(Holds.SESSION)))
            .map(cell -> cell.value().asText())
            .orElse("");
    long pause = row.find(format.of(Holds.PAUSE)).map(times::pauseNanos).orElse(Dataset.NO_PAUSE);
    return new Entry(at, turns(row, pause), session, links(row));
  }

  /** What readers of recorded calls found out. */
  private List<Dataset.Link> links(DataRow row) {
    return row.find(List.of(RecordedCalls.AFTER)).stream()
        .filter(cell -> format.has("calls"))
        .map(
            cell ->
                new Dataset.Link(
                    row.values().get(RecordedCalls.AGENT).asInt(),
                    cell.value().valueStream().map(JsonNode::asInt).toList(),
                    row.values().get(RecordedCalls.TOOL).asBoolean(),
                    row.values().get(RecordedCalls.FORGETS).asBoolean()))
        .toList();
  }

  private List<Dataset.Turn> turns(DataRow row, long pauseNanos) {
    Optional<DataRow.Cell> prompt = format.find(Holds.PROMPT, row);
    if (prompt.isPresent() && isDialogue(prompt.get())) {
      List<Dataset.Turn> turns = RowMessages.ofDialogue(prompt.get());
      if (turns.isEmpty()) {
        throw new RowMessages.LeftOut("without an answered question");
      }
      return turns;
    }
    boolean mayLack = format.has("skip_zero");
    int outputTokens =
        format.find(Holds.OUTPUT_TOKENS, row).map(cell -> cell.tokens(mayLack)).orElse(0);
    // What else was called in the session counts on it that such a row is no request.
    if (outputTokens == 0 && (needsOutput || format.has("calls"))) {
      throw mayLack ? new RowMessages.LeftOut("without output tokens") : noOutput(row);
    }
    if (prompt.isPresent()) {
      return List.of(
          new Dataset.Text(RowMessages.ofRequest(prompt.get()), outputTokens, pauseNanos));
    }
    int promptTokens =
        format.find(Holds.PROMPT_TOKENS, row).orElseThrow(() -> noPrompt(row)).tokens(mayLack);
    if (promptTokens == 0) {
      throw new RowMessages.LeftOut("without prompt tokens");
    }
    return List.of(
        new Dataset.Tokens(promptTokens, blocks(row, promptTokens), outputTokens, pauseNanos));
  }

  private boolean isDialogue(DataRow.Cell prompt) {
    return format.has("dialogue") || format.has("any") && RowMessages.isDialogue(prompt.value());
  }

  private ScenarioException noOutput(DataRow row) {
    return format.missing(Holds.OUTPUT_TOKENS, row, ", or write output_tokens in the workload");
  }

  private ScenarioException noPrompt(DataRow row) {
    Holds what = format.of(Holds.PROMPT_TOKENS).isEmpty() ? Holds.PROMPT : Holds.PROMPT_TOKENS;
    return format.missing(what, row, "");
  }

  /** Of what looks alike, read as the other, a load is a thousand times off. */
  private void checkForm(DataRow row) {
    if (format.has("chat_id") && !row.has("chat_id")) {
      throw row.origin().error(
          "\"chat_id\" is missing, so this is not a Bailian trace (timestamps in seconds)",
          "write dataset.format: mooncake if the timestamps are milliseconds; otherwise name the"
              + " columns with dataset.format: columns");
    }
    if (format.has("no_chat_id") && row.has("chat_id")) {
      throw row.origin().error(
          "\"chat_id\" marks a Bailian trace (timestamps in seconds)",
          "write dataset.format: bailian");
    }
    if (row.surplus() > 0 && !format.has("heading")) {
      throw row.origin().error(
          "more cells than the header row has columns",
          "put double quotes around cells that hold commas");
    }
    if (format.has("strict")) {
      checkStrictly(row);
    }
  }

  private void checkStrictly(DataRow row) {
    Optional<String> unknown = format.unknown(row);
    if (unknown.isPresent()) {
      throw unknown(row, unknown.get());
    }
    long asked = ways().stream().filter(row::has).count();
    if (asked != 1) {
      throw row.origin().error(
          asked == 0 ? "the entry has no prompt" : "the entry has " + asked + " kinds of prompt",
          "write one of " + String.join(", ", ways()).replaceFirst(", ([^,]*)$", " and $1"));
    }
  }

  /** Columns that may hold what is asked. */
  private List<String> ways() {
    List<String> ways = new ArrayList<>(format.of(Holds.PROMPT));
    ways.addAll(format.of(Holds.PROMPT_TOKENS));
    return ways;
  }

  private ScenarioException unknown(DataRow row, String column) {
    List<String> known = format.columns().values().stream().flatMap(List::stream).toList();
    String elsewhere =
        "read the file with dataset.format: " + DatasetFormat.fitting(row).getFirst().name();
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
          "\"hash_ids\" must be a list, was " + ids, "fix or remove the entry");
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
            ids.size() + " hash_ids of " + blockTokens + " tokens cover more than the prompt's "
                + promptTokens,
            "set dataset.block_tokens to the trace's block size, or fix the entry");
      }
      if (left > 0) {
        blocks.add(new Dataset.Block(id.asLong(), Math.min(left, blockTokens)));
      }
      left -= blockTokens;
    }
    return blocks;
  }
}
