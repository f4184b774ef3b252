package tallystick.analysis.engine;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import tallystick.analysis.statistics.CounterGrowth;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series;

/** One series of one target over the scrapes of the ledger. */
public final class SeriesTrack {
  /** What a sample of the series is. */
  public enum Kind {
    COUNTER,
    BUCKET,
    SUM,
    COUNT,
    GAUGE,
    /** The time a series or process began: a change means a restart. */
    BIRTH,
    OTHER
  }

  private static final Set<MetricConcept> SHARES_OF_A_CACHE =
      EnumSet.of(MetricConcept.KV_CACHE_USAGE, MetricConcept.CPU_CACHE_USAGE);

  /** The whole cache, with room for how a quotient is rounded. */
  private static final double FULL = 1.001;

  private final String family;
  private final String root;
  private final Optional<MetricVocabulary.Entry> entry;
  private final Optional<MetricConcept> concept;
  private final Optional<EngineFamily> engineFamily;
  private final String engine;
  private final boolean isCopy;
  private final Kind kind;
  private final double edge;
  private final double least;
  private final double most;
  private final CounterGrowth growth;
  private Sample newest;
  private double value;
  private double previous = Double.NaN;
  private double lastGrowth;
  private long lastSeen;

  SeriesTrack(Sample first, boolean atFirstScrape, long scrapeIndex) {
    Series series = first.series();
    this.newest = first;
    this.entry = MetricVocabulary.standard().entryOf(series.name());
    this.concept = entry.map(MetricVocabulary.Entry::concept);
    this.engineFamily = MetricVocabulary.standard().familyOf(series.name());
    this.engine = engineFamily.map(whose -> series.label(whose.labels().engine())).orElse("");
    this.isCopy = engineFamily.isPresent() && engineFamily.get().isCopy(series);
    this.kind = kindOf(series, entry);
    // One object for each name, because families are compared for every sample.
    this.family = familyOf(series.name(), kind).intern();
    this.root = family.replaceFirst("_(total|created)$", "");
    // An edge nobody can read is kept apart from every other; the bucket is then not used.
    this.edge =
        kind == Kind.BUCKET ? Series.edge(series.label("le")).orElse(Double.NaN) : Double.NaN;
    boolean isBelowZeroPossible =
        kind == Kind.OTHER || kind == Kind.GAUGE && (concept.isEmpty() || engineFamily.isEmpty());
    this.least = isBelowZeroPossible ? -Double.MAX_VALUE : 0;
    this.most = concept.filter(SHARES_OF_A_CACHE::contains).isPresent() ? FULL : Double.MAX_VALUE;
    this.value = readable(first.value());
    this.growth = atFirstScrape ? CounterGrowth.from(value) : CounterGrowth.born();
    this.lastSeen = scrapeIndex;
    this.lastGrowth = atFirstScrape || !isReadable() ? 0 : growth.next(value);
  }

  /**
   * Takes what the next scrape shows, the same sample where nothing changed; tells whether a
   * counter stands below its value before.
   */
  boolean next(Sample sample, long scrapeIndex) {
    previous = value;
    lastSeen = scrapeIndex;
    lastGrowth = 0;
    if (sample == newest) {
      return false;
    }
    newest = sample;
    value = readable(sample.value());
    if (!isCumulative() || !isReadable()) {
      return false;
    }
    int resets = growth.resets();
    lastGrowth = growth.next(value);
    return growth.resets() > resets;
  }

  /**
   * A number that can be a value of this series, else NaN: counts and times of birth are finite and
   * not below 0, and so is every gauge of an engine that has a meaning here; a cache is full at 1.
   */
  private double readable(double number) {
    return number >= least && number <= most ? number : Double.NaN;
  }

  /** Whether the newest scrape showed a number that can be its value. */
  boolean isReadable() {
    return !Double.isNaN(value);
  }

  public Series series() {
    return newest.series();
  }

  /** Family name as exposed; of a counter the whole sample name. */
  public String family() {
    return family;
  }

  /** Family name that a counter and its time of birth share. */
  String root() {
    return root;
  }

  /** Whose metric it is; empty for one that no engine exposes. */
  Optional<EngineFamily> engineFamily() {
    return engineFamily;
  }

  /** Which of the engines behind its server it speaks of; empty where it does not tell. */
  String engine() {
    return engine;
  }

  /** Whether its engine shows the same figures in another series, which is the one to use. */
  boolean isCopy() {
    return isCopy;
  }

  public Kind kind() {
    return kind;
  }

  public Optional<MetricConcept> concept() {
    return concept;
  }

  public boolean means(MetricConcept concept) {
    return this.concept.isPresent() && this.concept.get() == concept;
  }

  /** Upper edge of a bucket. */
  double edge() {
    return edge;
  }

  /** The newest value; NaN for a number that it cannot have. */
  public double value() {
    return value;
  }

  /** Value when it was seen last before; NaN if there was none. */
  public double previous() {
    return previous;
  }

  /** Growth since the scrape before; NaN over a reset. */
  double lastGrowth() {
    return lastGrowth;
  }

  public double delta() {
    return growth.delta();
  }

  public int resets() {
    return growth.resets();
  }

  long lastSeen() {
    return lastSeen;
  }

  public boolean isCumulative() {
    return switch (kind) {
      case COUNTER, BUCKET, SUM, COUNT -> true;
      case GAUGE, BIRTH, OTHER -> false;
    };
  }

  /**
   * How much this spelling is preferred where a target exposes one concept under several names:
   * current names before removed ones, a prefix with a colon before one without.
   */
  int preference() {
    boolean removed = entry.isPresent() && entry.get().removed();
    return (removed ? 0 : 2) + (family.contains(":") ? 1 : 0);
  }

  private static Kind kindOf(Series series, Optional<MetricVocabulary.Entry> entry) {
    String name = series.name();
    if (name.endsWith("_created")
        || entry.isPresent() && entry.get().concept() == MetricConcept.PROCESS_START_TIME) {
      return Kind.BIRTH;
    }
    Series.Type type =
        series.type() == Series.Type.UNTYPED && entry.isPresent()
            ? entry.get().type()
            : series.type();
    return switch (type) {
      case COUNTER -> Kind.COUNTER;
      case GAUGE -> Kind.GAUGE;
      case HISTOGRAM, SUMMARY -> partOf(name);
      case UNTYPED -> Kind.OTHER;
    };
  }

  private static Kind partOf(String name) {
    if (name.endsWith("_bucket")) {
      return Kind.BUCKET;
    }
    if (name.endsWith("_sum")) {
      return Kind.SUM;
    }
    return name.endsWith("_count") ? Kind.COUNT : Kind.OTHER;
  }

  private static String familyOf(String name, Kind kind) {
    return switch (kind) {
      case BUCKET, SUM, COUNT -> name.substring(0, name.lastIndexOf('_'));
      case COUNTER, GAUGE, BIRTH, OTHER -> name;
    };
  }
}
