package tallystick.runrecord;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Which metric names mean which concept, over versions and spellings.
 *
 * <p>A counter is known with and without {@code _total}, a histogram by its family name and by the
 * names of its parts, and every {@code vllm:} name also as {@code vllm_}, which is what a
 * Prometheus stores when the exporter escaped the colon. A {@code _created} sample means no
 * concept: it is a time, not a measurement.
 */
public final class MetricVocabulary {
  private static final String RESOURCE = "metric-names.txt";
  private static final MetricVocabulary STANDARD = read();

  private final Map<String, Entry> bySampleName;
  private final Map<MetricConcept, List<Entry>> byConcept;

  /**
   * One name of one concept.
   *
   * @param concept what it means
   * @param type type of the family
   * @param family family name with {@code vllm:} and without {@code _total}
   * @param life which releases expose it
   * @param note what a reader should know; may be empty
   */
  public record Entry(
      MetricConcept concept,
      Series.Type type,
      String family,
      MetricLife life,
      String note) {
    /** Whether it is gone from current releases. */
    public boolean removed() {
      return life.isOver();
    }
  }

  private MetricVocabulary(List<Entry> entries) {
    Map<String, Entry> names = new HashMap<>();
    Map<MetricConcept, List<Entry>> concepts = new EnumMap<>(MetricConcept.class);
    for (Entry entry : entries) {
      concepts.computeIfAbsent(entry.concept(), any -> new ArrayList<>()).add(entry);
      for (String name : sampleNames(entry)) {
        names.put(name, entry);
        names.put(name.replace("vllm:", "vllm_"), entry);
      }
    }
    concepts.replaceAll((concept, list) -> List.copyOf(list));
    bySampleName = Map.copyOf(names);
    byConcept = Map.copyOf(concepts);
  }

  /** The vocabulary that comes with the harness. */
  public static MetricVocabulary standard() {
    return STANDARD;
  }

  /** What a sample or family name means; empty for a name nobody has explained. */
  public Optional<MetricConcept> conceptOf(String sampleOrFamilyName) {
    return entryOf(sampleOrFamilyName).map(Entry::concept);
  }

  /** The vocabulary's line about a sample or family name. */
  public Optional<Entry> entryOf(String sampleOrFamilyName) {
    return Optional.ofNullable(bySampleName.get(sampleOrFamilyName));
  }

  /** The names of a concept, the current one first. */
  public List<Entry> namesOf(MetricConcept concept) {
    return byConcept.getOrDefault(concept, List.of());
  }

  private static List<String> sampleNames(Entry entry) {
    String family = entry.family();
    return switch (entry.type()) {
      case COUNTER -> List.of(family, family + "_total");
      case HISTOGRAM -> List.of(family, family + "_bucket", family + "_sum", family + "_count");
      case SUMMARY -> List.of(family, family + "_sum", family + "_count");
      case GAUGE, UNTYPED -> List.of(family);
    };
  }

  private static MetricVocabulary read() {
    try (InputStream stream = MetricVocabulary.class.getResourceAsStream(RESOURCE);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      return new MetricVocabulary(
          reader
              .lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .map(MetricVocabulary::entry)
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Entry entry(String line) {
    String[] fields = line.split("\\|", -1);
    if (fields.length != 4 && fields.length != 5) {
      throw new IllegalStateException(RESOURCE + " has " + fields.length + " fields in: " + line);
    }
    return new Entry(
        MetricConcept.valueOf(fields[0].strip()),
        Series.Type.valueOf(fields[1].strip().toUpperCase(Locale.ROOT)),
        fields[2].strip(),
        MetricLife.of(fields[3].strip()),
        fields.length == 5 ? fields[4].strip() : "");
  }
}
