package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tallystick.analysis.client.ClientTally;
import tallystick.analysis.engine.EngineTotals.HistogramGrowth;
import tallystick.runrecord.MetricConcept;

/**
 * Sums of times that vLLM takes by one clock, so that they are equal to the last digits where every
 * request that began has finished: gaps between tokens make up the decode time, prefill and decode
 * the inference time.
 */
public final class TimeIdentities {
  private static final double ROUNDING = 0.01;

  private final EngineTotals engine;
  private final ClientTally client;

  public TimeIdentities(EngineTotals engine, ClientTally client) {
    this.engine = engine;
    this.client = client;
  }

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
    return faults;
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
        : Optional.of(
            String.format(
                Locale.ROOT, "%s: a sum of %.6g s, but %s make up %.6g s", one.family(), one.sum(),
                of, other));
  }
}
