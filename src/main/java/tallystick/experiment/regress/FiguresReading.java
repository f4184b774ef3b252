package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import tallystick.analysis.Analyzer;
import tallystick.analysis.RequestReader;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Usability;
import tallystick.analysis.result.WaitPart;
import tallystick.experiment.RunPlayer;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Scenario.RequestForm;
import tallystick.scenario.TokenLimit;

/** Reads from a run's requests, while they are analysed, what it contributes to a comparison. */
public final class FiguresReading implements RequestReader {
  private static final double NANOS = 1e9;

  /** The gaps between half a million starts tell how all scatter; 4 MiB whatever a run's size. */
  private static final int MOST_STARTS = 1 << 19;

  /** What the engine is made of is the candidate's own, and how a run was typed is nobody's. */
  private static final List<String> NOT_THE_MACHINE =
      List.of("step_time_profile", "load_heap", "command", "node");

  /** What an earlier record does not tell of the machine: settings that may differ. */
  private static final List<String> TOLD_LATER =
      List.of("cpu", "memory", "container_cpus", "container_memory", "gpus");

  private final RunRows rows;
  private final boolean isOfConversations;
  private long requests;
  private long ended;
  private long schedule;
  private double prompts;
  private double promptSquares;
  private final LongStream.Builder starts = LongStream.builder();
  private final LongSummaryStatistics span = new LongSummaryStatistics();
  private double answers;
  private final OutputLengths lengths = new OutputLengths();
  private double answerSquares;
  private long failedByServer;
  private tallystick.analysis.result.RunFigures found;
  private RunAnalysis analysis;

  private FiguresReading(RunRows rows) {
    this.rows = rows;
    // In a closed loop every request waits for an answer.
    this.isOfConversations =
        rows.hasConversations() && rows.settings().loop() != LoopShape.CLOSED;
  }

  /** The figures of a run. */
  public static ComparedRun of(RunRows rows) {
    return analyze(rows).result();
  }

  /** The figures of a run, and its analysis. */
  public static RunPlayer.Read<ComparedRun> analyze(RunRows rows) {
    Analyzer.Beside<FiguresReading> read =
        Analyzer.analyze(rows, marks -> new FiguresReading(rows));
    return new RunPlayer.Read<>(
        read.reader().figures(read.figures()), read.figures().analysis());
  }

  private ComparedRun figures(tallystick.analysis.result.RunFigures made) {
    found = made;
    analysis = made.analysis();
    Map<ComparedMetric, Double> metrics = new EnumMap<>(ComparedMetric.class);
    Map<ComparedMetric, String> missing = new EnumMap<>(ComparedMetric.class);
    for (ComparedMetric metric : ComparedMetric.values()) {
      switch (metric.of(analysis)) {
        case Figure.Known known when known.value() > 0 -> metrics.put(metric, known.value());
        case Figure.Known known -> missing.put(metric, ComparedRun.ZERO);
        case Figure.Unavailable why -> missing.put(metric, why.reason());
      }
    }
    RunAnalysis.RunFacts run = analysis.run();
    return new ComparedRun(
        run.runId(), run.scenario(), run.startedUtc(), run.seed(), metrics, missing,
        parts(Decomposition.Whole.TTFT), parts(Decomposition.Whole.E2E), load(), likeness(),
        settings(), engine(), doubts());
  }

  @Override
  public void read(RequestRow row, int choices) {
    if (row.phase().equals(Phase.WARMUP)) {
      return;
    }
    ended++;
    failedByServer += row.ending().isFailureOfServer() ? 1 : 0;
    if (row.ending().outcome() == Outcome.OK && row.outputTokens() >= 0) {
      lengths.add(row.outputTokens(), row.maxTokens());
    }
    if (!isLaterTurn(row)) {
      ask(row);
    }
  }

  /** When a later turn comes, and whether it comes at all, the answers before it decide. */
  private boolean isLaterTurn(RequestRow row) {
    return isOfConversations && rows.plan().offsetNanos(row).isEmpty();
  }

  private void ask(RequestRow row) {
    requests++;
    // A sum does not depend on the order in which requests end.
    schedule +=
        Objects.hash(row.index(), row.requestClass(), row.promptTokens(), row.maxTokens())
            * 0x9E3779B97F4A7C15L;
    double prompt = Math.max(0, row.promptTokens());
    prompts += prompt;
    promptSquares += prompt * prompt;
    if (span.getCount() < MOST_STARTS) {
      starts.add(row.times().intended());
    }
    span.accept(row.times().intended());
    answers += row.maxTokens();
    answerSquares += (double) row.maxTokens() * row.maxTokens();
  }

  private Map<WaitPart, Double> parts(Decomposition.Whole whole) {
    Map<WaitPart, Double> parts = new EnumMap<>(WaitPart.class);
    analysis.decompositions().stream()
        .filter(one -> one.quantity() == whole && one.available())
        .findFirst()
        .ifPresent(
            one -> {
              put(parts, WaitPart.WHOLE, one.whole().value());
              one.parts().forEach(part -> put(parts, part.name(), part.mean().value()));
            });
    return parts;
  }

  private static <K> void put(Map<K, Double> into, K key, Figure figure) {
    if (figure instanceof Figure.Known known && Double.isFinite(known.value())) {
      into.put(key, known.value());
    }
  }

  private ComparedRun.Load load() {
    long count = Math.max(1, requests);
    double mean = answers / count;
    return new ComparedRun.Load(
        analysis.run().closedLoop(), requests, offeredPerSecond(),
        ratePerSecond(), prompts / count, mean, spread(answerSquares / count, mean),
        Long.toHexString(schedule + (isOfConversations ? rows.plan().asked() : 0)),
        new ComparedRun.Shape(
            spread(promptSquares / count, prompts / count), gapVariation(), lengths.scatter()));
  }

  /**
   * Of an open loop by intended starts, which are the same in both runs of a pair however soon
   * answers come; where all are one moment, what came in it.
   */
  private double offeredPerSecond() {
    if (analysis.run().closedLoop()) {
      return analysis.load().offeredPerSecond().orZero();
    }
    double seconds = (span.getMax() - span.getMin()) / NANOS;
    return seconds > 0 ? (span.getCount() - 1) / seconds : span.getCount();
  }

  private static double spread(double meanSquare, double mean) {
    return Math.sqrt(Math.max(0, meanSquare - mean * mean));
  }

  private double gapVariation() {
    long[] sorted = starts.build().sorted().toArray();
    double[] gaps =
        IntStream.range(1, sorted.length).mapToDouble(i -> sorted[i] - sorted[i - 1]).toArray();
    double mean = Arrays.stream(gaps).average().orElse(0);
    double square = Arrays.stream(gaps).map(gap -> gap * gap).average().orElse(0);
    return mean > 0 ? spread(square, mean) / mean : Double.NaN;
  }

  private double ratePerSecond() {
    List<Phase> measured =
        rows.settings().phases().stream().filter(phase -> !phase.warmup()).toList();
    return measured.size() == 1 ? measured.getFirst().requestsPerSecond() : 0;
  }

  private Map<String, String> likeness() {
    Settings settings = rows.settings();
    Map<String, String> likeness = new TreeMap<>();
    likeness.put("engine kind", words(analysis.run().source().name()));
    likeness.put("endpoint", settings.endpoint().word());
    long think = settings.timing().thinkNanos();
    likeness.put(
        "loop",
        words(settings.loop().name()) + " " + settings.concurrency()
            + (think == 0 ? "" : ", users think " + think / NANOS + " s"));
    likeness.put("phases", phases(settings));
    likeness.put("requests", requests(settings));
    Map<String, String> machine = new TreeMap<>(analysis.run().host());
    NOT_THE_MACHINE.forEach(machine::remove);
    TOLD_LATER.forEach(machine::remove);
    likeness.put("machine", machine.toString());
    return likeness;
  }

  private static String requests(Settings settings) {
    RequestForm options = settings.options();
    return "ignore_eos " + options.ignoreEos() + ", same prompts " + options.samePrompts()
        + ", usage in every chunk " + options.continuousUsage()
        + (options.withoutUsage() ? ", no usage" : "")
        + (options.withoutStream() ? ", not streamed" : "")
        + (settings.access().http2() ? ", HTTP/2 offered" : "")
        + (options.tokenLimit() == TokenLimit.MAX_TOKENS
            ? ""
            : ", limit " + options.tokenLimit().field())
        + ", extra body " + options.extraBody() + ", headers " + options.headers()
        + settings.classes().stream()
            .map(
                one ->
                    ", class " + one.name() + " of weight " + one.weight() + " for model "
                        + one.model() + " with " + one.extraBody())
            .collect(Collectors.joining());
  }

  private static String phases(Settings settings) {
    List<Phase> measured =
        settings.phases().stream().filter(phase -> !phase.warmup()).toList();
    // An open loop of so many requests ends by chance.
    boolean isCounted =
        settings.loop() == LoopShape.OPEN && settings.timing().requests() > 0
            && measured.size() == 1;
    return measured.stream()
        .map(
            phase ->
                phase.name() + " " + phase.requestsPerSecond() + "/s "
                    + (isCounted
                        ? settings.timing().requests() + " requests"
                        : phase.startNanos() / NANOS + "-" + phase.endNanos() / NANOS + " s"))
        .collect(Collectors.joining(", "));
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    RunAnalysis.RunFacts run = analysis.run();
    settings.put("model", run.model());
    if (!analysis.load().goodput().limits().isEmpty()) {
      settings.put(ComparedRun.LIMITS, limits());
    }
    analysis.engine().settings().forEach((name, value) -> settings.put("engine " + name, value));
    run.versions().forEach((name, value) -> settings.put("version " + name, value));
    run.labels().forEach((name, value) -> settings.put("label " + name, value));
    TOLD_LATER.stream()
        .filter(run.host()::containsKey)
        .forEach(fact -> settings.put("machine " + fact, run.host().get(fact)));
    if (run.host().containsKey("step_time_profile")) {
      settings.put("engine profile", run.host().get("step_time_profile"));
    }
    return settings;
  }

  private String limits() {
    return analysis.load().goodput().limits().stream()
        .map(
            limit ->
                (words(limit.metric().name()) + " " + limit.thresholdSeconds()
                        + (limit.metric().isTime() ? " s " : " ") + limit.requestClass())
                    .strip())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private Map<String, Double> engine() {
    Map<String, Double> engine = new TreeMap<>();
    put(engine, ComparedRun.PREFIX_HITS, analysis.load().prefixHitRatio());
    if (lengths.isKnown()) {
      engine.put(ComparedRun.OF_ALLOWED, lengths.share());
    }
    put(engine, "preemptions per request", analysis.load().preemptionsPerFinished());
    put(engine, "tokens per step", analysis.load().tokensPerIteration());
    found.waiting().ifPresent(range -> engine.put("waiting, most", range.maximum()));
    found.running().ifPresent(range -> engine.put("running, mean", range.mean()));
    found.kvCache().ifPresent(range -> engine.put(ComparedRun.KV_CACHE, range.maximum()));
    return engine;
  }

  private List<ComparedRun.Doubt> doubts() {
    List<ComparedRun.Doubt> doubts = new ArrayList<>();
    if (analysis.run().state() != Manifest.Ending.State.COMPLETED) {
      doubts.add(
          new ComparedRun.Doubt(
              "incomplete", "the run is " + words(analysis.run().state().name())));
    }
    Usability usability = found.usability();
    if (usability.isLedgerOpen()) {
      doubts.add(new ComparedRun.Doubt("unreconciled", "the two sides did not count the same"));
    }
    if (analysis.harness().saturated()) {
      String how =
          analysis.findings().stream()
              .filter(finding -> finding.code() == Finding.Code.CLIENT_SATURATED)
              .map(finding -> ": " + finding.evidence().getFirst())
              .findFirst()
              .orElse("");
      doubts.add(new ComparedRun.Doubt(ComparedRun.SATURATED, "the client itself was late" + how));
    }
    usability.spoilers().stream()
        .filter(finding -> finding.code() != Finding.Code.CLIENT_SATURATED)
        .forEach(one -> doubts.add(new ComparedRun.Doubt(key(one), one.withCause())));
    found.overloaded()
        .ifPresent(
            phase ->
                doubts.add(
                    new ComparedRun.Doubt(
                        ComparedRun.OVERLOADED, "requests piled up in phase " + phase.phase())));
    return doubts;
  }

  private String key(Finding finding) {
    return finding.code() == Finding.Code.NO_REQUEST_SUCCEEDED && failedByServer == ended
        ? ComparedRun.NOTHING_DONE
        : "invalid";
  }

  private static String words(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
