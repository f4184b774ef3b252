package tallystick.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.LoadAccount;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.RunAnalysis.EngineAccount;
import tallystick.analysis.result.RunAnalysis.GaugeRange;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;

/**
 * One named value of the report.
 *
 * @param name what it is
 * @param value how it reads
 */
record Fact(String name, String value) {
  private static final String NOT_EXPOSED = "n/a (not exposed)";

  /** What was run: where, when, with what. */
  static List<Fact> run(RunAnalysis.RunFacts run) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("run", run.runId()));
    facts.add(new Fact("engine", Wording.engine(run.source())));
    facts.add(new Fact("state", Wording.state(run.state())));
    facts.add(new Fact("model", run.model().isEmpty() ? "not known" : run.model()));
    if (!run.targets().isEmpty()) {
      facts.add(new Fact("targets", String.join(", ", run.targets())));
    }
    facts.add(new Fact("window", window(run)));
    facts.add(new Fact("loop", run.closedLoop() ? "closed" : "open"));
    if (!run.prompts().isEmpty()) {
      facts.add(new Fact("prompts", run.prompts()));
    }
    facts.add(new Fact("seed", String.valueOf(run.seed())));
    new TreeMap<>(run.labels()).forEach((name, value) -> facts.add(new Fact(name, value)));
    return facts;
  }

  private static String window(RunAnalysis.RunFacts run) {
    String length = LatencyUnit.SECONDS.text(run.windowSeconds());
    String started = Wording.toTheSecond(run.startedUtc());
    return started.isEmpty() ? length : length + " from " + started;
  }

  /** What was asked and what came back. */
  static List<Fact> load(RunAnalysis.Counts counts) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("planned", Numbers.count(counts.planned())));
    facts.add(new Fact("sent", Numbers.count(counts.sent())));
    facts.add(new Fact("ended", Numbers.count(counts.ended())));
    new TreeMap<>(counts.byOutcome())
        .forEach((word, n) -> facts.add(new Fact(word.replace('_', ' '), Numbers.count(n))));
    facts.add(new Fact("requests/s", Numbers.number(counts.requestsPerSecond())));
    facts.add(new Fact("output tokens/s", Numbers.number(counts.completionTokensPerSecond())));
    facts.add(new Fact("prompt tokens", Numbers.count(counts.promptTokens())));
    facts.add(new Fact("output tokens", Numbers.count(counts.completionTokens())));
    return facts;
  }

  /** Requests a second where each is counted: at the client, at the first token, at the finish. */
  static List<Fact> flow(LoadAccount load) {
    return List.of(
        new Fact("offered by the client, requests/s", Numbers.number(load.offeredPerSecond())),
        new Fact(
            "first token in the engine, requests/s", Numbers.number(load.admittedPerSecond())),
        new Fact("finished in the engine, requests/s", Numbers.number(load.completedPerSecond())));
  }

  /** How the answers were cut into chunks; merged chunks make gaps and tokens differ. */
  static List<Fact> chunks(RunAnalysis.Counts counts) {
    return List.of(
        new Fact("chunks", Numbers.count(counts.chunks())),
        new Fact("with several tokens", Numbers.count(counts.mergedChunks())),
        new Fact("tokens unknown", Numbers.count(counts.unknownChunks())),
        new Fact("read together", Numbers.count(counts.coalescedChunks())));
  }

  /** What the engine says of its pressure, and of its drafts if it makes any. */
  static List<Fact> engine(RunAnalysis analysis) {
    List<Fact> facts = new ArrayList<>(pressure(analysis.engine()));
    facts.addAll(speculation(analysis.load()));
    return facts;
  }

  /** What the engine says of its pressure. */
  static List<Fact> pressure(EngineAccount engine) {
    if (!engine.available()) {
      String why = "n/a (" + engine.absence() + ")";
      return List.of(
          new Fact("preemptions", why), new Fact("waiting", why), new Fact("KV usage", why));
    }
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("preemptions", preemptions(engine)));
    facts.add(new Fact("waiting", gauge(engine, MetricConcept.WAITING)));
    facts.add(new Fact("running", gauge(engine, MetricConcept.RUNNING)));
    facts.add(new Fact("KV usage", ratioGauge(engine, MetricConcept.KV_CACHE_USAGE)));
    String failed = engine.failedScrapes() == 0 ? "" : ", " + engine.failedScrapes() + " failed";
    facts.add(new Fact("scrapes", Numbers.count(engine.goodScrapes()) + " good" + failed));
    return facts;
  }

  /** What every counter with a known meaning grew by; a name that is not here is unknown. */
  static List<Fact> counters(EngineAccount engine) {
    return new TreeMap<>(engine.counters())
        .entrySet().stream()
            .filter(
                counter -> MetricVocabulary.standard().familyOf(counter.getKey()).isPresent())
            .map(counter -> new Fact(counter.getKey(), Numbers.count(counter.getValue())))
            .toList();
  }

  /** How long KV blocks were kept and transfers took; nothing where the engine does not tell. */
  static List<Fact> residency(EngineAccount engine) {
    List<Fact> facts = new ArrayList<>();
    engine
        .distributions()
        .forEach(
            (name, one) -> {
              if ((name.startsWith("kv_block_") || name.startsWith("nixl_")) && one.count() > 0) {
                String value =
                    "mean " + Numbers.latency(one.mean()) + ", n=" + Numbers.count(one.count());
                facts.add(new Fact(Wording.name(name), value));
              }
            });
    return facts;
  }

  /** The counter of preemptions, whatever this engine calls it. */
  static String preemptions(EngineAccount engine) {
    return engine.counters().entrySet().stream()
        .filter(counter -> means(counter.getKey(), MetricConcept.PREEMPTIONS))
        .map(counter -> Numbers.count(counter.getValue()))
        .findFirst()
        .orElse(NOT_EXPOSED);
  }

  private static String gauge(EngineAccount engine, MetricConcept concept) {
    return range(engine, concept)
        .map(r -> "mean " + Numbers.number(r.mean()) + ", max " + Numbers.count(r.maximum()))
        .orElse(NOT_EXPOSED);
  }

  private static String ratioGauge(EngineAccount engine, MetricConcept concept) {
    return range(engine, concept)
        .map(r -> "mean " + Numbers.percent(r.mean()) + ", max " + Numbers.percent(r.maximum()))
        .orElse(NOT_EXPOSED);
  }

  // An engine may expose an older name beside the current one; the current one counts.
  private static Optional<GaugeRange> range(EngineAccount engine, MetricConcept concept) {
    return engine.gauges().entrySet().stream()
        .filter(gauge -> means(gauge.getKey(), concept))
        .min(Comparator.comparing(gauge -> isOlder(gauge.getKey())))
        .map(Map.Entry::getValue);
  }

  private static boolean means(String name, MetricConcept concept) {
    return MetricVocabulary.standard().conceptOf(name).filter(concept::equals).isPresent();
  }

  private static boolean isOlder(String name) {
    return MetricVocabulary.standard()
        .entryOf(name)
        .filter(MetricVocabulary.Entry::removed)
        .isPresent();
  }

  /** How well drafted tokens were guessed; nothing where none were drafted. */
  static List<Fact> speculation(LoadAccount load) {
    if (load.acceptedAt().isEmpty()) {
      return List.of();
    }
    String places =
        load.acceptedAt().stream().map(Numbers::percent).collect(Collectors.joining(", "));
    return List.of(
        new Fact("accepted draft tokens", Numbers.percent(load.speculativeAcceptance())),
        new Fact("by place in the draft", places));
  }

  /** Whether the load side kept up. */
  static List<Fact> harness(RunAnalysis analysis) {
    RunAnalysis.HarnessHealth harness = analysis.harness();
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("lateness P50", percentile(harness.lateness(), 0.5)));
    facts.add(new Fact("lateness P99", percentile(harness.lateness(), 0.99)));
    facts.add(new Fact("lateness max", Numbers.latency(harness.lateness().maximum())));
    if (harness.turnaround().count() > 0) {
      facts.add(new Fact("turnaround P50", percentile(harness.turnaround(), 0.5)));
      facts.add(new Fact("turnaround P95", percentile(harness.turnaround(), 0.95)));
    }
    if (harness.wakeUps().count() > 0) {
      facts.add(new Fact("wake-up delay P95", percentile(harness.wakeUps(), 0.95)));
    }
    facts.add(new Fact("saturated", harness.saturated() ? "YES" : "no"));
    facts.add(new Fact("stalls", stalls(harness.stalls())));
    facts.add(
        new Fact(
            "GC pauses",
            Numbers.count(harness.gcPauses())
                + ", "
                + LatencyUnit.fitting(harness.gcSeconds()).text(harness.gcSeconds())));
    String heap = analysis.run().host().getOrDefault("load_heap", "");
    if (!heap.isEmpty()) {
      facts.add(new Fact("heap", heap));
    }
    facts.add(new Fact("dropped rows", Numbers.count(harness.droppedRows())));
    facts.add(new Fact("cores used", Numbers.number(harness.processCores())));
    return facts;
  }

  private static String stalls(Distribution stalls) {
    return stalls.count() == 0
        ? "0"
        : Numbers.count(stalls.count()) + ", longest " + Numbers.latency(stalls.maximum());
  }

  /** One percentile of a distribution with its unit, or {@code n/a (why)}. */
  static String percentile(Distribution samples, double level) {
    return Numbers.latency(samples.percentile(level));
  }
}
