package tallystick.analysis.client;

import java.util.Optional;
import java.util.function.Function;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.statistics.BatchMeans;
import tallystick.analysis.statistics.SampleSet;
import tallystick.analysis.statistics.TimeUnits;
import tallystick.analysis.statistics.TimedSamples;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/** One measured phase's requests, gathered in one pass. */
public final class PhaseSamples {
  /** Fine bins of a phase; every later division into batches is a sum of them. */
  public static final int BINS = 240;

  /** Units of time a stretch is resampled by. */
  public static final int UNITS = TimeUnits.USUAL;

  private static final int EXACT_LIMIT = 1 << 19;

  /** Whoever begins in so small a part of a phase finds no queue that the phase itself made. */
  private static final double EARLY = 1.0 / 24;

  private final Phase phase;
  private final long startNanos;
  private final long endNanos;
  private final TimeUnits time;
  private final BatchMeans ttftBatches = new BatchMeans();
  private final double[] busyNanos = new double[BINS];
  private final double[] ttftSums = new double[BINS];
  private final long[] ttftCounts = new long[BINS];
  private final double[] gapSums = new double[BINS];
  private final long[] gapCounts = new long[BINS];
  private final boolean isWholeRun;
  private TimedSamples ttft;
  private TimedSamples e2e;
  private TimedSamples largestGaps;
  private TimedSamples chunkGaps;
  private final ObjectiveJudges objectives;
  private final boolean hasSessions;
  private final GoodRequests goodRequests;
  private boolean unstreamed;
  private long requests;
  private long strays;
  private long ok;
  private double earlyStaySeconds;
  private double lateSeconds;
  private long early;

  /**
   * Nothing read so far.
   *
   * @param run what the whole run gathers, from each request before it comes here, where this is
   *     its only phase and shares them; empty where it gathers its own
   */
  PhaseSamples(Phase phase, ClientFrame frame, Settings settings, Optional<LatencySamples> run) {
    this.phase = phase;
    long origin = frame.window().originNanos();
    this.startNanos = origin + phase.startNanos();
    long planned = origin + phase.endNanos();
    this.endNanos = Math.max(startNanos + 1, Math.min(planned, frame.lastNanos()));
    this.time = new TimeUnits(startNanos, endNanos, UNITS);
    this.isWholeRun = run.isPresent();
    this.ttft = samples(run, LatencySamples::timedTtft);
    this.e2e = samples(run, LatencySamples::timedE2e);
    this.largestGaps = samples(run, LatencySamples::timedLargestGaps);
    this.chunkGaps = samples(run, LatencySamples::timedChunkGaps);
    this.objectives =
        ObjectiveJudges.beside(
            settings.objectives(), frame.plan(), time, frame.clock(), chunkGaps);
    this.goodRequests = new GoodRequests(settings.objectives());
    this.hasSessions = frame.plan().sessions() > 0;
  }

  /**
   * Takes a measured request of any phase: each one is in flight for all of them.
   *
   * @param isTimed whether its moments can be believed
   */
  void read(RequestRow row, int choices, boolean isTimed) {
    boolean isOwn = row.phase().equals(phase.name());
    if (isOwn) {
      objectives.read(row, choices, isTimed);
    }
    if (isTimed) {
      readTimes(row, choices, isOwn);
    }
  }

  private void readTimes(RequestRow row, int choices, boolean isOwn) {
    if (row.times().started() >= 0) {
      markBusy(row.times().started(), row.times().ended());
    }
    if (isOwn) {
      readOwn(row, choices);
    } else {
      strays++;
    }
  }

  /** Ends the reading: shared samples become what its own would be. */
  void end() {
    ttft = ttft.keeping(EXACT_LIMIT);
    e2e = e2e.keeping(EXACT_LIMIT);
    largestGaps = largestGaps.keeping(EXACT_LIMIT);
    chunkGaps = chunkGaps.keeping(EXACT_LIMIT);
    objectives.end();
  }

  /** Whether it shares the samples of the run, and some of them are not its own. */
  boolean isMistaken() {
    return isWholeRun && strays > 0;
  }

  public Phase phase() {
    return phase;
  }

  public double lengthSeconds() {
    return (endNanos - startNanos) / 1e9;
  }

  public long startNanos() {
    return startNanos;
  }

  public long endNanos() {
    return endNanos;
  }

  public TimedSamples ttft() {
    return ttft;
  }

  public TimedSamples e2e() {
    return e2e;
  }

  public TimedSamples largestGaps() {
    return largestGaps;
  }

  public TimedSamples chunkGaps() {
    return chunkGaps;
  }

  /** Why no token's moment is known; empty where answers are streams. */
  public Optional<String> whyNoMoments() {
    return unstreamed ? Optional.of(Distribution.NOT_STREAMED) : Optional.empty();
  }

  public BatchMeans ttftBatches() {
    return ttftBatches;
  }

  public long requests() {
    return requests;
  }

  /** How late its requests began on average; 0 if it has none. */
  public double meanLatenessSeconds() {
    return lateSeconds / Math.max(1, requests);
  }

  public long ok() {
    return ok;
  }

  public ObjectiveJudges objectives() {
    return objectives;
  }

  /** What came in time, at the phase's rate. */
  public PhaseAnalysis.PhaseGoodput goodput() {
    // A plan's rate of conversations is of sessions.
    return goodRequests.ofPhase(
        hasSessions && phase.requestsPerSecond() > 0
            ? requests() / lengthSeconds()
            : phase.requestsPerSecond());
  }

  /** Mean stay of the requests that began first; infinite where none of them ended well. */
  public double earlyStaySeconds() {
    return early == 0 ? Double.POSITIVE_INFINITY : earlyStaySeconds / early;
  }

  /** Mean requests in flight over so many batches of the part after a number of bins. */
  public double[] inFlight(int skippedBins, int batches) {
    int perBatch = (BINS - skippedBins) / batches;
    double[] means = new double[batches];
    double binNanos = (double) (endNanos - startNanos) / BINS;
    int first = BINS - perBatch * batches;
    for (int i = 0; i < perBatch * batches; i++) {
      means[i / perBatch] += busyNanos[first + i] / binNanos / perBatch;
    }
    return means;
  }

  /** Mean TTFT over consecutive groups of bins; NaN where a group holds no request. */
  public double[] ttftMeans(int groups) {
    return means(groups, ttftSums, ttftCounts);
  }

  /** Mean gap between chunks of the answers that ended in them; NaN where none did. */
  public double[] gapMeans(int groups) {
    return means(groups, gapSums, gapCounts);
  }

  private static double[] means(int groups, double[] binSums, long[] binCounts) {
    double[] sums = new double[groups];
    long[] counts = new long[groups];
    for (int i = 0; i < BINS; i++) {
      int group = i * groups / BINS;
      sums[group] += binSums[i];
      counts[group] += binCounts[i];
    }
    for (int i = 0; i < groups; i++) {
      sums[i] = counts[i] == 0 ? Double.NaN : sums[i] / counts[i];
    }
    return sums;
  }

  private TimedSamples samples(
      Optional<LatencySamples> run, Function<LatencySamples, TimedSamples> shared) {
    return run.map(of -> shared.apply(of).cutBy(time))
        .orElseGet(() -> new TimedSamples(new SampleSet(EXACT_LIMIT, 4), time));
  }

  private void readOwn(RequestRow row, int choices) {
    requests++;
    lateSeconds += Math.max(0, row.times().started() - row.times().intended()) / 1e9;
    unstreamed |= row.isUnstreamed();
    goodRequests.read(row, choices);
    if (row.hasFirstToken()) {
      long wait = row.firstTokenNanos() - row.times().intended();
      ttft.add(wait, row.firstTokenNanos());
      ttftBatches.add(wait / 1e9, row.times().ended());
      int bin = binOf(row.firstTokenNanos());
      ttftSums[bin] += wait / 1e9;
      ttftCounts[bin]++;
    }
    if (row.ending().outcome() == Outcome.OK) {
      ok++;
      readEnd(row, choices);
    }
  }

  private void readEnd(RequestRow row, int choices) {
    if (row.hasToken()) {
      long stay = row.lastTokenNanos() - row.times().intended();
      e2e.add(stay, row.lastTokenNanos());
      if (row.times().intended() < startNanos + EARLY * (endNanos - startNanos)) {
        earlyStaySeconds += stay / 1e9;
        early++;
      }
    }
    long[] arrivals = row.chunks().arrivalNanos();
    if (choices == 1 && arrivals.length > 1) {
      chunkGaps.addGaps(arrivals);
      largestGaps.add(row.chunks().largestGapNanos(), arrivals[arrivals.length - 1]);
      int bin = binOf(arrivals[arrivals.length - 1]);
      gapSums[bin] += (arrivals[arrivals.length - 1] - arrivals[0]) / 1e9;
      gapCounts[bin] += arrivals.length - 1;
    }
  }

  private void markBusy(long from, long to) {
    if (to <= startNanos || from >= endNanos) {
      return;
    }
    double binNanos = (double) (endNanos - startNanos) / BINS;
    int first = binOf(Math.max(from, startNanos));
    int last = binOf(Math.min(to, endNanos) - 1);
    for (int bin = first; bin <= last; bin++) {
      double binStart = startNanos + bin * binNanos;
      busyNanos[bin] += Math.max(0, Math.min(to, binStart + binNanos) - Math.max(from, binStart));
    }
  }

  private int binOf(long nanos) {
    double share = (double) (nanos - startNanos) / (endNanos - startNanos);
    return (int) Math.max(0, Math.min(BINS - 1, share * BINS));
  }
}
