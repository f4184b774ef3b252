package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.RuleWords;
import tallystick.plan.Phase;
import tallystick.promql.RecordedSeries;
import tallystick.promql.SeriesStore;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;

/** From recorded runs to thresholds: cuts, chooses the edge, derives, and measures {@code for}. */
public final class AlertDerivation {
  private static final long LEAST_WINDOW_MILLIS = 60_000; // docs/alerts.md, windows
  private static final long MOST_WINDOW_MILLIS = 300_000; // docs/alerts.md, windows
  private static final double EVENTS_OF_WINDOW = 300; // 268 without a bad one prove 99 %
  private static final long ROUND_MILLIS = 30_000; // the usual evaluation interval

  private final List<DerivationRun> all;
  private final AlertRequest request;
  private final Map<DerivationRun, SeriesStore> stores = new LinkedHashMap<>();
  private final Map<Cut, List<WindowRow>> cuts = new HashMap<>();
  private final Map<DerivationRun, List<StepSample>> steps = new HashMap<>();
  private final EngineNames names;

  /**
   * A derivation of several subsets of runs, whose windows are cut once.
   *
   * @param runs at least one
   */
  public AlertDerivation(List<DerivationRun> runs, AlertRequest request) {
    this.all = List.copyOf(runs);
    this.request = request;
    all.forEach(run -> stores.put(run, RecordedSeries.of(run.rows(), 0, Map.of())));
    this.names = EngineNames.of(stores.get(all.getFirst()));
  }

  /** The windows of a run do not depend on which other runs are looked at. */
  private record Cut(DerivationRun run, double edge, MetricConcept latency, long windowMillis) {}

  /**
   * Derives from runs.
   *
   * @param runs at least one
   * @throws IllegalArgumentException if the first run's engine exposes no histogram for the
   *     objective
   */
  public static DerivedAlerts derive(List<DerivationRun> runs, AlertRequest request) {
    return new AlertDerivation(runs, request).of(runs);
  }

  /** Derives from some of the runs. */
  public DerivedAlerts of(List<DerivationRun> runs) {
    Prepared prepared = prepared(runs);
    EdgeChoice edge = prepared.edge();
    WindowTable table = prepared.table();
    List<SignalOutcome> outcomes = outcomes(runs, prepared);
    SignalQuery plain = new SignalQuery(names, List.of(), prepared.latency(), edge.seconds());
    Map<Signal, Long> holds = new EnumMap<>(Signal.class);
    for (SignalOutcome outcome : outcomes) {
      if (outcome instanceof SignalOutcome.Derived derived) {
        holds.put(derived.signal(), hold(runs, derived, plain, table));
      }
    }
    SignalQuery query =
        new SignalQuery(
            names.spelled(request.spelling()), request.grouping(), prepared.latency(),
            edge.seconds(), names.scope(request.selector()));
    return new DerivedAlerts(
        request, edge, outcomes, holds, query, validity(runs, window()),
        envelope(still(runs), plain), table);
  }

  private LoadEnvelope envelope(List<DerivationRun> runs, SignalQuery plain) {
    PerEngine query = new PerEngine(plain);
    Optional<MetricConcept> missing =
        query.missing(
            MetricConcept.RUNNING, MetricConcept.ITL, MetricConcept.ITERATION_TOKENS,
            MetricConcept.PREEMPTIONS, MetricConcept.KV_CACHE_USAGE);
    if (missing.isPresent()) {
      return new LoadEnvelope.Refused(
          RefusalCode.TOO_FEW_OBSERVATIONS,
          "0 series of " + missing.get().name().toLowerCase(Locale.ROOT) + ", need 1 or more");
    }
    List<StepSample> samples = new ArrayList<>();
    for (DerivationRun run : runs) {
      if (run.usable()) {
        samples.addAll(
            steps.computeIfAbsent(
                run,
                each ->
                    StepSample.of(each, stores.get(each), query, request.intervalMillis())));
      }
    }
    return new EnvelopeFit(samples, request.intervalMillis()).envelope();
  }

  /** One for each signal: its threshold by some of the runs, or what it still lacks. */
  public List<SignalOutcome> outcomes(List<DerivationRun> runs) {
    return outcomes(runs, prepared(runs));
  }

  /** Runs cut into windows by the edge that stands for the objective. */
  private record Prepared(MetricConcept latency, EdgeChoice edge, WindowTable table) {}

  private Prepared prepared(List<DerivationRun> runs) {
    Optional<MetricConcept> histogram = Signal.histogram(request.objective().metric());
    List<Double> edges = histogram.map(names::edges).orElse(List.of());
    if (edges.isEmpty()) {
      throw new IllegalArgumentException(
          runs.getFirst().rows().manifest().runId()
              + " has no scraped histogram of "
              + request.objective().metric());
    }
    MetricConcept latency = histogram.orElseThrow();
    EdgeChoice edge =
        EdgeChoice.of(
            request.objective().thresholdSeconds(),
            edges,
            candidate ->
                ThresholdDerivation.agreement(
                    table(runs, candidate, latency, window()), Signal.BAD_RATIO));
    return new Prepared(latency, edge, table(runs, edge.seconds(), latency, window()));
  }

  /** A signal that rises with load says nothing where the engine changed under the load. */
  private List<SignalOutcome> outcomes(List<DerivationRun> runs, Prepared prepared) {
    List<SignalOutcome> all = ofAll(runs, prepared);
    List<DerivationRun> still = still(runs);
    return still.size() == runs.size()
        ? all
        : Stream.concat(
                all.stream().filter(one -> one.signal().isSymptom()),
                ofAll(still, prepared(still)).stream().filter(one -> !one.signal().isSymptom()))
            .toList();
  }

  /** Runs that met the same engine. The one that is the measure of it is always there. */
  private static List<DerivationRun> still(List<DerivationRun> runs) {
    return runs.stream().filter(run -> !run.moved()).toList();
  }

  private List<SignalOutcome> ofAll(List<DerivationRun> runs, Prepared prepared) {
    List<Signal> signals = Arrays.asList(Signal.values());
    Optional<UnmetRequirement> none = NoWindow.of(runs, request.skipMillis(), window());
    if (none.isPresent()) {
      return signals.stream()
          .<SignalOutcome>map(signal -> new SignalOutcome.Refused(signal, List.of(none.get())))
          .toList();
    }
    EdgeChoice edge = prepared.edge();
    return ThresholdDerivation.derive(prepared.table(), signals, request.seed()).stream()
        .map(outcome -> edge.measurable() ? outcome : unmeasurable(outcome, edge))
        .toList();
  }

  private long window() {
    return request.windowMillis() > 0 ? request.windowMillis() : chosenWindow();
  }

  /** No share of bad requests can be counted for an objective outside of every edge. */
  private static SignalOutcome unmeasurable(SignalOutcome outcome, EdgeChoice edge) {
    boolean untrusted =
        outcome instanceof SignalOutcome.Refused refused
            && refused.code() == RefusalCode.UNRECONCILED;
    return outcome.signal() == Signal.BAD_RATIO && !untrusted
        ? new SignalOutcome.Refused(
            outcome.signal(),
            List.of(new UnmetRequirement(Requirement.EDGES, 0, 1, edge.sentence())))
        : outcome;
  }

  /** Long enough for 300 requests at the lowest rate, short enough to give windows at all. */
  private long chosenWindow() {
    double slowest =
        all.stream()
            .flatMap(run -> run.rows().settings().phases().stream())
            .filter(Phase::hasOneRate)
            .mapToDouble(Phase::requestsPerSecond)
            .min()
            .orElse(1);
    long wanted = (long) Math.ceil(EVENTS_OF_WINDOW / slowest * 1000 / ROUND_MILLIS) * ROUND_MILLIS;
    return Math.max(LEAST_WINDOW_MILLIS, Math.min(MOST_WINDOW_MILLIS, wanted));
  }

  private WindowTable table(
      List<DerivationRun> runs, double edge, MetricConcept latency, long window) {
    List<WindowRow> rows = new ArrayList<>();
    for (DerivationRun run : runs) {
      rows.addAll(cuts.computeIfAbsent(new Cut(run, edge, latency, window), this::rows));
    }
    List<String> unreconciled =
        runs.stream()
            .filter(run -> !run.usable())
            .map(run -> run.rows().manifest().runId())
            .toList();
    Map<Signal, Double> least = new EnumMap<>(Signal.class);
    Signal.of(request.objective().metric()).forEach(own -> least.put(own, edge));
    return WindowTable.of(rows, request.objective().share(), edges(), least, unreconciled);
  }

  private List<WindowRow> rows(Cut cut) {
    SignalQuery query = new SignalQuery(names, List.of(), cut.latency(), cut.edge());
    return WindowExtraction.rows(
        cut.run(), request, stores.get(cut.run()), query, cut.windowMillis());
  }

  private Map<Signal, List<Double>> edges() {
    Map<Signal, List<Double>> edges = new EnumMap<>(Signal.class);
    for (Signal signal : Signal.values()) {
      signal.histogram().ifPresent(one -> edges.put(signal, names.edges(one)));
    }
    return edges;
  }

  private long hold(
      List<DerivationRun> runs,
      SignalOutcome.Derived derived,
      SignalQuery query,
      WindowTable table) {
    List<Integer> lengths = new ArrayList<>();
    String text = query.of(derived.signal(), "5m").orElseThrow();
    for (DerivationRun run : runs) {
      lengths.addAll(
          HoldDuration.healthyRuns(
              stores.get(run),
              text + " > " + derived.threshold(),
              table,
              run.rows().manifest().runId(),
              window(),
              request.intervalMillis()));
    }
    return HoldDuration.millis(
        lengths, request.intervalMillis(), derived.threshold(), derived.evidence());
  }

  private DerivedAlerts.Validity validity(List<DerivationRun> runs, long window) {
    List<Manifest> manifests = runs.stream().map(run -> run.rows().manifest()).toList();
    TreeSet<String> mixes =
        runs.stream().map(DerivationRun::mix).collect(Collectors.toCollection(TreeSet::new));
    String engines =
        manifests.stream()
            .map(manifest -> manifest.versions().getOrDefault("engine", "unknown"))
            .distinct()
            .collect(Collectors.joining(", "));
    String models =
        manifests.stream().map(Manifest::model).distinct().collect(Collectors.joining(", "));
    boolean simulated = manifests.stream().anyMatch(manifest -> manifest.source().isSimulated());
    String text =
        "%s%s %s, model %s, engine %s, mixes %s, objective %s <= %s s for %s"
            .formatted(
                simulated ? "SIMULATED engine, " : "",
                engineTitle(),
                engines,
                models,
                EngineFacts.of(runs.stream().map(stores::get).toList(), manifests),
                String.join(" and ", mixes),
                request.objective().metric().name().toLowerCase(Locale.ROOT),
                RuleWords.number(request.objective().thresholdSeconds()),
                request.objective().share());
    return new DerivedAlerts.Validity(
        manifests.stream().map(Manifest::runId).toList(), text, simulated, mixes.size(), window);
  }

  private String engineTitle() {
    return names.concepts().stream()
        .flatMap(concept -> names.family(concept).stream())
        .flatMap(metric -> MetricVocabulary.standard().familyOf(metric).stream())
        .map(EngineFamily::title)
        .findFirst()
        .orElse("version");
  }
}
