package tallystick.runrecord;

import java.util.List;

/**
 * One scrape of one target's exposition, every family of it.
 *
 * @param target index into the manifest's targets
 * @param startedNanos immediately before the request was sent, after the run's origin on the
 *     client's clock; what Prometheus would store as the samples' time
 * @param endedNanos when the body had been read
 * @param samples every sample in exposition order; empty for a failed scrape
 * @param error why it failed; empty for a good scrape
 * @param dateUtcSeconds the answer's {@code Date}, whole seconds since 1970 on the server's clock;
 *     {@link #NO_DATE} where it sent none
 * @param repeated samples that were left out, because an earlier one is of the same series
 */
public record ScrapeRow(
    int target,
    long startedNanos,
    long endedNanos,
    List<Sample> samples,
    String error,
    long dateUtcSeconds,
    int repeated) {
  /** A server that does not tell its time. */
  public static final long NO_DATE = -1;

  /** A scrape of a server that does not tell its time. */
  public ScrapeRow(
      int target, long startedNanos, long endedNanos, List<Sample> samples, String error) {
    this(target, startedNanos, endedNanos, samples, error, NO_DATE, 0);
  }

  public ScrapeRow {
    samples = List.copyOf(samples);
  }

  /** The same scrape on a clock whose origin lies so much earlier. */
  public ScrapeRow shifted(long nanos) {
    return new ScrapeRow(
        target, startedNanos + nanos, endedNanos + nanos, samples, error, dateUtcSeconds, repeated);
  }

  /** The same scrape with these samples. */
  public ScrapeRow with(List<Sample> others) {
    return others == samples
        ? this
        : new ScrapeRow(target, startedNanos, endedNanos, others, error, dateUtcSeconds, repeated);
  }

  /** Whether the target answered with a readable exposition. */
  public boolean isGood() {
    return error.isEmpty();
  }
}
