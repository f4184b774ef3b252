package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tallystick.promql.Expression;
import tallystick.promql.Expressions;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricName;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Series;
import tallystick.scenario.NearestKey;

/** What a target exposes, as one scrape of it showed; or nothing, where no target was looked at. */
public final class ExposedSeries {
  private final List<Series> series;
  private final Set<String> names;

  private ExposedSeries(Collection<Series> series) {
    this.series = List.copyOf(series);
    this.names = series.stream().map(s -> plain(s.name())).collect(Collectors.toSet());
  }

  /** No target was looked at. */
  public static ExposedSeries none() {
    return new ExposedSeries(List.of());
  }

  /** The series of a scrape. */
  public static ExposedSeries of(Collection<Series> series) {
    return new ExposedSeries(series);
  }

  /** Whether a target was looked at. */
  public boolean isKnown() {
    return !series.isEmpty();
  }

  /** Whether a sample of this name is exposed, in either spelling of the colon. */
  public boolean has(String sampleName) {
    return names.contains(plain(sampleName));
  }

  /** The values a label takes on a sample's series. */
  Set<String> values(String sampleName, String label) {
    return series.stream()
        .filter(s -> plain(s.name()).equals(plain(sampleName)))
        .map(s -> s.label(label))
        .filter(value -> !value.isEmpty())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The edges of a histogram: as exposed, else as the engine is built, else unknown. */
  public Optional<BucketEdges> edges(String bucketName) {
    List<Double> edges = new ArrayList<>();
    values(bucketName, "le").forEach(text -> edges.add(number(text)));
    edges.removeIf(edge -> !Double.isFinite(edge));
    if (!edges.isEmpty()) {
      return Optional.of(new BucketEdges(edges, true));
    }
    return family(bucketName)
        .flatMap(family -> concept(bucketName).map(family.edges()::get))
        .map(known -> new BucketEdges(known, false));
  }

  /** What a sample means; gateways that prefix the engine's names are seen through. */
  static Optional<MetricVocabulary.Entry> entry(String sampleName) {
    return MetricVocabulary.standard().entryOf(canonical(sampleName));
  }

  /** What a sample is called and in which releases; known of more than what has a meaning here. */
  static Optional<MetricName> name(String sampleName) {
    return MetricVocabulary.standard().nameOf(canonical(sampleName));
  }

  /** Whether a name of the engine's form is a router's, which has other labels. */
  static boolean isOfRouter(String sampleName) {
    return MetricVocabulary.standard().routerNameOf(canonical(sampleName)).isPresent();
  }

  static Optional<MetricConcept> concept(String sampleName) {
    return entry(sampleName).map(MetricVocabulary.Entry::concept);
  }

  /** Whether a sample has one of some meanings. */
  static boolean means(String sampleName, Set<MetricConcept> any) {
    return concept(sampleName).filter(any::contains).isPresent();
  }

  /** Whether a sample has a certain meaning. */
  static boolean means(String sampleName, MetricConcept concept) {
    return means(sampleName, Set.of(concept));
  }

  /** Whether a part reads what has one of some meanings. */
  static boolean reads(Expression part, Set<MetricConcept> any) {
    return Expressions.metrics(part).anyMatch(metric -> means(metric, any));
  }

  /** The engine family whose metric it is, whatever a collector made of its name. */
  static Optional<EngineFamily> family(String sampleName) {
    return MetricVocabulary.standard().familyOf(sampleName);
  }

  /** The name as the engine exposes it, whatever a collector made of it. */
  static String canonical(String sampleName) {
    return family(sampleName).flatMap(own -> own.exposedName(sampleName)).orElse(sampleName);
  }

  /** A bucket edge as a number; infinite if the text is none. */
  static double number(String edge) {
    return Series.edge(edge).orElse(Double.POSITIVE_INFINITY);
  }

  /** A question after what was probably misspelled; empty for a known name, or if none is near. */
  String meant(String sampleName) {
    if (name(sampleName).isPresent()) {
      return "";
    }
    List<String> known =
        isKnown()
            ? series.stream().map(Series::name).distinct().toList()
            : family(sampleName).stream()
                .flatMap(own -> MetricVocabulary.standard().namesOf(own).stream())
                .filter(name -> !name.isOver())
                .flatMap(name -> name.samples().stream())
                .map(name -> collectedAs(sampleName, name))
                .toList();
    return known.stream()
        .filter(near -> isMisspelled(stem(sampleName), stem(near)))
        .min(Comparator.comparingInt(near -> NearestKey.distance(sampleName, near)))
        .map(near -> "; did you mean " + near + "?")
        .orElse("");
  }

  /** An engine's name with all that a collector made of another name of that engine. */
  static String collectedAs(String collected, String exposed) {
    return family(collected)
        .map(
            own -> {
              int rest = own.withoutPrefix(canonical(collected)).length();
              return collected.substring(0, collected.length() - rest)
                  + own.withoutPrefix(exposed);
            })
        .orElse(exposed);
  }

  /** A name without the endings that only say which part or type it is. */
  private static String stem(String sampleName) {
    return plain(canonical(sampleName)).replaceFirst("_(total|bucket|sum|count)$", "");
  }

  /**
   * Whether one name is the other with at most two wrong letters, or with a word cut short. Names
   * that differ by more are of two metrics, and a rule on the wrong one is silent.
   */
  private static boolean isMisspelled(String one, String other) {
    String longer = one.length() > other.length() ? one : other;
    String shorter = one.length() > other.length() ? other : one;
    boolean isCutShort =
        longer.startsWith(shorter) && longer.substring(shorter.length()).matches("[a-z]{0,4}");
    return isCutShort
        || longer.length() - shorter.length() <= 2 && NearestKey.distance(one, other) <= 2;
  }

  private static String plain(String name) {
    return name.replace(':', '_');
  }
}
