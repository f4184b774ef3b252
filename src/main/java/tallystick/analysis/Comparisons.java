package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import tallystick.analysis.client.ClientSide;
import tallystick.analysis.client.ClientTally;
import tallystick.analysis.client.LatencySamples;
import tallystick.analysis.client.RequestCounts;
import tallystick.analysis.engine.EngineTotals;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.Comparison.ComparedPercentile;
import tallystick.analysis.result.Comparison.Verdict;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.GapAnalysis;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Latency;
import tallystick.analysis.statistics.SampleSet;
import tallystick.runrecord.MetricConcept;
import tallystick.scenario.Formatted;

/** Client and engine beside each other, never a difference of interpolated percentiles. */
record Comparisons(
    LatencySamples client, RequestCounts counts, ClientTally tally, EngineTotals totals,
    Map<Latency, EngineDistribution> engine, Map<Latency, Interval> meanGaps) {
  /** An overhead up to this, or twice the mean gap, needs no explanation. */
  private static final double ACCEPTED_SECONDS = 0.05;

  /** Chunks with several tokens beyond this share make gaps and tokens different things. */
  private static final double MERGED_LIMIT = 0.01;

  /** A percentile below its bracket by more than this, or this share, is no jitter. */
  private static final double JITTER_SECONDS = 0.002;

  private static final double JITTER = 0.05; // of the lower end of its bracket

  /** Means of the same requests are in order, but for a clock that is being slewed. */
  private static final double SLEWED = 5e-4;

  /** Stamps of several threads that change places leave no more in a mean. */
  private static final double STAMPED_SECONDS = 1e-4;

  /** A gateway that paces a stream changes its usual gaps, too: so large a share of them. */
  private static final double EVENED = 0.1;

  /** Counts that differ more than this hold different requests. */
  private static final double POPULATION_LIMIT = 0.01;

  Comparisons(
      ClientSide side, EngineTotals totals, Map<Latency, EngineDistribution> engine,
      Map<Latency, Interval> meanGaps) {
    this(side.latencies(), side.counts(), side.tally(), totals, engine, meanGaps);
  }

  /** TTFT, E2E, ITL and TPOT, in this order. */
  List<Comparison> all() {
    // A last step without text, as a stop token is, ends after the last chunk.
    SampleSet ends = tally.stops() > 0 ? client.endFromWritten() : client.e2eFromWritten();
    Comparison ttft = contained(Latency.TTFT, client.ttftFromWritten());
    Comparison e2e = contained(Latency.E2E, ends);
    return List.of(ttft, e2e, itl(jitter(ttft, e2e)), tpot());
  }

  /** A comparison that cannot be true spoils the run, whichever side is wrong. */
  static List<Finding> findings(List<Comparison> comparisons) {
    List<String> lines =
        comparisons.stream()
            .filter(comparison -> comparison.verdict() == Verdict.INCONSISTENT)
            .map(of -> of.quantity() + ": " + of.explanation())
            .toList();
    return lines.isEmpty()
        ? List.of()
        : List.of(new Finding(Code.ACCOUNTS_INCONSISTENT,
            "The client's times and the engine's cannot both be true.", lines,
            "Check that the metrics are those of the engine that answered, that no clock was"
                + " set, and that nobody edited the record."));
  }

  /** A quantity whose client interval contains the engine's. */
  private Comparison contained(Latency quantity, SampleSet samples) {
    EngineDistribution other = engine.get(quantity);
    if (other == null || samples.count() == 0) {
      return notChecked(quantity, samples, other);
    }
    if (tally.extraChoices() > 0) {
      return notComparable(
          quantity,
          Figure.of(samples.meanSeconds()),
          other.mean(),
          "requests with n > 1 are one stream at the client and several requests in the engine");
    }
    if (differ(samples.count(), other.count())) {
      return notComparable(quantity, Figure.of(samples.meanSeconds()), other.mean(),
          populations(samples.count(), other.count()));
    }
    double meanGap = samples.meanSeconds() - other.mean().orNaN();
    boolean sameRequests = samples.count() == Math.round(other.count());
    GapAnalysis gap =
        BucketEdgeOverhead.of(
            samples,
            other,
            sameRequests
                ? meanGaps.getOrDefault(quantity, Interval.missing("no batches of time"))
                : Interval.missing(populations(samples.count(), other.count())));
    List<ComparedPercentile> percentiles = percentiles(samples, other);
    double accepted = Math.max(ACCEPTED_SECONDS, 2 * meanGap);
    boolean shorter = meanGap < -(STAMPED_SECONDS + SLEWED * samples.meanSeconds());
    Verdict verdict =
        BucketEdgeOverhead.isFaster(samples, other) || sameRequests && shorter
            ? Verdict.INCONSISTENT
            : verdict(percentiles, accepted);
    return new Comparison(
        quantity, Figure.of(samples.meanSeconds()), other.mean(), Figure.of(meanGap), percentiles,
        verdict, explain(verdict, gap, meanGap, accepted), gap);
  }

  private Comparison itl(GapJitter jitter) {
    EngineDistribution other = engine.get(Latency.ITL);
    if (other == null || client.chunkGaps().count() == 0) {
      return notChecked(Latency.ITL, client.chunkGaps(), other);
    }
    Figure clientMean =
        client.decodeTokens() > 0
            ? Figure.of(client.decodeSeconds() / client.decodeTokens())
            : Figure.missing("the server did not say how many tokens the answers have");
    Figure engineMean = engineSecondsPerToken(other);
    if (!chunksAreTokens()) {
      return notComparable(Latency.ITL, clientMean, engineMean, chunkReason());
    }
    double gaps = client.decodeTokens() > 0 ? client.decodeTokens() : client.chunkGaps().count();
    if (differ(gaps, other.count())) {
      // The engine observes gaps of requests that failed or were left, too.
      return notComparable(
          Latency.ITL, clientMean, engineMean, gapPopulations(gaps, other.count()));
    }
    double missing = Math.max(0, other.count() - client.chunkGaps().count());
    GapAnalysis edges = BucketEdgeOverhead.ofGaps(client.chunkGaps(), other, jitter, missing);
    return steps(
        Latency.ITL, clientMean, engineMean, percentiles(client.chunkGaps(), other), edges);
  }

  /** Tokens are late as first and last ones are; where nobody tells of those, without bound. */
  private static GapJitter jitter(Comparison ttft, Comparison e2e) {
    if (ttft.gap().constantGap().high() instanceof Figure.Known first
        && e2e.gap().constantGap().high() instanceof Figure.Known last) {
      return GapJitter.constant(Math.max(first.value(), last.value()));
    }
    return GapJitter.varying(
        ttft.gap().available() && ttft.meanGap() instanceof Figure.Known mean
            ? Math.max(0, mean.value())
            : Double.POSITIVE_INFINITY);
  }

  private Comparison tpot() {
    EngineDistribution other = engine.get(Latency.TPOT);
    if (other == null || client.tpot().count() == 0) {
      return notChecked(Latency.TPOT, client.tpot(), other);
    }
    Figure clientMean = Figure.of(client.tpot().meanSeconds());
    if (client.tpot().count() != Math.round(other.count())) {
      // The engine observes 0 for an answer of one token; the client observes nothing.
      return notComparable(
          Latency.TPOT, clientMean, other.mean(),
          populations(client.tpot().count(), other.count()));
    }
    if (!chunksAreTokens()) {
      return notComparable(Latency.TPOT, clientMean, other.mean(), chunkReason());
    }
    return steps(Latency.TPOT, clientMean, other.mean(), percentiles(client.tpot(), other),
        GapAnalysis.absent("gaps and tokens are not contained in one another"));
  }

  /** A quantity whose client interval does not contain the engine's: jitter goes both ways. */
  private static Comparison steps(
      Latency quantity, Figure clientMean, Figure engineMean, List<ComparedPercentile> compared,
      GapAnalysis edges) {
    Figure meanGap = difference(clientMean, engineMean);
    double gap = meanGap.orZero();
    double accepted = Math.max(ACCEPTED_SECONDS, 2 * gap);
    boolean held = compared.stream().anyMatch(Comparisons::isBelowBracket);
    Verdict verdict = held ? Verdict.NOT_EXPLAINED : verdict(compared, accepted);
    String text =
        switch (verdict) {
          case EXPLAINED -> "each percentile lies within its bucket and the accepted overhead";
          case NOT_EXPLAINED ->
              held
                  ? "the client has shorter gaps than the engine: tokens were held back on their"
                      + " way and came together"
                  : "the client is slower than the buckets and overhead allow";
          case INCONSISTENT, NOT_COMPARABLE, NOT_CHECKED ->
              "too few gaps for any percentile; the means are exact";
        };
    if (!edges.orderViolations().isEmpty()) {
      boolean isEvened = edges.ksLow() instanceof Figure.Known apart && apart.value() > EVENED;
      verdict = isEvened ? Verdict.NOT_EXPLAINED : Verdict.INCONSISTENT;
      text =
          "long gaps of the engine above "
              + edges.orderViolations()
              + " s are not at the client: "
              + (isEvened
                  ? "usual gaps differ as well, so something on the way evens the stream out"
                  : "its arrivals were changed");
    }
    return new Comparison(
        quantity, clientMean, engineMean, meanGap, compared, verdict, text, edges);
  }

  private static boolean isBelowBracket(ComparedPercentile percentile) {
    return percentile.client() instanceof Figure.Known client
        && percentile.low() instanceof Figure.Known low
        && client.value() - low.value() < -Math.max(JITTER_SECONDS, JITTER * low.value());
  }

  private Figure engineSecondsPerToken(EngineDistribution itl) {
    OptionalDouble tokens = totals.counter(MetricConcept.GENERATION_TOKENS);
    EngineDistribution ttft = engine.get(Latency.TTFT);
    if (tokens.isEmpty() || ttft == null || tokens.getAsDouble() <= ttft.count()) {
      return itl.mean();
    }
    double seconds = itl.mean().orNaN() * itl.count();
    return itl.count() > 0
        ? Figure.of(seconds / (tokens.getAsDouble() - ttft.count()))
        : itl.mean();
  }

  private boolean chunksAreTokens() {
    return counts.unknownChunks() == 0 && counts.mergedShare() <= MERGED_LIMIT;
  }

  private String chunkReason() {
    if (counts.unknownChunks() > 0) {
      return "the server did not say how many tokens a chunk carries; only means are compared";
    }
    return Formatted.of(
        "%.1f %% of the chunks carry several tokens, so chunk gaps are not token gaps;"
            + " only means are compared, the client's of the tokens after its first chunk",
        counts.mergedShare() * 100);
  }

  private static List<ComparedPercentile> percentiles(SampleSet samples, EngineDistribution of) {
    List<ComparedPercentile> compared = new ArrayList<>();
    for (EngineDistribution.Bracket bracket : of.brackets()) {
      compared.add(new ComparedPercentile(
          bracket.level(), samples.quantile(bracket.level()), bracket.low(), bracket.high()));
    }
    return compared;
  }

  /** Whether the percentiles can be explained; not_checked if none can be judged. */
  private static Verdict verdict(List<ComparedPercentile> percentiles, double accepted) {
    boolean judged = false;
    boolean unexplained = false;
    for (ComparedPercentile percentile : percentiles) {
      if (percentile.client() instanceof Figure.Known client
          && percentile.high() instanceof Figure.Known high) {
        judged = true;
        unexplained |= client.value() - high.value() > accepted;
      }
    }
    if (!judged) {
      return Verdict.NOT_CHECKED;
    }
    return unexplained ? Verdict.NOT_EXPLAINED : Verdict.EXPLAINED;
  }

  private static String explain(Verdict verdict, GapAnalysis gap, double meanGap, double accepted) {
    String mean = Formatted.of("mean gap %.1f ms", meanGap * 1e3);
    return switch (verdict) {
      case INCONSISTENT ->
          "the client has faster requests than the engine allows"
              + (gap.orderViolations().isEmpty() ? "" : " below " + gap.orderViolations() + " s")
              + ": wrong pairing, a clock step, or TTFT defined differently";
      case NOT_EXPLAINED ->
          Formatted.of(
              "%s; some percentile is more than %.0f ms above its bucket: look outside the engine",
              mean,
              accepted * 1e3);
      case EXPLAINED ->
          gap.constantGap().low() instanceof Figure.Known low
                  && gap.constantGap().high() instanceof Figure.Known high
              ? mean + "; a constant overhead of " + overhead(low.value(), high.value())
                  + " explains every bucket"
              : mean + "; bucket width and accepted overhead explain every percentile";
      case NOT_COMPARABLE, NOT_CHECKED -> mean + "; too few requests for any percentile";
    };
  }

  /** One figure where both bounds are shown alike. */
  static String overhead(double lowSeconds, double highSeconds) {
    // The client's interval contains the engine's: none is below 0.
    String low = Formatted.of("%.1f", Math.max(0, lowSeconds * 1e3));
    String high = Formatted.of("%.1f", highSeconds * 1e3);
    return (low.equals(high) ? "" : low + " to ") + high + " ms";
  }

  private Comparison notChecked(Latency quantity, SampleSet samples, EngineDistribution other) {
    Figure clientMean =
        samples.count() == 0
            ? Figure.missing(client.whyNoMoments().orElse("no samples"))
            : Figure.of(samples.meanSeconds());
    Figure engineMean = other == null ? totals.missing(quantity.concept()) : other.mean();
    String why =
        samples.count() == 0
            ? client.whyNoMoments().orElse("the client has no samples")
            : "no engine distribution";
    return new Comparison(
        quantity, clientMean, engineMean, Figure.missing(why), List.of(), Verdict.NOT_CHECKED, why,
        GapAnalysis.absent(why));
  }

  private static Comparison notComparable(
      Latency quantity, Figure clientMean, Figure engineMean, String why) {
    return new Comparison(
        quantity, clientMean, engineMean, difference(clientMean, engineMean), List.of(),
        Verdict.NOT_COMPARABLE, why, GapAnalysis.absent(why));
  }

  private static Figure difference(Figure client, Figure engine) {
    return client instanceof Figure.Known one && engine instanceof Figure.Known other
        ? Figure.of(one.value() - other.value())
        : Figure.missing("one side has no mean");
  }

  private static boolean differ(double samples, double observed) {
    return Math.abs(samples - observed) > POPULATION_LIMIT * Math.max(samples, observed);
  }

  private static String gapPopulations(double gaps, double observed) {
    return Formatted.of(
        "the sides do not hold the same gaps: %.0f in requests that ended well at the client,"
            + " %.0f in the engine",
        gaps,
        observed);
  }

  private static String populations(double samples, double observed) {
    return Formatted.of(
        "the sides do not hold the same requests: %.0f at the client, %.0f in the engine",
        samples,
        observed);
  }
}
