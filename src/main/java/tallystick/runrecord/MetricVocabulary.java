package tallystick.runrecord;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.scenario.TableLines;

/**
 * Which metric names mean which concept, over versions and spellings.
 *
 * <p>A counter is known with and without {@code _total}, a histogram by its family name and by the
 * names of its parts, and every name of an engine also with {@code _} for the colon of its prefix,
 * which is what a Prometheus stores when the exporter escaped it, and behind what collectors put
 * before the prefix. A {@code _created} sample means no concept: it is a time, not a measurement.
 */
public final class MetricVocabulary {
  private static final String SHARED = "metric-names.txt";
  private static final String FAMILIES = "engine-families.txt";
  private static final String ROUTERS = "names-routers.txt";
  private static final String NEWEST = "newest: ";
  private static final MetricVocabulary STANDARD = read();

  private final List<EngineFamily> families;
  private final Map<String, EngineRelease> newest;
  private final Map<String, MetricName> names;
  private final Map<String, MetricName> routers;
  private final Map<String, Entry> bySampleName;
  private final Map<MetricConcept, List<Entry>> byConcept;

  /**
   * One name of one concept.
   *
   * @param concept what it means
   * @param name what it is called
   * @param note what a reader should know; may be empty
   */
  public record Entry(MetricConcept concept, MetricName name, String note) {
    /** Type of the family. */
    public Series.Type type() {
      return name.type();
    }

    /** Name of the metric family with its prefix and without {@code _total}. */
    public String family() {
      return name.family();
    }

    /** Which releases expose it. */
    public MetricLife life() {
      return name.life();
    }

    /** Whether it is gone from current releases. */
    public boolean removed() {
      return name.isOver();
    }
  }

  private MetricVocabulary(
      List<EngineFamily> families,
      Map<String, EngineRelease> newest,
      Collection<MetricName> names,
      Collection<MetricName> routers,
      List<Entry> entries) {
    Map<String, MetricName> known = new HashMap<>();
    Map<String, Entry> explained = new HashMap<>();
    Map<MetricConcept, List<Entry>> concepts = new EnumMap<>(MetricConcept.class);
    names.forEach(name -> spellings(families, name).forEach(sample -> known.put(sample, name)));
    for (Entry entry : entries) {
      concepts.computeIfAbsent(entry.concept(), any -> new ArrayList<>()).add(entry);
      spellings(families, entry.name()).forEach(sample -> explained.put(sample, entry));
    }
    concepts.replaceAll((concept, list) -> List.copyOf(list));
    this.families = List.copyOf(families);
    this.newest = Map.copyOf(newest);
    this.names = Map.copyOf(known);
    this.routers =
        routers.stream()
            .flatMap(name -> name.all().stream().map(sample -> Map.entry(sample, name)))
            .distinct()
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    bySampleName = Map.copyOf(explained);
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

  /** Whether a sample or family name means this concept. */
  public boolean means(String sampleOrFamilyName, MetricConcept concept) {
    Entry entry = bySampleName.get(sampleOrFamilyName);
    return entry != null && entry.concept() == concept;
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

  /** What a sample or family name of an engine is, whether or not anybody knows its meaning. */
  public Optional<MetricName> nameOf(String sampleOrFamilyName) {
    return Optional.ofNullable(names.get(sampleOrFamilyName))
        .or(() -> entryOf(sampleOrFamilyName).map(Entry::name))
        .or(() -> routerNameOf(sampleOrFamilyName));
  }

  /** What a router before the engine gives a name of the engine's form; empty for all others. */
  public Optional<MetricName> routerNameOf(String sampleOrFamilyName) {
    return Optional.ofNullable(routers.get(sampleOrFamilyName));
  }

  /** Every metric that one family ever defined. */
  public List<MetricName> namesOf(EngineFamily family) {
    return names.values().stream()
        .filter(name -> family.owns(name.family()))
        .distinct()
        .sorted(Comparator.comparing(MetricName::family))
        .toList();
  }

  /** The newest release whose names are known. */
  public Optional<EngineRelease> newest(EngineFamily family) {
    return Optional.ofNullable(newest.get(family.name()));
  }

  /** All names under which its samples are met. */
  private static List<String> spellings(List<EngineFamily> families, MetricName name) {
    List<String> spellings = new ArrayList<>(name.all());
    families.stream()
        .filter(family -> family.owns(name.family()))
        .flatMap(family -> name.all().stream().flatMap(one -> family.spellings(one).stream()))
        .forEach(spellings::add);
    return spellings;
  }

  private static MetricVocabulary read() {
    List<EngineFamily> families = new ArrayList<>();
    Map<String, EngineRelease> newest = new HashMap<>();
    Map<String, MetricName> names = new HashMap<>();
    List<Entry> entries = new ArrayList<>();
    for (String name : lines(FAMILIES)) {
      String file = "engine-" + name + ".txt";
      Map<Boolean, List<String>> lines =
          lines(file).stream().collect(Collectors.partitioningBy(line -> line.contains(" | ")));
      List<MetricName> own = new ArrayList<>();
      for (String line : lines("names-" + name + ".txt")) {
        if (line.startsWith(NEWEST)) {
          EngineRelease.read(line.substring(NEWEST.length()))
              .ifPresent(release -> newest.put(name, release));
        } else {
          own.add(name(cells(line, 3), 0));
        }
      }
      own.forEach(one -> names.put(one.family(), one));
      families.add(EngineFamilyReader.read(name, file, lines.get(false), sampleNames(own)));
      lines.get(true).forEach(line -> entries.add(explained(cells(line, 3), names)));
    }
    for (String line : lines(SHARED)) {
      String[] cells = cells(line, 5);
      entries.add(new Entry(MetricConcept.valueOf(cells[0]), name(cells, 1), cells[4]));
    }
    List<MetricName> routers =
        lines(ROUTERS).stream().map(line -> name(cells(line, 3), 0)).toList();
    return new MetricVocabulary(families, newest, names.values(), routers, entries);
  }

  private static Set<String> sampleNames(List<MetricName> names) {
    return names.stream()
        .flatMap(name -> Stream.concat(name.all().stream(), Stream.of(name.family() + "_created")))
        .collect(Collectors.toSet());
  }

  /** Concept, family name and note, of a metric that is among the names. */
  private static Entry explained(String[] cells, Map<String, MetricName> names) {
    MetricName name = names.get(cells[1]);
    if (name == null) {
      throw new IllegalStateException("no names-NAME.txt has the metric " + cells[1]);
    }
    return new Entry(MetricConcept.valueOf(cells[0]), name, cells[2]);
  }

  private static List<String> lines(String file) {
    return TableLines.of(MetricVocabulary.class, file);
  }

  /** Type, family name and life, from a place on. */
  private static MetricName name(String[] cells, int from) {
    return new MetricName(
        Series.Type.valueOf(cells[from].toUpperCase(Locale.ROOT)),
        cells[from + 1],
        MetricLife.of(cells[from + 2]));
  }

  /** The cells of a line; a last one that is missing is empty. */
  private static String[] cells(String line, int count) {
    String[] cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toArray(String[]::new);
    if (cells.length != count && cells.length != count - 1) {
      throw new IllegalStateException(cells.length + " cells in the vocabulary's line: " + line);
    }
    return cells.length == count
        ? cells
        : Stream.concat(Arrays.stream(cells), Stream.of("")).toArray(String[]::new);
  }
}
