package tallystick.analysis;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tallystick.analysis.client.ClientTally;
import tallystick.analysis.engine.EngineBatches;
import tallystick.analysis.engine.EngineReading;
import tallystick.analysis.engine.EngineTotals;
import tallystick.analysis.engine.TargetReading;
import tallystick.analysis.result.Decomposition.Part;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.Reconciliation.Id;
import tallystick.analysis.result.Reconciliation.Row;
import tallystick.analysis.result.Reconciliation.Status;
import tallystick.analysis.result.WaitPart;
import tallystick.analysis.statistics.BatchedMean;
import tallystick.analysis.statistics.TimeBatches;
import tallystick.runrecord.MetricConcept;
import tallystick.scenario.Formatted;
import tallystick.scenario.Target;

/**
 * The engines that compute each prompt and one token before another engine answers: what they
 * counted, and what they add to a wait. Their means add up with those of the others; percentiles
 * would not.
 */
record PrefillPool(
    long asked, boolean haveMoved, EngineReading reading, EngineTotals totals,
    EngineTotals answering) {
  /** An engine rest below this says that clocks or populations differ. */
  static final double NEGATIVE_REST_SECONDS = -0.001;

  private static final String OUTSIDE = "client from request written less the engine's mean";

  static PrefillPool of(RunReading run) {
    List<Target> targets = run.manifest().targets();
    return new PrefillPool(
        targets.stream().filter(Target::onlyPrefills).count(),
        run.harness().moves().all().stream()
            .filter(move -> move.target() < targets.size())
            .anyMatch(move -> targets.get(move.target()).onlyPrefills()),
        run.scrapes().prefill(),
        new EngineTotals(run.scrapes().prefill().targets().values()),
        run.totals());
  }

  /** The rows R10 to R12; none if no target is a prefill engine. */
  List<Row> rows(ClientTally client) {
    if (asked == 0) {
      return List.of();
    }
    // What has a first token was prefilled; what has none may have been.
    double slack = client.openWithoutToken() + client.refused();
    double tokenSlack = client.refused() > 0 ? Double.POSITIVE_INFINITY : client.prompts().slack();
    return List.of(
        row(client, Id.R10, "prefill pool: requests finished", client.withFirstToken(), slack,
            MetricConcept.REQUEST_SUCCESS),
        row(client, Id.R11, "prefill pool: prompt tokens", client.prompts().count(), tokenSlack,
            MetricConcept.PROMPT_TOKENS),
        row(client, Id.R12, "prefill pool: output tokens, one a request", client.withFirstToken(),
            slack, MetricConcept.GENERATION_TOKENS));
  }

  private Row row(
      ClientTally client, Id id, String quantity, double count, double slack,
      MetricConcept concept) {
    String source = totals.nameOf(concept);
    String why = whyNotChecked(client, id);
    if (why.isEmpty()) {
      return Ledger.row(id, quantity, count, totals.growth(concept), 0, slack, source);
    }
    Figure none = Figure.missing(why);
    return new Row(
        id, quantity, Figure.of(count), none, 0, slack, Status.NOT_CHECKED, source, none);
  }

  private String whyNotChecked(ClientTally client, Id id) {
    if (client.extraChoices() > 0) {
      return "requests with n > 1 are one at the client and several in an engine";
    }
    return id == Id.R11 && client.usageMissing() > 0
        ? "usage is missing on " + client.usageMissing() + " finished requests"
        : fault();
  }

  /** Why its counts are not those of the window; empty if they are. */
  private String fault() {
    if (haveMoved) {
      return "prefill targets came or went in the run";
    }
    Collection<TargetReading> engines = reading.targets().values();
    if (engines.size() < asked) {
      return "%s of %s prefill targets have metrics around the window"
          .formatted(engines.size(), asked);
    }
    if (engines.stream().anyMatch(one -> one.restarted() || one.alternates())) {
      return "a prefill engine restarted in the window, or several answered in turn";
    }
    if (engines.stream().anyMatch(one -> !one.beganBefore())) {
      return "a prefill target has no good scrape before the window";
    }
    return engines.stream()
            .anyMatch(one -> !one.changedOwners().isEmpty() || !one.gaps().gone().isEmpty())
        ? "series of a prefill target changed in the window"
        : "";
  }

  /**
   * The part of a wait outside the engine that answers, less the pool's own where it can be told.
   *
   * @param requests of which the wait is
   * @param means the part's in seconds
   */
  List<Part> outside(TimeBatches batches, double requests, BatchedMean.Means means) {
    if (asked == 0) {
      return List.of(new Part(WaitPart.OUTSIDE, batches.interval(means), OUTSIDE));
    }
    Optional<EngineTotals.HistogramGrowth> whole = totals.histogram(MetricConcept.E2E);
    double count = whole.map(EngineTotals.HistogramGrowth::count).orElse(0.0);
    BatchedMean.Means inPool =
        new BatchedMean.Means(
            whole.map(growth -> growth.mean().orNaN()).orElse(Double.NaN),
            new EngineBatches(batches, reading).means(Latency.E2E));
    BatchedMean.Means rest = means.minus(inPool);
    String why = whyTogether(requests, count, rest.all());
    if (!why.isEmpty()) {
      return List.of(new Part(WaitPart.OUTSIDE, batches.interval(means),
          OUTSIDE + "; the prefill pool is in it: " + why));
    }
    return List.of(
        new Part(
            WaitPart.OUTSIDE, batches.interval(rest),
            OUTSIDE + " and the prefill pool's: router and network"),
        new Part(WaitPart.PREFILL_POOL, batches.interval(inPool),
            totals.nameOf(MetricConcept.E2E) + " of the prefill pool; " + transfer()));
  }

  /** Why the pool's part cannot be told from the rest of the way; empty if it can. */
  private String whyTogether(double requests, double count, double rest) {
    if (!fault().isEmpty()) {
      return fault();
    }
    if (count != requests) {
      return Formatted.of("%.0f requests at the client, %.0f in the pool", requests, count);
    }
    return rest < NEGATIVE_REST_SECONDS ? "the pools worked at the same time" : "";
  }

  /** The engine that answers waits for it in its own queue, so it is no part beside that one. */
  private String transfer() {
    return answering
        .histogram(MetricConcept.NIXL_TRANSFER_TIME)
        .filter(growth -> growth.count() > 0)
        .map(
            growth ->
                Formatted.of(
                    "%.0f transfers by NIXL took %.1f ms on average, inside the engine that"
                        + " answers",
                    growth.count(), growth.sum() / growth.count() * 1e3))
        .orElse("transfer n/a (no NIXL transfer is recorded)");
  }
}
