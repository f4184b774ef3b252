package tallystick.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.analysis.client.ClientBatches;
import tallystick.analysis.client.ClientTally;
import tallystick.analysis.engine.EngineBatches;
import tallystick.analysis.engine.EngineTotals;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Decomposition.Part;
import tallystick.analysis.result.Decomposition.Whole;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.Stamp;
import tallystick.analysis.result.WaitPart;
import tallystick.analysis.statistics.BatchedMean;
import tallystick.analysis.statistics.TimeBatches;
import tallystick.runrecord.MetricConcept;

/**
 * Takes the client's mean TTFT and E2E apart. Means add up; percentiles would not. Only where both
 * sides hold the same requests.
 */
public final class LatencyDecomposition {
  /** A part that a twentieth of requests lack is no part of the mean. */
  private static final double TIMED_SHARE = 0.95;

  private final ClientBatches client;
  private final EngineBatches engine;
  private final EngineTotals totals;
  private final ClientTally tally;
  private final PrefillPool prefill;

  LatencyDecomposition(
      ClientBatches client,
      EngineBatches engine,
      EngineTotals totals,
      ClientTally tally,
      PrefillPool prefill) {
    this.prefill = prefill;
    this.client = client;
    this.engine = engine;
    this.totals = totals;
    this.tally = tally;
  }

  /** TTFT and E2E, and TTFT by request where the engine told of each request. */
  List<Decomposition> all() {
    List<Decomposition> all = new ArrayList<>();
    all.add(of(Whole.TTFT, client.ttft(), WaitPart.OF_TTFT));
    all.add(of(Whole.E2E, client.e2e(tally.stops() > 0), WaitPart.OF_E2E));
    ClientBatches.Parts parts = client.ttft();
    if (parts.engineQueue.count() > 0
        && parts.engineQueue.count() >= TIMED_SHARE * parts.whole.count()) {
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

  private void addGap(
      Map<Latency, Interval> gaps, Latency name, ClientBatches.Parts parts) {
    double other = mean(name);
    if (parts.whole.count() > 0 && !Double.isNaN(other)) {
      gaps.put(name, outside(name, other, parts));
    }
  }

  private Interval outside(Latency name, double engineMean, ClientBatches.Parts parts) {
    return client
        .batches()
        .interval(
            parts.fromWritten.mean() - engineMean,
            BatchedMean.minus(parts.fromWritten.means(), engine.means(name)));
  }

  private Decomposition of(
      Whole quantity, ClientBatches.Parts parts, Map<WaitPart, Latency> inside) {
    String refusal = refusal(quantity, parts, inside);
    if (!refusal.isEmpty()) {
      return Decomposition.absent(quantity, refusal);
    }
    Latency latency = latency(quantity);
    double engineMean = mean(latency);
    List<Part> waterfall = clientParts(parts);
    waterfall.addAll(
        prefill.outside(
            client.batches(),
            parts.whole.count(),
            parts.fromWritten.mean() - engineMean,
            BatchedMean.minus(parts.fromWritten.means(), engine.means(latency))));
    double rest = engineMean;
    double[] restPerBatch = engine.means(latency);
    for (Latency part : inside.values()) {
      rest -= mean(part);
      restPerBatch = BatchedMean.minus(restPerBatch, engine.means(part));
    }
    if (rest < PrefillPool.NEGATIVE_REST_SECONDS) {
      return Decomposition.absent(
          quantity,
          String.format(
              Locale.ROOT,
              "queue, prefill and decode exceed the engine's own mean by %.1f ms: the"
                  + " clocks differ, or the requests do",
              -rest * 1e3));
    }
    waterfall.add(
        new Part(WaitPart.API_SERVER, client.batches().interval(rest, restPerBatch),
            "the engine's mean less its parts"));
    inside.forEach(
        (name, part) ->
            waterfall.add(
                new Part(name,
                    client.batches().interval(mean(part), engine.means(part)),
                    totals.nameOf(part.concept()))));
    return new Decomposition(
        quantity,
        true,
        "",
        client.batches().interval(parts.whole.mean(), parts.whole.means()),
        waterfall,
        Stamp.NONE);
  }

  private List<Part> clientParts(ClientBatches.Parts parts) {
    TimeBatches batches = client.batches();
    List<Part> waterfall = new ArrayList<>();
    waterfall.add(
        new Part(WaitPart.LATENESS, batches.interval(parts.lateness.mean(), parts.lateness.means()),
            "actual less intended start, of requests with a first token"));
    waterfall.add(
        new Part(WaitPart.CONNECT, batches.interval(parts.connect.mean(), parts.connect.means()),
            String.format(
                Locale.ROOT,
                "new connections; %.0f %% of the requests used an existing one",
                parts.pooledShare() * 100)));
    if (parts.tls.mean() > 0) {
      waterfall.add(
          new Part(WaitPart.TLS, batches.interval(parts.tls.mean(), parts.tls.means()),
              "TLS of new connections"));
    }
    waterfall.add(
        new Part(WaitPart.WRITE, batches.interval(parts.write.mean(), parts.write.means()),
            "started to request written, less connect"));
    return waterfall;
  }

  private Decomposition byRequest(ClientBatches.Parts parts) {
    TimeBatches batches = client.batches();
    List<Part> waterfall = clientParts(parts);
    double inside = parts.engineQueue.mean() + parts.enginePrefill.mean();
    double[] outside =
        BatchedMean.minus(
            BatchedMean.minus(parts.fromWritten.means(), parts.engineQueue.means()),
            parts.enginePrefill.means());
    waterfall.add(
        new Part(WaitPart.OUTSIDE_AND_API_SERVER,
            batches.interval(parts.fromWritten.mean() - inside, outside),
            "client from request written less the engine's time for each request"));
    waterfall.add(
        new Part(
            WaitPart.QUEUE, batches.interval(parts.engineQueue.mean(), parts.engineQueue.means()),
            "queue_time_ms of each request"));
    waterfall.add(
        new Part(WaitPart.PREFILL,
            batches.interval(parts.enginePrefill.mean(), parts.enginePrefill.means()),
            "time_to_first_token_ms of each request, which starts at scheduled"));
    return new Decomposition(
        Whole.TTFT_BY_REQUEST, true, "",
        batches.interval(parts.whole.mean(), parts.whole.means()), waterfall, Stamp.NONE);
  }

  /** Why means must not be subtracted; empty if they may. */
  private String refusal(
      Whole quantity, ClientBatches.Parts parts, Map<WaitPart, Latency> inside) {
    if (parts.whole.count() == 0) {
      boolean isWhole = quantity == Whole.TTFT && client.e2e(false).whole.count() > 0;
      return isWhole ? Distribution.NOT_STREAMED : "no request has a first token";
    }
    if (tally.extraChoices() > 0) {
      return "requests with n > 1 are one stream at the client and several in the engine";
    }
    double clientCount = parts.whole.count();
    List<Latency> needed = new ArrayList<>(inside.values());
    needed.add(0, latency(quantity));
    for (Latency latency : needed) {
      MetricConcept concept = latency.concept();
      if (totals.histogram(concept).isEmpty()) {
        return totals.whyMissing(concept);
      }
      double count = totals.histogram(concept).get().count();
      if (count != clientCount) {
        return String.format(
            Locale.ROOT,
            "the client has %.0f requests, the engine's %s has %.0f",
            clientCount,
            totals.nameOf(concept),
            count);
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

  private double mean(Latency latency) {
    return totals
        .histogram(latency.concept())
        .map(EngineTotals.HistogramGrowth::mean)
        .filter(Figure.Known.class::isInstance)
        .map(figure -> ((Figure.Known) figure).value())
        .orElse(Double.NaN);
  }
}
