package tallystick.analysis.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import tallystick.analysis.result.Timeline;
import tallystick.analysis.statistics.SampleSet;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/**
 * The client's figures over time, in bins of one width. A time to first token lies in the bin in
 * which the token arrived, a gap in the bin of the chunk that ended it.
 */
public final class ClientTimeline {
  /** The track of chunks that arrived. */
  public static final String CHUNKS = "chunks_per_second";

  private static final double[] WIDTHS = {0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600};
  private static final int WANTED_BINS = 240;

  /** Beyond this many bins later moments share the last one; a defence against a broken clock. */
  private static final int BIN_LIMIT = 100_000;

  private static final int EXACT_PER_BIN = 4096;

  private final MeasuredWindow window;
  private final long binNanos;
  private final List<Bin> bins = new ArrayList<>();
  private final EachValue each = new EachValue(Timeline.TTFT_EACH);
  private long lastNanos = Long.MIN_VALUE;
  private boolean hasThought;
  private boolean unstreamed;

  private static final class Bin {
    private final SampleSet ttft = new SampleSet(EXACT_PER_BIN, 2);
    private final SampleSet answer = new SampleSet(EXACT_PER_BIN, 2);
    private final SampleSet gaps = new SampleSet(EXACT_PER_BIN, 2);
    private double latestStart = Double.NaN;
    private double longestReadLag = Double.NaN;
    private long started;
    private long ended;
    private long ok;
    private double busyNanos;
    private long tokens;
    private long chunks;
    private boolean untold;

    private void addTokens(int[] ofChunks, int from, int to) {
      chunks += to - from;
      for (int i = from; i < to; i++) {
        untold |= ofChunks[i] < 0;
        tokens += Math.max(0, ofChunks[i]);
      }
    }
  }

  /** A timeline for a window expected to last so long. */
  ClientTimeline(MeasuredWindow window, double expectedSeconds) {
    this.window = window;
    this.binNanos = (long) (widthFor(expectedSeconds) * 1e9);
  }

  /** Width of the bins for a window: the smallest that gives at most 240 of them. */
  static double widthFor(double seconds) {
    for (double width : WIDTHS) {
      if (seconds / width <= WANTED_BINS) {
        return width;
      }
    }
    return WIDTHS[WIDTHS.length - 1];
  }

  public double binSeconds() {
    return binNanos / 1e9;
  }

  /** Takes a measured request. */
  void read(RequestRow row) {
    long end = row.times().ended();
    lastNanos = Math.max(lastNanos, end);
    if (row.times().started() >= 0) {
      noteStart(bin(row.times().started()), row.times());
      markBusy(row.times().started(), end);
    }
    Bin ending = bin(end);
    ending.ended++;
    ending.ok += row.ending().outcome() == Outcome.OK ? 1 : 0;
    if (row.chunks().longestReadLagNanos() >= 0) {
      double lag = row.chunks().longestReadLagNanos() / 1e9;
      ending.longestReadLag = largest(ending.longestReadLag, lag);
    }
    unstreamed |= row.isUnstreamed();
    readChunks(row);
  }

  private static void noteStart(Bin bin, RequestRow.Times times) {
    bin.started++;
    bin.latestStart = largest(bin.latestStart, (times.started() - times.intended()) / 1e9);
  }

  private static double largest(double before, double value) {
    return Double.isNaN(before) ? value : Math.max(before, value);
  }

  /** The tracks, from the first bin to the last. */
  public List<Timeline.Track> tracks() {
    List<Timeline.Track> tracks = new ArrayList<>();
    tracks.add(track("ttft_p50", "seconds", bin -> bin.ttft.quantile(0.5).orNaN()));
    tracks.add(track("ttft_p95", "seconds", bin -> bin.ttft.quantile(0.95).orNaN()));
    tracks.add(track("ttft_max", "seconds", bin -> bin.ttft.maximumSeconds()));
    tracks.add(each.track());
    if (hasThought) {
      tracks.add(track("answer_ttft_p95", "seconds", bin -> bin.answer.quantile(0.95).orNaN()));
    }
    tracks.add(track("itl_p50", "seconds", bin -> bin.gaps.quantile(0.5).orNaN()));
    tracks.add(track("itl_p99", "seconds", bin -> bin.gaps.quantile(0.99).orNaN()));
    tracks.add(track("largest_gap_max", "seconds", bin -> bin.gaps.maximumSeconds()));
    tracks.add(track("requests_started", "requests", bin -> bin.started));
    tracks.add(track("requests_ended", "requests", bin -> bin.ended));
    tracks.add(track("failed", "requests", bin -> bin.ended - bin.ok));
    tracks.add(rate("requests_per_second", "requests/s", bin -> bin.ok));
    tracks.add(rate("in_flight", "requests", bin -> bin.busyNanos / 1e9));
    // When the tokens of whole answers came is not known, and none is not what came.
    tracks.add(rate(CHUNKS, "chunks/s", bin -> unstreamed ? Double.NaN : bin.chunks));
    tracks.add(rate(
        "output_tokens_per_second",
        "tokens/s",
        bin -> unstreamed || bin.untold ? Double.NaN : bin.tokens));
    tracks.add(track("lateness_max", "seconds", bin -> bin.latestStart));
    tracks.add(track("read_lag_max", "seconds", bin -> bin.longestReadLag));
    return tracks;
  }

  private void readChunks(RequestRow row) {
    long[] arrivals = row.chunks().arrivalNanos();
    if (arrivals.length > 0) {
      long ttft = arrivals[0] - row.times().intended();
      bin(arrivals[0]).ttft.add(ttft);
      each.add(row.index(), window.secondsAfterOrigin(arrivals[0]), ttft / 1e9);
    }
    if (row.hasThought() && row.answerNanos() != RequestRow.NEVER) {
      hasThought = true;
      bin(row.answerNanos()).answer.add(row.answerNanos() - row.times().intended());
    }
    int from = 0;
    while (from < arrivals.length) {
      int to = from + 1;
      long end = endOf(arrivals[from]);
      while (to < arrivals.length && arrivals[to] < end) {
        to++;
      }
      Bin bin = bin(arrivals[from]);
      bin.gaps.addGaps(arrivals, Math.max(1, from), to);
      bin.addTokens(row.chunks().tokens(), from, to);
      from = to;
    }
  }

  /** Spreads the time a request was in flight over the bins it touched. */
  private void markBusy(long from, long to) {
    long at = from;
    while (at < to) {
      int index = indexOf(at);
      long binEnd = window.originNanos() + (index + 1L) * binNanos;
      boolean isLast = index == BIN_LIMIT - 1;
      long until = isLast ? to : Math.min(to, Math.max(binEnd, at + 1));
      bin(at).busyNanos += until - at;
      at = until;
    }
  }

  private Bin bin(long nanos) {
    int index = indexOf(nanos);
    while (bins.size() <= index) {
      bins.add(new Bin());
    }
    return bins.get(index);
  }

  /** Where a moment's bin ends. */
  private long endOf(long nanos) {
    int index = indexOf(nanos);
    return index == BIN_LIMIT - 1 ? Long.MAX_VALUE : window.originNanos() + (index + 1L) * binNanos;
  }

  private int indexOf(long nanos) {
    long index = Math.floorDiv(nanos - window.originNanos(), binNanos);
    return (int) Math.max(0, Math.min(BIN_LIMIT - 1, index));
  }

  private Timeline.Track rate(String name, String unit, ToDoubleFunction<Bin> sum) {
    Timeline.Track raw = track(name, unit, sum);
    double[] values = raw.values();
    for (int i = 0; i < values.length; i++) {
      values[i] /= coveredSeconds(i);
    }
    return new Timeline.Track(name, unit, "", raw.seconds(), values);
  }

  /** The last bin ends with the last request, so that its rates are not too low. */
  private double coveredSeconds(int index) {
    long covered = lastNanos - window.originNanos() - index * binNanos;
    return Math.max(1, Math.min(binNanos, covered)) / 1e9;
  }

  private Timeline.Track track(String name, String unit, ToDoubleFunction<Bin> value) {
    double[] seconds = new double[bins.size()];
    double[] values = new double[bins.size()];
    for (int i = 0; i < bins.size(); i++) {
      seconds[i] = (i + 0.5) * binSeconds();
      values[i] = value.applyAsDouble(bins.get(i));
    }
    return new Timeline.Track(name, unit, "", seconds, values);
  }
}
