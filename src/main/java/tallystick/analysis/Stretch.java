package tallystick.analysis;

import java.util.Locale;

/**
 * A stretch of a run as the interpretation sees it: each signal as counts per unit of time, and
 * plain figures beside them.
 *
 * @param name in words
 * @param clientTtft client TTFT from the intended start
 * @param clientGaps client chunk gaps
 * @param engineTtft the engine's TTFT buckets
 * @param engineItl the engine's gap buckets
 * @param queue the engine's queue-time buckets
 * @param figures what is shown as evidence; NaN where not known
 */
record Stretch(
    String name,
    Counts clientTtft,
    Counts clientGaps,
    Counts engineTtft,
    Counts engineItl,
    Counts queue,
    Figures figures) {

  /** The same stretch under another name. */
  Stretch named(String newName) {
    return new Stretch(newName, clientTtft, clientGaps, engineTtft, engineItl, queue, figures);
  }

  /**
   * Counts of a signal.
   *
   * @param edges upper edges of the cells, ascending; the last one may be infinite
   * @param perUnit for each unit of time the count in each cell, not cumulative
   * @param sums for each unit the sum of the observations in seconds
   */
  record Counts(double[] edges, double[][] perUnit, double[] sums) {
    static final Counts NONE = new Counts(new double[0], new double[0][], new double[0]);

    int units() {
      return perUnit.length;
    }

    /** All units added up. */
    double[] total() {
      int[] all = new int[units()];
      for (int i = 0; i < all.length; i++) {
        all[i] = i;
      }
      return total(all);
    }

    /** The chosen units added up, each as often as it is chosen. */
    double[] total(int[] units) {
      double[] total = new double[edges.length];
      for (int unit : units) {
        for (int cell = 0; cell < total.length; cell++) {
          total[cell] += perUnit[unit][cell];
        }
      }
      return total;
    }

    double count() {
      double count = 0;
      for (double cell : total()) {
        count += cell;
      }
      return count;
    }

    /** Mean over chosen units; NaN where they hold nothing. */
    double mean(int[] units) {
      double sum = 0;
      double count = 0;
      for (int unit : units) {
        sum += sums[unit];
        for (double cell : perUnit[unit]) {
          count += cell;
        }
      }
      return count > 0 ? sum / count : Double.NaN;
    }

    /** Index of the cell in which the quantile lies; -1 without observations. */
    static int cellOf(double[] cells, double level) {
      double count = 0;
      for (double cell : cells) {
        count += cell;
      }
      double rank = Math.ceil(level * count - 1e-9);
      double below = 0;
      for (int i = 0; i < cells.length; i++) {
        below += cells[i];
        if (count > 0 && below >= Math.max(1, rank)) {
          return i;
        }
      }
      return -1;
    }

    /** The quantile interpolated inside its cell, only ever used in ratios. */
    double interpolated(double[] cells, double level) {
      int cell = cellOf(cells, level);
      if (cell < 0) {
        return Double.NaN;
      }
      double low = cell == 0 ? 0 : edges[cell - 1];
      if (Double.isInfinite(edges[cell])) {
        return low;
      }
      double below = 0;
      double count = 0;
      for (int i = 0; i < cells.length; i++) {
        below += i < cell ? cells[i] : 0;
        count += cells[i];
      }
      double inside = (level * count - below) / cells[cell];
      return low + (edges[cell] - low) * Math.max(0, Math.min(1, inside));
    }
  }

  /** Plain figures of a stretch. */
  record Figures(
      double promptTokens,
      double prefillSeconds,
      double apiServerSeconds,
      double prefixHitRatio,
      double running,
      double waiting,
      double kvUsage,
      double preemptionsPerFinished,
      double generationTokensPerSecond,
      double finishedPerSecond,
      boolean overloaded) {

    /** A line of two stretches' figures. */
    static String line(String what, double here, double reference, String format) {
      return what
          + " "
          + (Double.isNaN(here) ? "n/a" : String.format(Locale.ROOT, format, here))
          + ", reference "
          + (Double.isNaN(reference) ? "n/a" : String.format(Locale.ROOT, format, reference));
    }
  }
}
