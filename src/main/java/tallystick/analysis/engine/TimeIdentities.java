package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tallystick.analysis.client.ClientTally;
import tallystick.analysis.client.LatencySamples;
import tallystick.analysis.engine.EngineTotals.HistogramGrowth;
import tallystick.runrecord.MetricConcept;
import tallystick.scenario.Formatted;

/**
 * Sums of times that vLLM takes by one clock, so that they are equal to the last digits where every
 * request that began has finished: gaps between tokens make up the decode time, prefill and decode
 * the inference time. What the API server times from outside holds them: TTFT the queue and the
 * prefill, E2E the queue and the inference. The time for a token is held against the client's,
 * which sees the same tokens.
 */
public record TimeIdentities(EngineTotals engine, ClientTally client, LatencySamples samples) {
  /** Sums of one clock differ by the last digits, of two clocks by a little more. */
  private static final double ROUNDING = 1e-3;

  private static final double OF_TWO_CLOCKS = 0.01; // TTFT and E2E are of the API server's clock

  /** Lateness of single tokens weighs more in short answers than in long ones. */
  private static final double OF_SHORT = 0.08;

  /** A line for each identity that does not hold; none where it cannot be told. */
  public List<String> faults() {
    Optional<HistogramGrowth> decode = engine.histogram(MetricConcept.DECODE_TIME);
    List<String> faults = new ArrayList<>();
    if (decode.isEmpty() || !isWhole(decode.get())) {
      return faults;
    }
    double decoded = decode.get().sum();
    engine.histogram(MetricConcept.ITL)
        .flatMap(itl -> fault(itl, decoded, decode.get().family()))
        .ifPresent(faults::add);
    Optional<HistogramGrowth> prefill = engine.histogram(MetricConcept.PREFILL_TIME);
    engine.histogram(MetricConcept.INFERENCE_TIME)
        .filter(whole -> prefill.filter(part -> part.count() == whole.count()).isPresent())
        .flatMap(
            whole ->
                fault(
                    whole, decoded + prefill.get().sum(),
                    decode.get().family() + " and " + prefill.get().family()))
        .ifPresent(faults::add);
    faults.addAll(notHeld(MetricConcept.TTFT, MetricConcept.PREFILL_TIME));
    faults.addAll(notHeld(MetricConcept.E2E, MetricConcept.INFERENCE_TIME));
    faults.addAll(otherPace(decoded));
    return faults;
  }

  /** A time that is shorter than the queue and what follows it, of as many requests. */
  private List<String> notHeld(MetricConcept whole, MetricConcept part) {
    Optional<HistogramGrowth> all = engine.histogram(whole);
    Optional<HistogramGrowth> queue = engine.histogram(MetricConcept.QUEUE_TIME);
    Optional<HistogramGrowth> then = engine.histogram(part);
    if (all.isEmpty() || queue.isEmpty() || then.isEmpty()
        || all.get().count() != queue.get().count() || all.get().count() != then.get().count()) {
      return List.of();
    }
    double inside = queue.get().sum() + then.get().sum();
    return inside <= all.get().sum() * (1 + OF_TWO_CLOCKS)
        ? List.of()
        : List.of(Formatted.of(
            "%s: a sum of %.6g s, but %s and %s inside it make up %.6g s",
            all.get().family(), all.get().sum(), queue.get().family(), then.get().family(),
            inside));
  }

  /** Where both sides tell the same time of all tokens, they tell the same time for a token. */
  private List<String> otherPace(double decoded) {
    Optional<HistogramGrowth> tpot =
        engine.histogram(MetricConcept.TPOT)
            .filter(one -> one.count() == samples.tpot().count() && one.count() > 0);
    double ofClient = samples.tpot().meanSeconds() * samples.tpot().count();
    double decodes = samples.decodeSeconds() / decoded;
    if (tpot.isEmpty() || !(Math.abs(decodes - 1) <= OF_SHORT / 2)) {
      return List.of();
    }
    double apart = tpot.get().sum() / ofClient * decodes;
    return Math.abs(apart - 1) <= OF_SHORT
        ? List.of()
        : List.of(Formatted.of(
            "%s: a sum of %.6g s, but the decode time and the tokens of these requests make"
                + " up about %.6g s",
            tpot.get().family(), tpot.get().sum(), tpot.get().sum() / apart));
  }

  /** Gaps of requests that were left are observed, their decode time is not. */
  private boolean isWhole(HistogramGrowth decode) {
    boolean allBegunEnded =
        engine.histogram(MetricConcept.TTFT)
            .filter(ttft -> ttft.count() == decode.count())
            .isPresent();
    return allBegunEnded
        && decode.count() == client.completed()
        && client.unknown() == 0
        && client.open() == 0
        && client.extraChoices() == 0;
  }

  private static Optional<String> fault(HistogramGrowth one, double other, String of) {
    return Math.abs(one.sum() - other) <= ROUNDING * Math.max(one.sum(), other)
        ? Optional.empty()
        : Optional.of(Formatted.of(
            "%s: a sum of %.6g s, but %s make up %.6g s", one.family(), one.sum(), of, other));
  }
}
