package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import tallystick.analysis.RunAnalysis.ComparedPercentile;
import tallystick.analysis.RunAnalysis.Comparison;
import tallystick.runrecord.MetricConcept;

/** Client and engine beside each other, never a difference of interpolated percentiles. */
final class Comparisons {
  /** An overhead up to this, or twice the mean gap, needs no explanation. */
  private static final double ACCEPTED_SECONDS = 0.05;

  /** Chunks with several tokens beyond this share make gaps and tokens different things. */
  private static final double MERGED_LIMIT = 0.01;

  /** Counts that differ more than this hold different requests. */
  private static final double POPULATION_LIMIT = 0.01;

  private final LatencySamples client;
  private final RequestCounts counts;
  private final ClientTally tally;
  private final EngineTotals totals;
  private final Map<String, EngineDistribution> engine;
  private final Map<String, Interval> meanGaps;

  Comparisons(
      ClientSide side, EngineTotals totals, Map<String, EngineDistribution> engine,
      Map<String, Interval> meanGaps) {
    this.client = side.latencies();
    this.counts = side.counts();
    this.tally = side.tally();
    this.totals = totals;
    this.engine = engine;
    this.meanGaps = meanGaps;
  }

  /** TTFT, E2E, ITL and TPOT, in this order. */
  List<Comparison> all() {
    // A last step without text, as a stop token is, ends after the last chunk.
    SampleSet ends = tally.stops() > 0 ? client.endFromWritten() : client.e2eFromWritten();
    return List.of(
        contained("ttft", client.ttftFromWritten()), contained("e2e", ends), itl(), tpot());
  }

  /** A quantity whose client interval contains the engine's. */
  private Comparison contained(String quantity, SampleSet samples) {
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
    double meanGap = samples.meanSeconds() - mean(other);
    boolean sameRequests = samples.count() == Math.round(other.count());
    GapAnalysis gap =
        EdgeGaps.of(
            samples,
            other,
            sameRequests
                ? meanGaps.getOrDefault(quantity, Interval.missing("no batches of time"))
                : Interval.missing(populations(samples.count(), other.count())));
    List<ComparedPercentile> percentiles = percentiles(samples, other);
    double accepted = Math.max(ACCEPTED_SECONDS, 2 * meanGap);
    String verdict = verdict(percentiles, accepted, 0);
    if (!gap.orderViolations().isEmpty() && samples.count() >= other.count()) {
      verdict = "inconsistent";
    }
    return new Comparison(
        quantity, Figure.of(samples.meanSeconds()), other.mean(), Figure.of(meanGap), percentiles,
        verdict, explain(verdict, gap, meanGap, accepted), gap);
  }

  private Comparison itl() {
    EngineDistribution other = engine.get("itl");
    if (other == null || client.chunkGaps().count() == 0) {
      return notChecked("itl", client.chunkGaps(), other);
    }
    Figure clientMean =
        client.decodeTokens() > 0
            ? Figure.of(client.decodeSeconds() / client.decodeTokens())
            : Figure.missing("nobody told how many tokens the answers have");
    Figure engineMean = engineSecondsPerToken(other);
    if (!chunksAreTokens()) {
      return notComparable("itl", clientMean, engineMean, chunkReason());
    }
    double gaps =
        client.decodeTokens() > 0 ? client.decodeTokens() : client.chunkGaps().count();
    if (differ(gaps, other.count())) {
      // The engine observes gaps of requests that failed or were left, too.
      return notComparable("itl", clientMean, engineMean, gapPopulations(gaps, other.count()));
    }
    return steps("itl", clientMean, engineMean, percentiles(client.chunkGaps(), other));
  }

  private Comparison tpot() {
    EngineDistribution other = engine.get("tpot");
    if (other == null || client.tpot().count() == 0) {
      return notChecked("tpot", client.tpot(), other);
    }
    Figure clientMean = Figure.of(client.tpot().meanSeconds());
    if (client.tpot().count() != Math.round(other.count())) {
      // The engine observes 0 for an answer of one token; the client observes nothing.
      return notComparable(
          "tpot", clientMean, other.mean(), populations(client.tpot().count(), other.count()));
    }
    if (!chunksAreTokens()) {
      return notComparable("tpot", clientMean, other.mean(), chunkReason());
    }
    return steps("tpot", clientMean, other.mean(), percentiles(client.tpot(), other));
  }

  /** A quantity whose client interval does not contain the engine's: jitter goes both ways. */
  private static Comparison steps(
      String quantity, Figure clientMean, Figure engineMean, List<ComparedPercentile> compared) {
    Figure meanGap = difference(clientMean, engineMean);
    double gap = meanGap instanceof Figure.Known known ? known.value() : 0;
    double accepted = Math.max(ACCEPTED_SECONDS, 2 * gap);
    String verdict = verdict(compared, accepted, 0.002);
    String text =
        switch (verdict) {
          case "explained" -> "each percentile lies within its bucket and the accepted overhead";
          case "not_explained" -> "the client is slower than the buckets and overhead allow";
          case "inconsistent" -> "the client is faster than the engine's bucket allows";
          default -> "too few gaps for any percentile; the means are exact";
        };
    return new Comparison(
        quantity, clientMean, engineMean, meanGap, compared, verdict, text,
        GapAnalysis.absent("gaps and tokens are not contained in one another"));
  }

  private Figure engineSecondsPerToken(EngineDistribution itl) {
    OptionalDouble tokens = totals.counter(MetricConcept.GENERATION_TOKENS);
    EngineDistribution ttft = engine.get("ttft");
    if (tokens.isEmpty() || ttft == null || tokens.getAsDouble() <= ttft.count()) {
      return itl.mean();
    }
    double seconds = mean(itl) * itl.count();
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
    return String.format(
        Locale.ROOT,
        "%.1f %% of the chunks carry several tokens, so chunk gaps are not token gaps;"
            + " only means are compared",
        counts.mergedShare() * 100);
  }

  private static List<ComparedPercentile> percentiles(SampleSet samples, EngineDistribution of) {
    List<ComparedPercentile> compared = new ArrayList<>();
    for (EngineDistribution.Bracket bracket : of.brackets()) {
      compared.add(
          new ComparedPercentile(
              bracket.level(), samples.quantile(bracket.level()), bracket.low(), bracket.high()));
    }
    return compared;
  }

  /** The gravest verdict over the percentiles; not_checked if none can be judged. */
  private static String verdict(
      List<ComparedPercentile> percentiles, double accepted, double jitter) {
    boolean judged = false;
    boolean unexplained = false;
    for (ComparedPercentile percentile : percentiles) {
      if (percentile.client() instanceof Figure.Known client
          && percentile.low() instanceof Figure.Known low
          && percentile.high() instanceof Figure.Known high) {
        judged = true;
        if (client.value() - low.value() < -Math.max(jitter, jitter * 25 * low.value())) {
          return "inconsistent";
        }
        unexplained |= client.value() - high.value() > accepted;
      }
    }
    if (!judged) {
      return "not_checked";
    }
    return unexplained ? "not_explained" : "explained";
  }

  private static String explain(
      String verdict, GapAnalysis gap, double meanGap, double accepted) {
    String mean = String.format(Locale.ROOT, "mean gap %.1f ms", meanGap * 1e3);
    return switch (verdict) {
      case "inconsistent" ->
          "the client has faster requests than the engine allows"
              + (gap.orderViolations().isEmpty() ? "" : " below " + gap.orderViolations() + " s")
              + ": wrong pairing, a clock step, or TTFT defined differently";
      case "not_explained" ->
          String.format(
              Locale.ROOT,
              "%s; some percentile is more than %.0f ms above its bucket: look outside the engine",
              mean,
              accepted * 1e3);
      case "explained" ->
          gap.constantGap().low() instanceof Figure.Known low
                  && gap.constantGap().high() instanceof Figure.Known high
              ? String.format(
                  Locale.ROOT,
                  "%s; a constant overhead of %.1f to %.1f ms explains every bucket",
                  mean,
                  // The client's interval contains the engine's: none is below 0.
                  Math.max(0, low.value() * 1e3),
                  high.value() * 1e3)
              : mean + "; bucket width and accepted overhead explain every percentile";
      default -> mean + "; too few requests for any percentile";
    };
  }

  private static Comparison notChecked(
      String quantity, SampleSet samples, EngineDistribution other) {
    Figure clientMean =
        samples.count() == 0
            ? Figure.missing("no samples")
            : Figure.of(samples.meanSeconds());
    Figure engineMean =
        other == null ? Figure.missing("the engine does not expose it") : other.mean();
    String why = samples.count() == 0 ? "the client has no samples" : "no engine distribution";
    return new Comparison(
        quantity, clientMean, engineMean, Figure.missing(why), List.of(), "not_checked", why,
        GapAnalysis.absent(why));
  }

  private static Comparison notComparable(
      String quantity, Figure clientMean, Figure engineMean, String why) {
    return new Comparison(
        quantity, clientMean, engineMean, difference(clientMean, engineMean), List.of(),
        "not_comparable", why, GapAnalysis.absent(why));
  }

  private static Figure difference(Figure client, Figure engine) {
    return client instanceof Figure.Known one && engine instanceof Figure.Known other
        ? Figure.of(one.value() - other.value())
        : Figure.missing("one side has no mean");
  }

  private static double mean(EngineDistribution distribution) {
    return distribution.mean() instanceof Figure.Known known ? known.value() : Double.NaN;
  }

  private static boolean differ(double samples, double observed) {
    return Math.abs(samples - observed) > POPULATION_LIMIT * Math.max(samples, observed);
  }

  private static String gapPopulations(double gaps, double observed) {
    return String.format(
        Locale.ROOT,
        "the sides do not hold the same gaps: %.0f in requests that ended well at the client,"
            + " %.0f in the engine",
        gaps,
        observed);
  }

  private static String populations(double samples, double observed) {
    return String.format(
        Locale.ROOT,
        "the sides do not hold the same requests: %.0f at the client, %.0f in the engine",
        samples,
        observed);
  }
}
