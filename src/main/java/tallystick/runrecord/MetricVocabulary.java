package tallystick.runrecord;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which metric names mean which concept, over versions and spellings.
 *
 * <p>A counter is known with and without {@code _total}, a histogram by its family name and by the
 * names of its parts, and every name of an engine also with {@code _} for the colon of its prefix,
 * which is what a Prometheus stores when the exporter escaped it, and behind what collectors put
 * before the prefix. A {@code _created} sample means
 * no concept: it is a time, not a measurement.
 */
public final class MetricVocabulary {
  private static final String SHARED = "metric-names.txt";
  private static final String FAMILIES = "engine-families.txt";
  private static final MetricVocabulary STANDARD = read();

  private final List<EngineFamily> families;
  private final Map<String, Entry> bySampleName;
  private final Map<MetricConcept, List<Entry>> byConcept;

  /**
   * One name of one concept.
   *
   * @param concept what it means
   * @param type type of the family
   * @param family name of the metric family with its prefix and without {@code _total}
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

  private MetricVocabulary(List<EngineFamily> families, List<Entry> entries) {
    Map<String, Entry> names = new HashMap<>();
    Map<MetricConcept, List<Entry>> concepts = new EnumMap<>(MetricConcept.class);
    for (Entry entry : entries) {
      concepts.computeIfAbsent(entry.concept(), any -> new ArrayList<>()).add(entry);
      for (String name : sampleNames(entry)) {
        names.put(name, entry);
        families.stream()
            .filter(family -> family.owns(name))
            .flatMap(family -> family.spellings(name).stream())
            .forEach(spelling -> names.put(spelling, entry));
      }
    }
    concepts.replaceAll((concept, list) -> List.copyOf(list));
    this.families = List.copyOf(families);
    bySampleName = Map.copyOf(names);
    byConcept = Map.copyOf(concepts);
  }

  /** The vocabulary that comes with the harness. */
  public static MetricVocabulary standard() {
    return STANDARD;
  }

  /** The engine families, vLLM first. */
  public List<EngineFamily> families() {
    return families;
  }

  /** The engine family that exposes names like this one, in either spelling. */
  public Optional<EngineFamily> familyOf(String sampleOrFamilyName) {
    for (EngineFamily family : families) {
      if (family.owns(sampleOrFamilyName)) {
        return Optional.of(family);
      }
    }
    return Optional.empty();
  }

  /** The engine families of these names, in the vocabulary's order; empty if none is there. */
  public List<EngineFamily> familiesAmong(Collection<String> names) {
    return families.stream().filter(family -> names.stream().anyMatch(family::owns)).toList();
  }

  /** What a sample or family name means; empty for a name nobody has explained. */
  public Optional<MetricConcept> conceptOf(String sampleOrFamilyName) {
    return entryOf(sampleOrFamilyName).map(Entry::concept);
  }

  /** The vocabulary's line about a sample or family name. */
  public Optional<Entry> entryOf(String sampleOrFamilyName) {
    return Optional.ofNullable(bySampleName.get(sampleOrFamilyName));
  }

  /** The names of a concept in every engine family, vLLM's current one first. */
  public List<Entry> namesOf(MetricConcept concept) {
    return byConcept.getOrDefault(concept, List.of());
  }

  /** The names that one family has for a concept, the current one first; may be empty. */
  public List<Entry> namesOf(MetricConcept concept, EngineFamily family) {
    return namesOf(concept).stream().filter(entry -> family.owns(entry.family())).toList();
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
    List<EngineFamily> families = new ArrayList<>();
    List<Entry> entries = new ArrayList<>();
    for (String name : lines(FAMILIES)) {
      String file = "engine-" + name + ".txt";
      Map<Boolean, List<String>> lines =
          lines(file).stream().collect(Collectors.partitioningBy(line -> line.contains(" | ")));
      List<Entry> own = lines.get(true).stream().map(MetricVocabulary::entry).toList();
      Set<String> sampleNames =
          own.stream()
              .flatMap(entry -> Stream.concat(
                  sampleNames(entry).stream(), Stream.of(entry.family() + "_created")))
              .collect(Collectors.toSet());
      families.add(EngineFamilyReader.read(name, file, lines.get(false), sampleNames));
      entries.addAll(own);
    }
    lines(SHARED).forEach(line -> entries.add(entry(line)));
    return new MetricVocabulary(families, entries);
  }

  private static List<String> lines(String file) {
    try (InputStream stream = MetricVocabulary.class.getResourceAsStream(file);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Entry entry(String line) {
    String[] fields = line.split("\\|", -1);
    if (fields.length != 4 && fields.length != 5) {
      throw new IllegalStateException(fields.length + " fields in the vocabulary's line: " + line);
    }
    return new Entry(
        MetricConcept.valueOf(fields[0].strip()),
        Series.Type.valueOf(fields[1].strip().toUpperCase(Locale.ROOT)),
        fields[2].strip(),
        MetricLife.of(fields[3].strip()),
        fields.length == 5 ? fields[4].strip() : "");
  }
}
