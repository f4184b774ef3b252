package tallystick.analysis;

import java.util.List;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/** One measured phase's requests, gathered in one pass. */
final class PhaseSamples {
  /** Fine bins of a phase; every later division into batches is a sum of them. */
  static final int BINS = 240;

  /** Units of time a stretch is resampled by. */
  static final int UNITS = 60;

  private static final int EXACT_LIMIT = 1 << 19;

  private final Phase phase;
  private final long startNanos;
  private final long endNanos;
  private final SampleSet ttft = new SampleSet(EXACT_LIMIT, 4);
  private final SampleSet e2e = new SampleSet(EXACT_LIMIT, 4);
  private final SampleSet largestGaps = new SampleSet(EXACT_LIMIT, 4);
  private final SampleSet chunkGaps = new SampleSet(EXACT_LIMIT, 4);
  private final UnitHistogram ttftUnits = new UnitHistogram(UNITS);
  private final UnitHistogram gapUnits = new UnitHistogram(UNITS);
  private final double[] promptTokens = new double[UNITS];
  private final long[] promptCounts = new long[UNITS];
  private final BatchMeans ttftBatches = new BatchMeans();
  private final double[] busyNanos = new double[BINS];
  private final double[] ttftSums = new double[BINS];
  private final long[] ttftCounts = new long[BINS];
  private final ObjectiveJudges objectives;
  private long requests;
  private long ok;

  PhaseSamples(Phase phase, Window window, long lastNanos, Settings settings) {
    this.phase = phase;
    this.startNanos = window.originNanos() + phase.startNanos();
    long planned = window.originNanos() + phase.endNanos();
    this.endNanos = Math.max(startNanos + 1, Math.min(planned, lastNanos));
    this.objectives = ObjectiveJudges.of(settings.objectives());
  }

  /** Takes a measured request of any phase: each one is in flight for all of them. */
  void read(RequestRow row, int choices) {
    if (row.times().started() >= 0) {
      markBusy(row.times().started(), row.times().ended());
    }
    if (row.phase().equals(phase.name())) {
      readOwn(row, choices);
    }
  }

  Phase phase() {
    return phase;
  }

  double lengthSeconds() {
    return (endNanos - startNanos) / 1e9;
  }

  long startNanos() {
    return startNanos;
  }

  long endNanos() {
    return endNanos;
  }

  SampleSet ttft() {
    return ttft;
  }

  SampleSet e2e() {
    return e2e;
  }

  SampleSet largestGaps() {
    return largestGaps;
  }

  SampleSet chunkGaps() {
    return chunkGaps;
  }

  /** TTFT from the intended start, by the unit in which the token arrived. */
  UnitHistogram ttftUnits() {
    return ttftUnits;
  }

  /** Chunk gaps by the unit in which they ended. */
  UnitHistogram gapUnits() {
    return gapUnits;
  }

  /** Mean prompt length over some units; NaN where nobody told. */
  double meanPromptTokens(int fromUnit, int toUnit) {
    double sum = 0;
    long count = 0;
    for (int i = fromUnit; i < toUnit; i++) {
      sum += promptTokens[i];
      count += promptCounts[i];
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  BatchMeans ttftBatches() {
    return ttftBatches;
  }

  long requests() {
    return requests;
  }

  long ok() {
    return ok;
  }

  List<RunAnalysis.ObjectiveResult> objectives() {
    return objectives.fromIntended();
  }

  /** Mean requests in flight over so many batches of the part after a number of bins. */
  double[] inFlight(int skippedBins, int batches) {
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
  double[] ttftMeans(int groups) {
    double[] sums = new double[groups];
    long[] counts = new long[groups];
    for (int i = 0; i < BINS; i++) {
      int group = i * groups / BINS;
      sums[group] += ttftSums[i];
      counts[group] += ttftCounts[i];
    }
    for (int i = 0; i < groups; i++) {
      sums[i] = counts[i] == 0 ? Double.NaN : sums[i] / counts[i];
    }
    return sums;
  }

  private void readOwn(RequestRow row, int choices) {
    requests++;
    objectives.read(row);
    if (row.hasFirstToken()) {
      long wait = row.firstTokenNanos() - row.times().intended();
      ttft.add(wait);
      int unit = unitOf(row.firstTokenNanos());
      ttftUnits.add(unit, wait);
      if (row.usage().promptTokens() >= 0) {
        promptTokens[unit] += row.usage().promptTokens();
        promptCounts[unit]++;
      }
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
    if (row.hasFirstToken()) {
      e2e.add(row.lastTokenNanos() - row.times().intended());
    }
    long[] arrivals = row.chunks().arrivalNanos();
    long largest = RequestRow.NEVER;
    for (int i = 1; i < arrivals.length && choices == 1; i++) {
      long gap = arrivals[i] - arrivals[i - 1];
      chunkGaps.add(gap);
      gapUnits.add(unitOf(arrivals[i]), gap);
      largest = Math.max(largest, gap);
    }
    if (largest >= 0) {
      largestGaps.add(largest);
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
      busyNanos[bin] +=
          Math.max(0, Math.min(to, binStart + binNanos) - Math.max(from, binStart));
    }
  }

  private int unitOf(long nanos) {
    return binOf(nanos) * UNITS / BINS;
  }

  private int binOf(long nanos) {
    double share = (double) (nanos - startNanos) / (endNanos - startNanos);
    return (int) Math.max(0, Math.min(BINS - 1, share * BINS));
  }
}
