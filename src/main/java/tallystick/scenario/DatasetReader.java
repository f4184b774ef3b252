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
  /** Conversations taken of a ShareGPT file that says no limit: whole ones fill the memory. */
  static final int CONVERSATIONS = 10_000;

  private static final Map<String, Integer> BLOCK_TOKENS = Map.of("mooncake", 512, "bailian", 16);

  private final Folder folder;

  DatasetReader(Folder folder) {
    this.folder = folder;
  }

  FromDataset read(ScenarioValue value, Optional<Lengths> outputTokens) {
    Section section = Section.of(value);
    Path file = folder.file(section.get("file").like(value.example()));
    ScenarioValue named = section.get("format");
    DataFile data = new DataFile(file, limit(section, named.text()));
    int blockTokens = blockTokens(section, named.text());
    String format = named.word();
    List<Dataset.Entry> entries = entries(format, data, blockTokens, outputTokens.isEmpty());
    if (entries.isEmpty()) {
      throw SourceLocation.ofFile(file.toString()).error(
          "holds no usable entry", "check that it is a " + format + " file");
    }
    if (entries.size() == Dataset.MOST_ENTRIES && !section.has("limit")) {
      throw SourceLocation.ofFile(file.toString()).error(
          "holds more than " + Dataset.MOST_ENTRIES + " entries",
          "take the first with dataset.limit");
    }
    Outputs outputs =
        outputTokens.<Outputs>map(Outputs.Drawn::new).orElseGet(Outputs.AsWritten::new);
    return new FromDataset(
        new Dataset(file.toString(), inOrderOfTime(entries)), order(section), outputs);
  }

  private static int limit(Section section, String format) {
    int unsaid = format.equals("sharegpt") ? CONVERSATIONS : Dataset.MOST_ENTRIES;
    return section.find("limit").map(ScenarioValue::count).orElse(unsaid);
  }

  private static int blockTokens(Section section, String format) {
    int usual = BLOCK_TOKENS.getOrDefault(format, 0);
    if (usual == 0) {
      section.refuse("block_tokens", "only a mooncake or bailian trace has blocks");
    }
    return section.find("block_tokens").map(ScenarioValue::count).orElse(usual);
  }

  private static List<Dataset.Entry> entries(
      String format, DataFile file, int blockTokens, boolean needsOutput) {
    return switch (format) {
      case "sharegpt" -> ShareGptFormat.read(file);
      case "mooncake", "bailian" ->
          MooncakeFormat.read(file, format.equals("bailian"), blockTokens);
      case "azure" -> AzureFormat.read(file);
      default -> JsonlFormat.read(file, needsOutput);
    };
  }

  private static Order order(Section section) {
    ScenarioValue order = section.get("order");
    return switch (order.text()) {
      case "file" -> Order.FILE;
      case "random" -> Order.RANDOM;
      default -> throw order.origin().error(
          "unknown order \"" + order.text() + "\"", "write file or random");
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
