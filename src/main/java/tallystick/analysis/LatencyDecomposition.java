package tallystick.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.analysis.client.ClientBatches;
import tallystick.analysis.client.ClientTally;
import tallystick.analysis.engine.EngineBatches;
import tallystick.analysis.engine.EngineTotals;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Decomposition.Part;
import tallystick.analysis.result.Decomposition.Whole;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.Stamp;
import tallystick.analysis.result.WaitPart;
import tallystick.analysis.statistics.BatchedMean;
import tallystick.analysis.statistics.TimeBatches;
import tallystick.runrecord.MetricConcept;
import tallystick.scenario.Formatted;

/**
 * Takes the client's mean TTFT and E2E apart. Means add up; percentiles would not. Only where both
 * sides hold the same requests.
 */
public record LatencyDecomposition(
    ClientBatches client, EngineBatches engine, EngineTotals totals, ClientTally tally,
    PrefillPool prefill) {
  /** A part that a twentieth of requests lack is no part of the mean. */
  private static final double TIMED_SHARE = 0.95;

  /** TTFT and E2E, and TTFT by request where the engine told of each request. */
  List<Decomposition> all() {
    List<Decomposition> all = new ArrayList<>();
    all.add(of(Whole.TTFT, client.ttft(), WaitPart.OF_TTFT));
    all.add(of(Whole.E2E, client.e2e(tally.stops() > 0), WaitPart.OF_E2E));
    ClientBatches.Parts parts = client.ttft();
    double timed = parts.count(WaitPart.QUEUE);
    if (timed > 0 && timed >= TIMED_SHARE * parts.count(WaitPart.WHOLE)) {
      all.add(byRequest(parts));
    }
    return all;
  }

  /** Client mean minus engine mean, with an interval; the ledger's exact gap. */
  Map<Latency, Interval> meanGaps() {
    Map<Latency, Interval> gaps = new LinkedHashMap<>();
    addGap(gaps, Latency.TTFT, client.ttft());
    addGap(gaps, Latency.E2E, client.e2e(tally.stops() > 0));
    return gaps;
  }

  private void addGap(Map<Latency, Interval> gaps, Latency name, ClientBatches.Parts parts) {
    BatchedMean.Means other = inEngine(name);
    if (parts.count(WaitPart.WHOLE) > 0 && !Double.isNaN(other.all())) {
      gaps.put(name, client.batches().interval(parts.of(WaitPart.AFTER_WRITTEN).minus(other)));
    }
  }

  private Decomposition of(
      Whole quantity, ClientBatches.Parts parts, Map<WaitPart, Latency> inside) {
    String refusal = refusal(quantity, parts, inside);
    if (!refusal.isEmpty()) {
      return Decomposition.absent(quantity, refusal);
    }
    TimeBatches batches = client.batches();
    BatchedMean.Means rest = inEngine(latency(quantity));
    List<Part> waterfall = clientParts(parts);
    waterfall.addAll(prefill.outside(
        batches, parts.count(WaitPart.WHOLE), parts.of(WaitPart.AFTER_WRITTEN).minus(rest)));
    for (Latency part : inside.values()) {
      rest = rest.minus(inEngine(part));
    }
    if (rest.all() < PrefillPool.NEGATIVE_REST_SECONDS) {
      return Decomposition.absent(
          quantity,
          Formatted.of(
              "queue, prefill and decode exceed the engine's own mean by %.1f ms: the"
                  + " clocks differ, or the requests do",
              -rest.all() * 1e3));
    }
    waterfall.add(new Part(WaitPart.API_SERVER, batches.interval(rest),
        "the engine's mean less its parts"));
    inside.forEach(
        (name, part) ->
            waterfall.add(new Part(
                name, batches.interval(inEngine(part)), totals.nameOf(part.concept()))));
    return new Decomposition(
        quantity, true, "", batches.interval(parts.of(WaitPart.WHOLE)), waterfall, Stamp.NONE);
  }

  private Part part(WaitPart name, ClientBatches.Parts parts, String source) {
    return new Part(name, client.batches().interval(parts.of(name)), source);
  }

  private List<Part> clientParts(ClientBatches.Parts parts) {
    List<Part> waterfall = new ArrayList<>();
    waterfall.add(part(WaitPart.LATENESS, parts,
        "actual less intended start, of requests with a first token"));
    waterfall.add(part(WaitPart.CONNECT, parts,
        Formatted.of(
            "new connections; %.0f %% of the requests used an existing one",
            parts.pooledShare() * 100)));
    if (parts.of(WaitPart.TLS).all() > 0) {
      waterfall.add(part(WaitPart.TLS, parts, "TLS of new connections"));
    }
    waterfall.add(part(WaitPart.WRITE, parts, "started to request written, less connect"));
    return waterfall;
  }

  private Decomposition byRequest(ClientBatches.Parts parts) {
    TimeBatches batches = client.batches();
    List<Part> waterfall = clientParts(parts);
    BatchedMean.Means written = parts.of(WaitPart.AFTER_WRITTEN);
    BatchedMean.Means queue = parts.of(WaitPart.QUEUE);
    BatchedMean.Means computing = parts.of(WaitPart.PREFILL);
    waterfall.add(new Part(WaitPart.OUTSIDE_AND_API_SERVER,
        batches.interval(
            written.all() - (queue.all() + computing.all()),
            written.minus(queue).minus(computing).each()),
        "client from request written less the engine's time for each request"));
    waterfall.add(part(WaitPart.QUEUE, parts, "queue_time_ms of each request"));
    waterfall.add(part(WaitPart.PREFILL, parts,
        "time_to_first_token_ms of each request, which starts at scheduled"));
    return new Decomposition(
        Whole.TTFT_BY_REQUEST, true, "", batches.interval(parts.of(WaitPart.WHOLE)), waterfall,
        Stamp.NONE);
  }

  /** Why means must not be subtracted; empty if they may. */
  private String refusal(Whole quantity, ClientBatches.Parts parts, Map<WaitPart, Latency> inside) {
    double clientCount = parts.count(WaitPart.WHOLE);
    if (clientCount == 0) {
      boolean isWhole = quantity == Whole.TTFT && client.e2e(false).count(WaitPart.WHOLE) > 0;
      return isWhole ? Distribution.NOT_STREAMED : "no request has a first token";
    }
    if (tally.extraChoices() > 0) {
      return "requests with n > 1 are one stream at the client and several in the engine";
    }
    List<Latency> needed = new ArrayList<>(inside.values());
    needed.add(0, latency(quantity));
    for (Latency latency : needed) {
      MetricConcept concept = latency.concept();
      if (totals.histogram(concept).isEmpty()) {
        return totals.whyMissing(concept);
      }
      double count = totals.histogram(concept).get().count();
      if (count != clientCount) {
        return Formatted.of(
            "the client has %.0f requests, the engine's %s has %.0f", clientCount,
            totals.nameOf(concept), count);
      }
    }
    return "";
  }

  private static Latency latency(Whole quantity) {
    return switch (quantity) {
      case TTFT, TTFT_BY_REQUEST -> Latency.TTFT;
      case E2E -> Latency.E2E;
    };
  }

  /** Mean of one of the engine's histograms; NaN where it exposes none. */
  private BatchedMean.Means inEngine(Latency latency) {
    double mean =
        totals.histogram(latency.concept()).map(growth -> growth.mean().orNaN()).orElse(Double.NaN);
    return new BatchedMean.Means(mean, engine.means(latency));
  }
}
