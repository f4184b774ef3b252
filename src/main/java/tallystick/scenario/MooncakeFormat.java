package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Traces of one JSON object a line with {@code timestamp}, {@code input_length}, {@code
 * output_length} and {@code hash_ids}, one id for each block of the prompt. Mooncake's count
 * milliseconds, Bailian's seconds; only Bailian's tell a {@code chat_id}.
 *
 * <p>Equal ids are equal blocks behind equal blocks. Blocks at a prompt's end whose ids come once
 * in the file are shared with nobody; they are left out, so that their tokens are unique.
 */
final class MooncakeFormat {
  private final boolean isBailian;
  private final int blockTokens;

  private MooncakeFormat(boolean isBailian, int blockTokens) {
    this.isBailian = isBailian;
    this.blockTokens = blockTokens;
  }

  static List<Dataset.Entry> read(DataFile file, boolean isBailian, int blockTokens) {
    MooncakeFormat format = new MooncakeFormat(isBailian, blockTokens);
    List<Dataset.Entry> entries =
        file.jsonLines((object, origin) -> Optional.of(format.entry(object, origin)));
    Map<Long, Integer> uses = new HashMap<>();
    for (Dataset.Entry entry : entries) {
      tokens(entry).blocks().forEach(block -> uses.merge(block.id(), 1, Integer::sum));
    }
    return entries.stream().map(entry -> withoutUnsharedTail(entry, uses)).toList();
  }

  private Dataset.Entry entry(JsonNode object, SourceLocation origin) {
    checkUnit(object, origin);
    int promptTokens = DataFile.count(object, "input_length", 1, origin);
    int outputTokens = DataFile.count(object, "output_length", 1, origin);
    JsonNode time = object.path("timestamp");
    long at =
        time.isMissingNode()
            ? Dataset.NO_TIME
            : DataFile.nanos(time, isBailian ? 1e9 : 1e6, "timestamp", origin);
    List<Dataset.Block> blocks = blocks(object, promptTokens, origin);
    return new Dataset.Entry(
        at, List.of(new Dataset.Tokens(promptTokens, blocks, outputTokens)));
  }

  /** The two formats look alike: read as the other, a load is a thousand times off. */
  private void checkUnit(JsonNode object, SourceLocation origin) {
    if (isBailian != object.has("chat_id")) {
      throw origin.error(
          isBailian
              ? "no \"chat_id\": it is no Bailian trace, whose timestamps are seconds"
              : "\"chat_id\" is of a Bailian trace, whose timestamps are seconds",
          isBailian
              ? "write dataset.format: mooncake if the timestamps are milliseconds; else write"
                  + " the times in seconds as \"at\" of dataset.format: jsonl"
              : "write dataset.format: bailian");
    }
    double time = object.path("timestamp").asDouble();
    if (!isBailian && time != Math.rint(time)) {
      throw origin.error(
          "\"timestamp\" " + object.path("timestamp") + " has a fraction: mooncake counts whole"
              + " milliseconds",
          "multiply the timestamps by 1000 if they are seconds; else round them");
    }
  }

  private List<Dataset.Block> blocks(
      JsonNode object, int promptTokens, SourceLocation origin) {
    JsonNode ids = object.path("hash_ids");
    if (!ids.isMissingNode() && !ids.isArray()) {
      throw origin.error("\"hash_ids\" must be a list, was " + ids, "mend or remove the entry");
    }
    List<Dataset.Block> blocks = new ArrayList<>();
    int left = promptTokens;
    // A trace may count one more block where the length is a whole number of blocks.
    int counted = promptTokens % blockTokens == 0 ? promptTokens / blockTokens + 1 : 0;
    for (JsonNode id : ids) {
      if (!id.canConvertToLong() || !id.isIntegralNumber()) {
        throw origin.error("\"hash_ids\" holds " + id, "write whole numbers only");
      }
      if (left <= 0 && ids.size() != counted) {
        throw origin.error(
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

  private static Dataset.Entry withoutUnsharedTail(Dataset.Entry entry, Map<Long, Integer> uses) {
    Dataset.Tokens tokens = tokens(entry);
    int kept = tokens.blocks().size();
    while (kept > 0 && uses.get(tokens.blocks().get(kept - 1).id()) == 1) {
      kept--;
    }
    Dataset.Tokens shorter =
        new Dataset.Tokens(
            tokens.promptTokens(), tokens.blocks().subList(0, kept), tokens.outputTokens());
    return new Dataset.Entry(entry.atNanos(), List.of(shorter));
  }

  private static Dataset.Tokens tokens(Dataset.Entry entry) {
    return (Dataset.Tokens) entry.turns().get(0);
  }
}
