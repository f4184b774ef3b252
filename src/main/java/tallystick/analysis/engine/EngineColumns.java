package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tallystick.analysis.result.Latency;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricConcept;

/** One target's engines over time, one table of columns for each engine. */
public final class EngineColumns {
  public static final String RUNNING = "num_requests_running";
  public static final String WAITING = "num_requests_waiting";
  public static final String KV_USAGE = "kv_cache_usage_perc";
  public static final String PREEMPTIONS = "num_preemptions";
  public static final String FINISHED = "request_success";
  public static final String PREFIX_QUERIES = "prefix_cache_queries";
  public static final String PREFIX_HITS = "prefix_cache_hits";
  public static final String GENERATION_TOKENS = "generation_tokens";
  public static final String PROMPT_TOKENS = "prompt_tokens";

  private static final Map<MetricConcept, String> GAUGES =
      new EnumMap<>(
          Map.of(
              MetricConcept.RUNNING, RUNNING,
              MetricConcept.WAITING, WAITING,
              MetricConcept.KV_CACHE_USAGE, KV_USAGE));
  private static final Map<MetricConcept, String> COUNTERS =
      new EnumMap<>(
          Map.of(
              MetricConcept.PREEMPTIONS, PREEMPTIONS,
              MetricConcept.REQUEST_SUCCESS, FINISHED,
              MetricConcept.PREFIX_QUERIES, PREFIX_QUERIES,
              MetricConcept.PREFIX_HITS, PREFIX_HITS,
              MetricConcept.GENERATION_TOKENS, GENERATION_TOKENS,
              MetricConcept.PROMPT_TOKENS, PROMPT_TOKENS));
  /** The histograms that are read scrape by scrape. */
  public static final List<Latency> LATENCIES =
      List.of(
          Latency.TTFT, Latency.ITL, Latency.E2E, Latency.QUEUE, Latency.PREFILL, Latency.DECODE);

  private static final Map<MetricConcept, Latency> HISTOGRAMS =
      LATENCIES.stream()
          .collect(Collectors.toMap(Latency::concept, latency -> latency));

  /** Histograms whose percentiles are compared between periods of a run. */
  private static final Set<MetricConcept> BUCKETED =
      EnumSet.of(MetricConcept.TTFT, MetricConcept.ITL, MetricConcept.QUEUE_TIME);

  private static final Set<MetricConcept> TOKENS =
      EnumSet.of(MetricConcept.GENERATION_TOKENS, MetricConcept.PROMPT_TOKENS);
  private static final Set<MetricConcept> TOKEN_BY_TOKEN =
      EnumSet.of(MetricConcept.TTFT, MetricConcept.ITL);

  private final String prefix;
  private final Map<String, ScrapeColumns> byEngine = new TreeMap<>();

  private final List<Wanted> wanted = new ArrayList<>();

  private int looked;
  private double lastGood = Double.NaN;

  /** A series that gives something, and the column it goes to from its first use on. */
  private static final class Wanted {
    private final SeriesTrack track;
    private final String name;
    private ScrapeColumns table;
    private ScrapeColumns.Column column;

    Wanted(SeriesTrack track, String name) {
      this.track = track;
      this.name = name;
    }
  }

  EngineColumns(int targetIndex, int targetCount) {
    this.prefix = targetCount > 1 ? "target " + targetIndex + " " : "";
  }

  /** Notes a scrape before all that are read, from which the next one counts its growth. */
  void couldBeFirst(double atSeconds) {
    lastGood = atSeconds;
  }

  /** From this moment on the target is not there: its newest gauges stand for nothing. */
  void end(double atSeconds) {
    byEngine.values().forEach(table -> table.end(atSeconds));
  }

  /** Notes a scrape that failed. */
  void hole(double atSeconds) {
    byEngine.values().forEach(table -> table.row(atSeconds));
  }

  /** Takes the newest scrape of the target. */
  void read(double atSeconds, TargetReading target) {
    byEngine.values().forEach(table -> table.row(atSeconds));
    if (target.tracks().size() > looked) {
      target.tracks().stream().skip(looked).forEach(this::look);
      looked = target.tracks().size();
    }
    for (Wanted one : wanted) {
      if (target.isCurrent(one.track) && target.uses(one.track)) {
        put(one, atSeconds);
      }
    }
    lastGood = atSeconds;
  }

  private void look(SeriesTrack track) {
    track.concept()
        .map(concept -> columnOf(track, concept))
        .filter(name -> !name.isEmpty())
        .ifPresent(name -> wanted.add(new Wanted(track, name)));
  }

  private ScrapeColumns tableOf(String engine, double atSeconds) {
    return byEngine.computeIfAbsent(
        engine,
        any -> {
          ScrapeColumns table = new ScrapeColumns(lastGood);
          table.row(atSeconds);
          return table;
        });
  }

  /** Leaves out what a family counted whose values cannot be right, over all of the time. */
  void forget(TargetReading target) {
    Set<String> families = target.spoiledForGood();
    for (SeriesTrack track : target.tracks()) {
      if (families.contains(track.family())) {
        columnsOf(track).forEach(
            column -> byEngine.values().forEach(table -> table.forget(column)));
      }
    }
  }

  private static List<String> columnsOf(SeriesTrack track) {
    MetricConcept concept = track.concept().orElse(MetricConcept.CACHE_CONFIG);
    Latency latency = HISTOGRAMS.get(concept);
    return switch (track.kind()) {
      case COUNTER -> Optional.ofNullable(COUNTERS.get(concept)).stream().toList();
      case SUM, COUNT, BUCKET ->
          latency == null
              ? List.of()
              : List.of(sumOf(latency), countOf(latency), bucketOf(latency, track.edge()));
      case GAUGE, BIRTH, OTHER -> List.of();
    };
  }

  /** Tables by the owner's name, for example {@code engine 0}. */
  Map<String, ScrapeColumns> byOwner() {
    Map<String, ScrapeColumns> owners = new TreeMap<>();
    byEngine.forEach((engine, table) -> owners.put(nameOf(engine), table));
    return owners;
  }

  /** Tables by the value of the label that tells engines apart. */
  Map<String, ScrapeColumns> byEngine() {
    return Collections.unmodifiableMap(byEngine);
  }

  /** An engine's name among all of the run, for example {@code target 1 engine 0}. */
  String nameOf(String engine) {
    return (prefix + (engine.isEmpty() ? "" : "engine " + engine)).strip();
  }

  /** Column of a histogram's growth at or below an edge. */
  public static String bucketOf(Latency latency, double edge) {
    return latency.code() + "_le_" + edge;
  }

  /** Column of a histogram's growth in observations. */
  public static String countOf(Latency latency) {
    return latency.code() + "_count";
  }

  /** Column of a histogram's growth in seconds. */
  public static String sumOf(Latency latency) {
    return latency.code() + "_sum";
  }

  /** The column that a series goes to; empty where it goes to none. */
  private static String columnOf(SeriesTrack track, MetricConcept concept) {
    Latency latency = HISTOGRAMS.get(concept);
    return switch (track.kind()) {
      case GAUGE -> GAUGES.getOrDefault(concept, "");
      case COUNTER -> isBookedLater(concept, track) ? "" : COUNTERS.getOrDefault(concept, "");
      case SUM -> latency == null ? "" : sumOf(latency);
      case COUNT -> latency == null ? "" : countOf(latency);
      case BUCKET -> BUCKETED.contains(concept) ? bucketOf(latency, track.edge()) : "";
      case BIRTH, OTHER -> "";
    };
  }

  private void put(Wanted one, double atSeconds) {
    SeriesTrack track = one.track;
    if (one.table == null) {
      one.table = tableOf(track.engine(), atSeconds);
      one.column = one.table.column(one.name);
    }
    ScrapeColumns table = one.table;
    if (track.kind() != SeriesTrack.Kind.GAUGE) {
      table.add(one.column, track.lastGrowth());
    } else if (track.means(MetricConcept.KV_CACHE_USAGE)) {
      table.raise(one.column, track.value());
    } else {
      table.add(one.column, track.value());
    }
    if (track.kind() == SeriesTrack.Kind.COUNT
        && TOKEN_BY_TOKEN.contains(track.concept().orElseThrow())
        && tokensAreGaps(track)) {
      table.add(table.column(GENERATION_TOKENS), track.lastGrowth());
    }
  }

  /** Tokens that are counted when a request finishes were made at other times. */
  private static boolean isBookedLater(MetricConcept concept, SeriesTrack track) {
    return TOKENS.contains(concept)
        && track.engineFamily().filter(family -> family.counting().tokensAtFinish()).isPresent();
  }

  /** Whether first tokens and gaps tell when each token was made, and the counter does not. */
  private static boolean tokensAreGaps(SeriesTrack track) {
    return track
        .engineFamily()
        .map(EngineFamily::counting)
        .filter(counting -> counting.tokensAtFinish() && counting.gapForEachToken())
        .isPresent();
  }
}
