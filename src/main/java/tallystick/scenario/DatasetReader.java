package tallystick.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.scenario.RequestContent.FromDataset;
import tallystick.scenario.RequestContent.Order;
import tallystick.scenario.RequestContent.Outputs;

/** Reads a data set or trace that a class names. */
final class DatasetReader {
  /** Most entries that are taken of a file. */
  static final int MOST_ENTRIES = 5_000_000;

  /** Conversations taken of a ShareGPT file that says no limit: whole ones fill the memory. */
  static final int CONVERSATIONS = 10_000;

  private static final String EXAMPLE =
      "dataset: {format: mooncake, file: traces/mooncake-sample.jsonl}";
  private static final List<String> FORMATS =
      List.of("sharegpt", "mooncake", "bailian", "azure", "jsonl");
  private static final Map<String, Integer> BLOCK_TOKENS = Map.of("mooncake", 512, "bailian", 16);

  private final Folder folder;

  DatasetReader(Folder folder) {
    this.folder = folder;
  }

  FromDataset read(ScenarioValue value, Optional<Lengths> outputTokens) {
    if (!value.isMapping()) {
      throw value.wrong("a format and a file", EXAMPLE);
    }
    Section section =
        Section.of(value, List.of("format", "file", "order", "limit", "block_tokens"));
    ScenarioValue format = section.require("format", "format: jsonl");
    Path file = folder.file(section.require("file", "file: prompts.jsonl"), EXAMPLE);
    DataFile data = new DataFile(file, limit(section, format.text("format: jsonl")));
    List<Dataset.Entry> entries =
        entries(format, data, blockTokens(section, format), outputTokens.isEmpty());
    if (entries.isEmpty()) {
      throw SourceLocation.ofFile(file.toString()).error(
          "holds no usable entry", "check that it is a " + format.text("") + " file");
    }
    if (entries.size() == MOST_ENTRIES && !section.has("limit")) {
      throw SourceLocation.ofFile(file.toString()).error(
          "holds more than " + MOST_ENTRIES + " entries", "take the first with dataset.limit");
    }
    Outputs outputs =
        outputTokens.<Outputs>map(Outputs.Drawn::new).orElseGet(Outputs.AsWritten::new);
    return new FromDataset(
        new Dataset(file.toString(), inOrderOfTime(entries)), order(section), outputs);
  }

  private static int limit(Section section, String format) {
    int unsaid = format.equals("sharegpt") ? CONVERSATIONS : MOST_ENTRIES;
    return section.find("limit").map(v -> v.count(1, MOST_ENTRIES, "limit: 1000"))
        .orElse(unsaid);
  }

  private static int blockTokens(Section section, ScenarioValue format) {
    int usual = BLOCK_TOKENS.getOrDefault(format.text("format: jsonl"), 0);
    if (usual == 0) {
      section.refuse("block_tokens", "only a mooncake or bailian trace has blocks");
    }
    return section.find("block_tokens").map(v -> v.count(1, 65_536, "block_tokens: 512"))
        .orElse(usual);
  }

  private static List<Dataset.Entry> entries(
      ScenarioValue format, DataFile file, int blockTokens, boolean needsOutput) {
    String word = format.text("format: jsonl");
    return switch (word) {
      case "sharegpt" -> ShareGptFormat.read(file);
      case "mooncake", "bailian" ->
          MooncakeFormat.read(file, word.equals("bailian"), blockTokens);
      case "azure" -> AzureFormat.read(file);
      case "jsonl" -> JsonlFormat.read(file, needsOutput);
      default -> throw format.origin().error(
          "unknown format \"" + word + "\"", NearestKey.remedy(word, FORMATS));
    };
  }

  private static Order order(Section section) {
    Optional<ScenarioValue> value = section.find("order");
    String word = value.map(v -> v.text("order: file")).orElse("file");
    return switch (word) {
      case "file" -> Order.FILE;
      case "random" -> Order.RANDOM;
      default -> throw value.get().origin().error(
          "unknown order \"" + word + "\"", "write file or random");
    };
  }

  /** Entries by time with the first at 0, where every one has a time; else as they lie. */
  private static List<Dataset.Entry> inOrderOfTime(List<Dataset.Entry> entries) {
    if (entries.stream().anyMatch(entry -> entry.atNanos() == Dataset.NO_TIME)) {
      return entries;
    }
    List<Dataset.Entry> sorted = new ArrayList<>(entries);
    sorted.sort(Comparator.comparingLong(Dataset.Entry::atNanos));
    long first = sorted.get(0).atNanos();
    return sorted.stream()
        .map(entry -> new Dataset.Entry(entry.atNanos() - first, entry.turns()))
        .toList();
  }
}
