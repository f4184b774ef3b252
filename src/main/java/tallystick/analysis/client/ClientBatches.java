package tallystick.analysis.client;

import java.util.EnumMap;
import java.util.Map;
import tallystick.analysis.result.WaitPart;
import tallystick.analysis.statistics.BatchedMean;
import tallystick.analysis.statistics.TimeBatches;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.EngineTimings;
import tallystick.runrecord.RequestRow.Times;

/** The client's parts of a wait per time batch, gathered in one pass. */
public record ClientBatches(
    MeasuredWindow window, TimeBatches batches, Parts ttft, Parts lastToken, Parts streamEnd) {
  /** The parts of one quantity's requests; queue and prefill as the engine told of each request. */
  public static final class Parts {
    private final Map<WaitPart, BatchedMean> means = new EnumMap<>(WaitPart.class);
    private long pooled;

    private Parts(int batches) {
      for (WaitPart part : WaitPart.values()) {
        means.put(part, new BatchedMean(batches));
      }
    }

    /** Requests that have a part. */
    public double count(WaitPart part) {
      return means.get(part).count();
    }

    /** A part's mean. */
    public BatchedMean.Means of(WaitPart part) {
      return means.get(part).both();
    }

    /** Share of requests on a connection that stood already. */
    public double pooledShare() {
      double all = count(WaitPart.WHOLE);
      return all > 0 ? pooled / all : Double.NaN;
    }

    private void add(int batch, RequestRow row, long endNanos) {
      Times times = row.times();
      double connecting = (times.connectNanos() + times.tlsNanos()) / 1e9;
      pooled += times.isOnNewConnection() ? 0 : 1;
      add(WaitPart.WHOLE, batch, (endNanos - times.intended()) / 1e9);
      add(WaitPart.LATENESS, batch, (times.started() - times.intended()) / 1e9);
      add(WaitPart.CONNECT, batch, times.connectNanos() / 1e9);
      add(WaitPart.TLS, batch, times.tlsNanos() / 1e9);
      add(WaitPart.WRITE, batch, (times.written() - times.started()) / 1e9 - connecting);
      add(WaitPart.AFTER_WRITTEN, batch, (endNanos - times.written()) / 1e9);
      EngineTimings told = row.engine();
      if (!Double.isNaN(told.queueSeconds() + told.scheduledToFirstTokenSeconds())) {
        add(WaitPart.QUEUE, batch, told.queueSeconds());
        add(WaitPart.PREFILL, batch, told.scheduledToFirstTokenSeconds());
      }
    }

    private void add(WaitPart part, int batch, double seconds) {
      means.get(part).add(batch, seconds, 1);
    }
  }

  ClientBatches(MeasuredWindow window, TimeBatches batches) {
    this(
        window, batches, new Parts(batches.count()), new Parts(batches.count()),
        new Parts(batches.count()));
  }

  /** Takes a measured request; the engine observes at the first token and at the finish. */
  void read(RequestRow row) {
    if (!row.hasToken() || row.times().written() < 0) {
      return;
    }
    if (row.hasFirstToken()) {
      ttft.add(batchOf(row.firstTokenNanos()), row, row.firstTokenNanos());
    }
    if (row.ending().outcome() == Outcome.OK) {
      int batch = batchOf(row.lastTokenNanos());
      lastToken.add(batch, row, row.lastTokenNanos());
      streamEnd.add(batch, row, row.times().ended());
    }
  }

  /** To the last token, or to the end of the stream where a last step may carry no text. */
  public Parts e2e(boolean toStreamEnd) {
    return toStreamEnd ? streamEnd : lastToken;
  }

  private int batchOf(long nanos) {
    return batches.indexOf(window.secondsAfterOrigin(nanos));
  }
}
