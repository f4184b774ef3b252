package tallystick.analysis.client;

import tallystick.analysis.statistics.BatchedMean;
import tallystick.analysis.statistics.TimeBatches;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.EngineTimings;
import tallystick.runrecord.RequestRow.Times;

/** The client's parts of a wait per time batch, gathered in one pass. */
public final class ClientBatches {
  /** The parts of one quantity's requests. */
  public static final class Parts {
    public final BatchedMean whole;
    public final BatchedMean lateness;
    public final BatchedMean connect;
    public final BatchedMean tls;
    public final BatchedMean write;
    public final BatchedMean fromWritten;
    public final BatchedMean engineQueue;
    public final BatchedMean enginePrefill;
    private long pooled;

    private Parts(int batches) {
      whole = new BatchedMean(batches);
      lateness = new BatchedMean(batches);
      connect = new BatchedMean(batches);
      tls = new BatchedMean(batches);
      write = new BatchedMean(batches);
      fromWritten = new BatchedMean(batches);
      engineQueue = new BatchedMean(batches);
      enginePrefill = new BatchedMean(batches);
    }

    /** Share of requests on a connection that stood already. */
    public double pooledShare() {
      return whole.count() > 0 ? pooled / whole.count() : Double.NaN;
    }

    private void add(int batch, RequestRow row, long endNanos) {
      Times times = row.times();
      double connecting = (times.connectNanos() + times.tlsNanos()) / 1e9;
      pooled += times.isOnNewConnection() ? 0 : 1;
      whole.add(batch, (endNanos - times.intended()) / 1e9, 1);
      lateness.add(batch, (times.started() - times.intended()) / 1e9, 1);
      connect.add(batch, times.connectNanos() / 1e9, 1);
      tls.add(batch, times.tlsNanos() / 1e9, 1);
      write.add(batch, (times.written() - times.started()) / 1e9 - connecting, 1);
      fromWritten.add(batch, (endNanos - times.written()) / 1e9, 1);
      addTimings(batch, row.engine());
    }

    private void addTimings(int batch, EngineTimings timings) {
      if (!Double.isNaN(timings.queueSeconds())
          && !Double.isNaN(timings.scheduledToFirstTokenSeconds())) {
        engineQueue.add(batch, timings.queueSeconds(), 1);
        enginePrefill.add(batch, timings.scheduledToFirstTokenSeconds(), 1);
      }
    }
  }

  private final MeasuredWindow window;
  private final TimeBatches batches;
  private final Parts ttft;
  private final Parts lastToken;
  private final Parts streamEnd;

  ClientBatches(MeasuredWindow window, TimeBatches batches) {
    this.window = window;
    this.batches = batches;
    this.ttft = new Parts(batches.count());
    this.lastToken = new Parts(batches.count());
    this.streamEnd = new Parts(batches.count());
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

  public TimeBatches batches() {
    return batches;
  }

  public Parts ttft() {
    return ttft;
  }

  /** To the last token, or to the end of the stream where a last step may carry no text. */
  public Parts e2e(boolean toStreamEnd) {
    return toStreamEnd ? streamEnd : lastToken;
  }

  private int batchOf(long nanos) {
    return batches.indexOf(window.secondsAfterOrigin(nanos));
  }
}
