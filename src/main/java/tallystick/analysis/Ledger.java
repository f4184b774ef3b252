package tallystick.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import tallystick.analysis.client.ClientTally;
import tallystick.analysis.engine.EngineTotals;
import tallystick.analysis.exporters.FrontendCounts;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Reconciliation.Id;
import tallystick.analysis.result.Reconciliation.Row;
import tallystick.analysis.result.Reconciliation.Status;
import tallystick.runrecord.MetricConcept;

/** Lays the client's counts beside the engine's, row by row; raw deltas, nothing estimated. */
final class Ledger {
  private final ClientTally client;
  private final EngineTotals engine;
  private final FrontendCounts frontends;
  private final boolean hasStopStrings;
  private final List<Row> rows = new ArrayList<>();

  /**
   * A ledger of one window.
   *
   * @param frontends count what the engine does not
   * @param hasStopStrings whether requests ask for stop strings, which the engine finds up to a
   *     step late
   */
  Ledger(
      ClientTally client, EngineTotals engine, FrontendCounts frontends, boolean hasStopStrings) {
    this.client = client;
    this.engine = engine;
    this.frontends = frontends;
    this.hasStopStrings = hasStopStrings;
  }

  /** The rows R1 to R9. */
  List<Row> rows() {
    rows.clear();
    addFinished();
    addFirstTokens();
    addTokens();
    addGapIdentity();
    addObservedAtFinish();
    addPromptSum();
    addE2eSum();
    addRefused();
    return List.copyOf(rows);
  }

  private void addFinished() {
    String family = engine.nameOf(MetricConcept.REQUEST_SUCCESS);
    Map<String, Double> finished = engine.finishedByReason();
    // The engine may finish a request before it learns that its client has left.
    double slack = client.mayHaveFinished() + client.completedWithoutReason();
    if (client.extraChoices() > 0 || finished.isEmpty()) {
      // One finish reason is seen of several answers, so only the total can be compared.
      Booked all =
          booked(
              MetricConcept.REQUEST_SUCCESS, frontends.finished(), MetricConcept.DYNAMO_REQUESTS);
      add(Id.R1, "requests finished, any reason", client.completed(), all.count(), 0,
          client.mayHaveFinished(), all.source());
      return;
    }
    SortedSet<String> reasons = new TreeSet<>(client.completedByReason().keySet());
    finished.forEach(
        (reason, count) -> {
          if (count != 0) {
            reasons.add(reason);
          }
        });
    if (reasons.isEmpty()) {
      reasons.add("length");
    }
    for (String reason : reasons) {
      long seen = client.completedByReason().getOrDefault(reason, 0L);
      Figure booked = Figure.of(finished.getOrDefault(reason, 0.0));
      add(Id.R1, "requests finished by " + reason, seen, booked, 0, slack,
          family + "{" + engine.family().labels().finishReason() + "=\"" + reason + "\"}");
    }
  }

  private void addFirstTokens() {
    if (engine.family().counting().observedAtFinish().contains(MetricConcept.TTFT)) {
      add(Id.R2, "first tokens of finished requests", client.completed(),
          count(MetricConcept.TTFT), 0, client.mayHaveFinished(),
          engine.nameOf(MetricConcept.TTFT) + "_count");
      return;
    }
    add(Id.R2, "requests with a first token", client.withFirstToken(), count(MetricConcept.TTFT),
        0, client.openWithoutToken(), engine.nameOf(MetricConcept.TTFT) + "_count");
  }

  private void addTokens() {
    double late = hasStopStrings ? client.stops() : 0;
    boolean atFinish = engine.family().counting().tokensAtFinish();
    ClientTally.Tokens prompts = atFinish ? client.finishedPrompts() : client.prompts();
    ClientTally.Tokens outputs = atFinish ? client.finishedOutputs() : client.outputs();
    String of = atFinish ? " of finished requests" : "";
    addUsage(Id.R3, "prompt tokens" + of, prompts.count(),
        booked(
            MetricConcept.PROMPT_TOKENS, frontends.promptTokens(),
            MetricConcept.DYNAMO_INPUT_LENGTH),
        prompts.slack());
    addUsage(Id.R4, "output tokens" + of, outputs.count(),
        booked(
            MetricConcept.GENERATION_TOKENS, frontends.outputTokens(),
            MetricConcept.DYNAMO_OUTPUT_TOKENS),
        outputs.slack() + late);
  }

  /** What a server counted, and by which series. */
  private record Booked(Figure count, String source) {}

  private Booked booked(
      MetricConcept concept, OptionalDouble atFrontend, MetricConcept frontendConcept) {
    return engine.counter(concept).isEmpty() && atFrontend.isPresent()
        ? new Booked(Figure.of(atFrontend.getAsDouble()), frontends.source(frontendConcept))
        : new Booked(engine.growth(concept), engine.nameOf(concept));
  }

  private void addUsage(Id id, String quantity, double tokens, Booked booked, double slack) {
    String source = booked.source();
    if (client.usageMissing() > 0) {
      Figure none =
          Figure.missing("usage is missing on " + client.usageMissing() + " finished requests");
      rows.add(new Row(id, quantity, none, booked.count(), 0, 0, Status.NOT_CHECKED, source, none));
      return;
    }
    add(id, quantity, tokens, booked.count(), 0, slack, source);
  }

  /** Inside the engine: one gap is observed for each token, or each step, after the first. */
  private void addGapIdentity() {
    Figure tokens = engine.growth(MetricConcept.GENERATION_TOKENS);
    Figure firsts = count(MetricConcept.TTFT);
    Figure gaps = count(MetricConcept.ITL);
    String source = engine.nameOf(MetricConcept.ITL) + "_count";
    String quantity = "gaps: R4 less R2, inside the engine";
    if (!(tokens instanceof Figure.Known made) || !(firsts instanceof Figure.Known begun)) {
      Figure none = tokens instanceof Figure.Known ? firsts : tokens;
      rows.add(new Row(Id.R5, quantity, none, gaps, 0, 0, Status.NOT_CHECKED, source, none));
      return;
    }
    double expected = made.value() - begun.value();
    // A request that is left has gaps, but no tokens where they are counted at the finish.
    boolean isGapWithoutToken = engine.family().counting().tokensAtFinish() && client.open() > 0;
    double aborts = isGapWithoutToken ? Double.POSITIVE_INFINITY : aborts();
    // Several tokens in a step give fewer gaps; an engine-side abort gives one without a token.
    add(Id.R5, quantity, expected, gaps, -Math.max(0, expected), aborts, source);
  }

  /** Without end where the engine tells them, but not in this run. */
  private double aborts() {
    Map<String, Double> finished = engine.finishedByReason();
    boolean isUntold = finished.isEmpty() && !engine.family().labels().finishReason().isEmpty();
    return isUntold ? Double.POSITIVE_INFINITY : finished.getOrDefault("abort", 0.0);
  }

  /** Everything observed when a request finishes has the same count. */
  private void addObservedAtFinish() {
    Map<Figure, List<String>> families = new LinkedHashMap<>();
    for (MetricConcept concept : engine.family().counting().observedAtFinish()) {
      families
          .computeIfAbsent(count(concept), any -> new ArrayList<>())
          .add(engine.nameOf(concept) + "_count");
    }
    if (families.keySet().stream().anyMatch(Figure.Known.class::isInstance)) {
      // A family that is not exposed says nothing against those that are.
      families.keySet().removeIf(Figure.Unavailable.class::isInstance);
    }
    families.forEach(
        (count, names) ->
            add(Id.R6,
                families.size() == 1
                    ? "requests observed at finish"
                    : "requests observed at finish, " + names.getFirst(),
                client.completed(), count, 0, client.mayHaveFinished(),
                String.join(" = ", names)));
  }

  private void addPromptSum() {
    String source = engine.nameOf(MetricConcept.REQUEST_PROMPT_TOKENS) + "_sum";
    boolean isOfFinished =
        engine.family().counting().observedAtFinish().contains(MetricConcept.REQUEST_PROMPT_TOKENS);
    Figure sum =
        isOfFinished
            ? sum(MetricConcept.REQUEST_PROMPT_TOKENS)
            : Figure.missing("the engine does not tell prompts of finished requests alone");
    if (client.usageMissing() > 0) {
      Figure none = Figure.missing("usage is missing");
      rows.add(new Row(Id.R7, "prompt tokens of finished requests", none, sum, 0, 0,
          Status.NOT_CHECKED, source, none));
      return;
    }
    ClientTally.Tokens finished = client.finishedPrompts();
    add(Id.R7, "prompt tokens of finished requests", finished.count(), sum, 0, finished.slack(),
        source);
  }

  /** The client's interval contains the engine's, so only the sign is tested. */
  private void addE2eSum() {
    String source = engine.nameOf(MetricConcept.E2E) + "_sum";
    Figure sum = sum(MetricConcept.E2E);
    String quantity = "seconds from written to ended, finished requests; sign only";
    boolean samePopulation =
        count(MetricConcept.E2E).orNaN() == client.completed()
            && client.unknown() == 0
            && client.isE2eComplete();
    if (!samePopulation) {
      Figure seconds = Figure.of(client.e2eSeconds());
      rows.add(new Row(Id.R8, quantity, seconds, sum, 0, 0, Status.NOT_CHECKED, source,
          Figure.missing("the two sides do not hold the same requests")));
      return;
    }
    double engineSum = sum.orNaN();
    boolean contained = engineSum <= client.e2eSeconds();
    rows.add(new Row(Id.R8, quantity, Figure.of(client.e2eSeconds()), sum,
        Double.NEGATIVE_INFINITY, 0, contained ? Status.EXACT : Status.DIFFERS, source,
        Figure.of(engineSum - client.e2eSeconds())));
  }

  /** Refused requests must have left no trace: no finish beyond those the client saw. */
  private void addRefused() {
    if (client.refused() == 0) {
      return;
    }
    Figure finished = engine.growth(MetricConcept.REQUEST_SUCCESS);
    Figure traces =
        finished instanceof Figure.Known known
            ? Figure.of(known.value() - client.completed())
            : finished;
    add(Id.R9, client.refused() + " refused requests: finishes they left in the engine", 0, traces,
        0, client.mayHaveFinished(), engine.nameOf(MetricConcept.REQUEST_SUCCESS));
  }

  private void add(
      Id id, String quantity, double count, Figure booked, double low, double high, String source) {
    rows.add(row(id, quantity, count, booked, low, high, source));
  }

  /** A row; not checked where the engine has no count. */
  static Row row(
      Id id, String quantity, double count, Figure booked, double low, double high, String source) {
    if (!(booked instanceof Figure.Known known)) {
      return new Row(
          id, quantity, Figure.of(count), booked, low, high, Status.NOT_CHECKED, source, booked);
    }
    double difference = known.value() - count;
    return new Row(
        id, quantity, Figure.of(count), booked, low, high, status(difference, low, high), source,
        Figure.of(difference));
  }

  private static Status status(double difference, double low, double high) {
    if (difference == 0) {
      return Status.EXACT;
    }
    if (difference < low || difference > high) {
      return Status.DIFFERS;
    }
    // A tolerance without an end tells nothing.
    return Double.isInfinite(high) && difference > 0 ? Status.NOT_CHECKED : Status.WITHIN_TOLERANCE;
  }

  private Figure count(MetricConcept concept) {
    return of(concept, EngineTotals.HistogramGrowth::count);
  }

  private Figure sum(MetricConcept concept) {
    return of(concept, EngineTotals.HistogramGrowth::sum);
  }

  private Figure of(MetricConcept concept, ToDoubleFunction<EngineTotals.HistogramGrowth> part) {
    return engine
        .histogram(concept)
        .map(growth -> Figure.of(part.applyAsDouble(growth)))
        .orElseGet(() -> engine.missing(concept));
  }
}
