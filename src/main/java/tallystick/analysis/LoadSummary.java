package tallystick.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import tallystick.analysis.client.GoodRequests;
import tallystick.analysis.client.RequestCounts;
import tallystick.analysis.engine.EngineSummary;
import tallystick.analysis.engine.EngineTotals;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.LoadAccount;
import tallystick.analysis.result.LoadAccount.ShapeRow;
import tallystick.analysis.result.ReplicaAccount;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.MetricConcept;

/** Offered, admitted and completed load, and the workload's shape. */
record LoadSummary(RequestCounts counts, EngineTotals totals, RunAnalysis.EngineAccount engine) {
  /**
   * The account.
   *
   * @param clientTokens output tokens that reached the client, whatever became of their answer
   * @param replicas the engines that shared the load
   * @param good the requests that came in time
   */
  LoadAccount account(Figure clientTokens, ReplicaAccount replicas, GoodRequests good) {
    return new LoadAccount(
        counts.sentPerSecond(),
        perSecond(observations(MetricConcept.TTFT)),
        perSecond(totals.growth(MetricConcept.REQUEST_SUCCESS)),
        counts.byStatus(),
        totals.finishedByReason(),
        clientTokens.over(Figure.of(counts.windowSeconds()), "no request"),
        perSecond(totals.growth(MetricConcept.GENERATION_TOKENS)),
        perSecond(totals.growth(MetricConcept.PROMPT_TOKENS)),
        ratio(MetricConcept.PREFIX_HITS, MetricConcept.PREFIX_QUERIES),
        externalCache(),
        ratio(MetricConcept.PREEMPTIONS, MetricConcept.REQUEST_SUCCESS),
        ratio(MetricConcept.SPEC_ACCEPTED_TOKENS, MetricConcept.SPEC_DRAFT_TOKENS),
        acceptedAt(),
        tokensPerIteration(),
        waitingByReason(),
        shape(),
        replicas,
        good.goodput(counts.windowSeconds()));
  }

  /**
   * Hits as vLLM counts those of its connector, which it books at once; without them as LMCache
   * does, which books every 10 s and so lacks the window's end.
   */
  private LoadAccount.ExternalCache externalCache() {
    Figure hits = ratio(MetricConcept.EXTERNAL_PREFIX_HITS, MetricConcept.EXTERNAL_PREFIX_QUERIES);
    return new LoadAccount.ExternalCache(
        hits instanceof Figure.Known
            ? hits
            : ratio(MetricConcept.LMCACHE_LOOKUP_HITS, MetricConcept.LMCACHE_LOOKUP_TOKENS),
        mean(MetricConcept.LMCACHE_RETRIEVE_TIME),
        mean(MetricConcept.LMCACHE_STORE_TIME));
  }

  private Figure mean(MetricConcept concept) {
    return totals
        .histogram(concept)
        .map(EngineTotals.HistogramGrowth::mean)
        .orElseGet(() -> totals.missing(concept));
  }

  private List<ShapeRow> shape() {
    List<ShapeRow> rows = new ArrayList<>();
    add(rows, "prompt tokens", counts.meanPromptTokens(), MetricConcept.REQUEST_PROMPT_TOKENS);
    add(rows, "output tokens", counts.meanCompletionTokens(),
        MetricConcept.REQUEST_GENERATION_TOKENS);
    add(rows, "max_tokens", counts.meanMaxTokens(), MetricConcept.REQUEST_PARAMS_MAX_TOKENS);
    add(rows, "prompt tokens computed in prefill",
        Figure.missing("only the engine knows what its cache saved"),
        MetricConcept.REQUEST_PREFILL_KV_COMPUTED_TOKENS);
    add(rows, "preemptions", Figure.missing("only the engine knows"),
        MetricConcept.REQUEST_PREEMPTIONS);
    return rows;
  }

  private void add(List<ShapeRow> rows, String quantity, Figure client, MetricConcept concept) {
    Optional<EngineTotals.HistogramGrowth> growth = totals.histogram(concept);
    if (growth.isEmpty()) {
      rows.add(new ShapeRow(quantity, client, totals.missing(concept), List.of(),
          totals.nameOf(concept)));
      return;
    }
    EngineDistribution distribution = EngineSummary.distribution(growth.get());
    rows.add(new ShapeRow(quantity, client, distribution.mean(), distribution.brackets(),
        distribution.metric()));
  }

  /** Places of the draft by number; empty without speculative decoding. */
  private List<Double> acceptedAt() {
    OptionalDouble drafts = totals.counter(MetricConcept.SPEC_DRAFTS);
    if (drafts.isEmpty() || drafts.getAsDouble() <= 0) {
      return List.of();
    }
    return totals
        .counterBy(MetricConcept.SPEC_ACCEPTED_PER_POSITION, "position")
        .entrySet()
        .stream()
        .filter(place -> place.getKey().matches("\\d{1,4}"))
        .sorted(Comparator.comparingInt(place -> Integer.parseInt(place.getKey())))
        .map(place -> place.getValue() / drafts.getAsDouble())
        .toList();
  }

  private Map<String, Double> waitingByReason() {
    Map<String, Double> reasons = new TreeMap<>();
    engine
        .gauges()
        .forEach(
            (name, range) -> {
              int at = name.indexOf("{reason=\"");
              if (at >= 0 && name.contains("waiting_by_reason")) {
                String reason = name.substring(at + 9, name.length() - 2);
                reasons.put(reason, range.maximum());
              }
            });
    return reasons;
  }

  private Figure observations(MetricConcept concept) {
    return totals
        .histogram(concept)
        .map(growth -> Figure.of(growth.count()))
        .orElseGet(() -> totals.missing(concept));
  }

  /** Several API servers book one step once each, so neither count nor mean is one of steps. */
  private Figure tokensPerIteration() {
    Optional<EngineTotals.HistogramGrowth> growth =
        totals.histogram(MetricConcept.ITERATION_TOKENS);
    if (growth.isEmpty()) {
      return totals.missing(MetricConcept.ITERATION_TOKENS);
    }
    return totals.knowsBirths()
        ? growth.get().mean()
        : Figure.missing(
            "no _created series: several API servers may have counted each step of their own");
  }

  private Figure perSecond(Figure growth) {
    return growth.over(Figure.of(counts.windowSeconds()), "no request");
  }

  /** A ratio without a floor under its denominator: with nothing below the line it is missing. */
  private Figure ratio(MetricConcept above, MetricConcept below) {
    return totals.growth(above).over(totals.growth(below), "no observations");
  }
}
