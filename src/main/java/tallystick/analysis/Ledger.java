package tallystick.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeSet;
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
      OptionalDouble booked = OptionalDouble.of(finished.getOrDefault(reason, 0.0));
      add(Id.R1, "requests finished by " + reason, seen, booked, 0, slack,
          family + "{" + engine.family().labels().finishReason() + "=\"" + reason + "\"}");
    }
  }

  private void addFirstTokens() {
    Optional<EngineTotals.HistogramGrowth> ttft = engine.histogram(MetricConcept.TTFT);
    add(Id.R2, "requests with a first token", client.withFirstToken(), count(ttft), 0,
        client.openWithoutToken(), name(ttft, MetricConcept.TTFT) + "_count");
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
  private record Booked(OptionalDouble count, String source) {}

  private Booked booked(
      MetricConcept concept, OptionalDouble atFrontend, MetricConcept frontendConcept) {
    OptionalDouble own = engine.counter(concept);
    return own.isEmpty() && atFrontend.isPresent()
        ? new Booked(atFrontend, frontends.source(frontendConcept))
        : new Booked(own, engine.nameOf(concept));
  }

  private void addUsage(
      Id id, String quantity, double tokens, Booked booked, double slack) {
    String source = booked.source();
    if (client.usageMissing() > 0) {
      Figure none =
          Figure.missing("usage is missing on " + client.usageMissing() + " finished requests");
      rows.add(
          new Row(id, quantity, none, figure(booked.count(), source), 0, 0,
              Status.NOT_CHECKED, source, none));
      return;
    }
    add(id, quantity, tokens, booked.count(), 0, slack, source);
  }

  /** Inside the engine: one gap is observed for each token, or each step, after the first. */
  private void addGapIdentity() {
    OptionalDouble tokens = engine.counter(MetricConcept.GENERATION_TOKENS);
    OptionalDouble firsts = count(engine.histogram(MetricConcept.TTFT));
    Optional<EngineTotals.HistogramGrowth> itl = engine.histogram(MetricConcept.ITL);
    String source = name(itl, MetricConcept.ITL) + "_count";
    String quantity = "gaps: R4 less R2, inside the engine";
    if (tokens.isEmpty() || firsts.isEmpty()) {
      Figure none = Figure.missing("the engine exposes no tokens or no first tokens");
      rows.add(
          new Row(Id.R5, quantity, none, figure(count(itl), source), 0, 0, Status.NOT_CHECKED,
              source, none));
      return;
    }
    double expected = tokens.getAsDouble() - firsts.getAsDouble();
    // A request that is left has gaps, but no tokens where they are counted at the finish.
    boolean isGapWithoutToken = engine.family().counting().tokensAtFinish() && client.open() > 0;
    double aborts =
        isGapWithoutToken
            ? Double.POSITIVE_INFINITY
            : engine.finishedByReason().getOrDefault("abort", 0.0);
    // Several tokens in a step give fewer gaps; an engine-side abort gives one without a token.
    add(Id.R5, quantity, expected, count(itl), -Math.max(0, expected), aborts, source);
  }

  /** Everything observed when a request finishes has the same count. */
  private void addObservedAtFinish() {
    Map<OptionalDouble, List<String>> families = new LinkedHashMap<>();
    for (MetricConcept concept : engine.family().counting().observedAtFinish()) {
      Optional<EngineTotals.HistogramGrowth> growth = engine.histogram(concept);
      families
          .computeIfAbsent(count(growth), any -> new ArrayList<>())
          .add(name(growth, concept) + "_count");
    }
    if (families.size() > 1) {
      // A family that is not exposed says nothing against those that are.
      families.remove(OptionalDouble.empty());
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
    Optional<EngineTotals.HistogramGrowth> prompts =
        engine.histogram(MetricConcept.REQUEST_PROMPT_TOKENS);
    String source = name(prompts, MetricConcept.REQUEST_PROMPT_TOKENS) + "_sum";
    OptionalDouble sum = sum(prompts);
    if (client.usageMissing() > 0) {
      Figure none = Figure.missing("usage is missing");
      rows.add(
          new Row(Id.R7, "prompt tokens of finished requests", none, figure(sum, source), 0, 0,
              Status.NOT_CHECKED, source, none));
      return;
    }
    ClientTally.Tokens finished = client.finishedPrompts();
    add(Id.R7, "prompt tokens of finished requests", finished.count(), sum, 0, finished.slack(),
        source);
  }

  /** The client's interval contains the engine's, so only the sign is tested. */
  private void addE2eSum() {
    Optional<EngineTotals.HistogramGrowth> e2e = engine.histogram(MetricConcept.E2E);
    String source = name(e2e, MetricConcept.E2E) + "_sum";
    OptionalDouble sum = sum(e2e);
    String quantity = "seconds from written to ended, finished requests; sign only";
    boolean samePopulation =
        count(e2e).isPresent()
            && count(e2e).getAsDouble() == client.completed()
            && client.unknown() == 0
            && client.isE2eComplete();
    if (!samePopulation) {
      Figure seconds = Figure.of(client.e2eSeconds());
      rows.add(
          new Row(Id.R8, quantity, seconds, figure(sum, source), 0, 0, Status.NOT_CHECKED, source,
              Figure.missing("the two sides do not hold the same requests")));
      return;
    }
    double engineSum = sum.orElse(0);
    boolean contained = engineSum <= client.e2eSeconds();
    rows.add(
        new Row(Id.R8, quantity, Figure.of(client.e2eSeconds()), Figure.of(engineSum),
            Double.NEGATIVE_INFINITY, 0, contained ? Status.EXACT : Status.DIFFERS, source,
            Figure.of(engineSum - client.e2eSeconds())));
  }

  /** Refused requests must have left no trace: no finish beyond those the client saw. */
  private void addRefused() {
    if (client.refused() == 0) {
      return;
    }
    OptionalDouble finished = engine.counter(MetricConcept.REQUEST_SUCCESS);
    OptionalDouble traces =
        finished.isPresent()
            ? OptionalDouble.of(finished.getAsDouble() - client.completed())
            : OptionalDouble.empty();
    add(Id.R9, client.refused() + " refused requests: finishes they left in the engine", 0, traces,
        0, client.mayHaveFinished(), engine.nameOf(MetricConcept.REQUEST_SUCCESS));
  }

  private void add(
      Id id, String quantity, double count, OptionalDouble booked, double low, double high,
      String source) {
    rows.add(row(id, quantity, count, booked, low, high, source));
  }

  /** A row; not checked where the engine has no count. */
  static Row row(
      Id id, String quantity, double count, OptionalDouble booked, double low, double high,
      String source) {
    if (booked.isEmpty()) {
      Figure none = Figure.missing("the engine does not expose it");
      return new Row(
          id, quantity, Figure.of(count), none, low, high, Status.NOT_CHECKED, source, none);
    }
    double difference = booked.getAsDouble() - count;
    return new Row(
        id, quantity, Figure.of(count), Figure.of(booked.getAsDouble()), low, high,
        status(difference, low, high), source, Figure.of(difference));
  }

  private static Status status(double difference, double low, double high) {
    if (difference == 0) {
      return Status.EXACT;
    }
    if (difference < low || difference > high) {
      return Status.DIFFERS;
    }
    // A tolerance without an end tells nothing.
    return Double.isInfinite(high) && difference > 0
        ? Status.NOT_CHECKED
        : Status.WITHIN_TOLERANCE;
  }

  private static OptionalDouble count(Optional<EngineTotals.HistogramGrowth> growth) {
    return growth.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(growth.get().count());
  }

  private static OptionalDouble sum(Optional<EngineTotals.HistogramGrowth> growth) {
    return growth.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(growth.get().sum());
  }

  private static String name(
      Optional<EngineTotals.HistogramGrowth> growth, MetricConcept concept) {
    return growth.map(EngineTotals.HistogramGrowth::family).orElse(concept.name());
  }

  private static Figure figure(OptionalDouble value, String source) {
    return value.isPresent()
        ? Figure.of(value.getAsDouble())
        : Figure.missing("the engine does not expose " + source);
  }
}
