package tallystick.analysis;

import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

/**
 * Judges one objective over the measured requests. A failed request is bad for every objective. A
 * request its own client left is judged only by what had been seen by then.
 */
final class ObjectiveJudge {
  private final Objective objective;
  private final boolean fromIntended;
  private long good;
  private long judged;
  private long requests;
  private double sumGoodSquared;
  private double sumJudgedSquared;
  private double sumProduct;
  private final BadInOrder inOrder = new BadInOrder();

  /**
   * A judge of one objective.
   *
   * @param fromIntended whether waiting counts from the intended start; otherwise from the actual
   */
  ObjectiveJudge(Objective objective, boolean fromIntended) {
    this.objective = objective;
    this.fromIntended = fromIntended;
  }

  /** Takes a measured request; one of another class is passed over. */
  void read(RequestRow row) {
    if (!objective.requestClass().isEmpty()
        && !objective.requestClass().equals(row.requestClass())) {
      return;
    }
    switch (row.ending().outcome()) {
      case OK -> readOk(row);
      case CLIENT_CANCELLED -> readCancelled(row);
      case HTTP_ERROR, REFUSED, TIMED_OUT, CUT_MID_STREAM, MALFORMED_CHUNK, ERROR_EVENT,
          EMPTY_STREAM, DONE_MISSING, NOT_A_STREAM -> count(row, 0, 1);
    }
  }

  /** The verdict. */
  RunAnalysis.ObjectiveResult result() {
    if (judged == 0) {
      Figure none = Figure.missing("nothing to judge");
      return new RunAnalysis.ObjectiveResult(
          objective, 0, 0, none, none, "indeterminate", none);
    }
    double share = (double) good / judged;
    double effective = effectiveCount(share);
    Proportion interval =
        Proportion.wilson(share * effective, effective, Proportion.CONFIDENCE);
    return new RunAnalysis.ObjectiveResult(
        objective,
        good,
        judged,
        Figure.of(interval.low()),
        Figure.of(interval.high()),
        interval.verdict(objective.share()),
        Figure.of(share));
  }

  /**
   * Requests that suffer together are worth fewer independent ones: the count is corrected by the
   * autocorrelation of being bad in the order of sending. Gaps of one request are alike, too: their
   * count is divided by the design effect of requests as clusters. Where every gap is alike the
   * effect cannot be estimated, and the number of requests stands in.
   */
  private double effectiveCount(double share) {
    if (objective.metric() != Metric.ITL) {
      return BadInOrder.effectiveCount(judged, inOrder.autocorrelation());
    }
    if (requests < 2 || share <= 0 || share >= 1) {
      return requests;
    }
    double spread =
        sumGoodSquared - 2 * share * sumProduct + share * share * sumJudgedSquared;
    double clustered =
        spread / ((double) judged * judged) * requests / (requests - 1);
    double independent = share * (1 - share) / judged;
    return judged / Math.max(1, clustered / independent);
  }

  private void readOk(RequestRow row) {
    if (objective.metric() == Metric.ITL) {
      readGaps(row);
      return;
    }
    double seconds = value(row);
    if (!Double.isNaN(seconds)) {
      count(row, seconds <= objective.thresholdSeconds() ? 1 : 0, 1);
    }
  }

  /** NaN where the metric says nothing of such a request. */
  private double value(RequestRow row) {
    return switch (objective.metric()) {
      case TTFT -> row.hasFirstToken() ? since(row, row.firstTokenNanos()) : Double.NaN;
      case E2E -> row.hasFirstToken() ? since(row, row.lastTokenNanos()) : Double.NaN;
      case LARGEST_GAP -> largestGap(row) / 1e9;
      case TPOT -> {
        int tokens = TokenCount.of(row);
        double decode = row.lastTokenNanos() - row.firstTokenNanos();
        yield tokens >= 2 ? decode / (tokens - 1) / 1e9 : Double.NaN;
      }
      case ITL -> Double.NaN;
    };
  }

  /**
   * What a leaving client had seen: a first token judges TTFT; time already beyond the threshold
   * is bad for TTFT and E2E; anything else nobody can tell.
   */
  private void readCancelled(RequestRow row) {
    switch (objective.metric()) {
      case TTFT -> {
        double seconds =
            since(row, row.hasFirstToken() ? row.firstTokenNanos() : row.times().ended());
        if (row.hasFirstToken() || seconds > objective.thresholdSeconds()) {
          count(row, seconds <= objective.thresholdSeconds() ? 1 : 0, 1);
        }
      }
      case E2E -> {
        if (since(row, row.times().ended()) > objective.thresholdSeconds()) {
          count(row, 0, 1);
        }
      }
      case LARGEST_GAP -> {
        if (largestGap(row) / 1e9 > objective.thresholdSeconds()) {
          count(row, 0, 1);
        }
      }
      case ITL -> readGaps(row);
      case TPOT -> {
        // A mean over an unfinished answer is not the quantity the objective names.
      }
    }
  }

  private void readGaps(RequestRow row) {
    long[] arrivals = row.chunks().arrivalNanos();
    long goodGaps = 0;
    for (int i = 1; i < arrivals.length; i++) {
      goodGaps += (arrivals[i] - arrivals[i - 1]) / 1e9 <= objective.thresholdSeconds() ? 1 : 0;
    }
    if (arrivals.length > 1) {
      count(row, goodGaps, arrivals.length - 1);
    }
  }

  private void count(RequestRow row, long goodThings, long things) {
    inOrder.note(row.index(), goodThings < things);
    good += goodThings;
    judged += things;
    requests++;
    sumGoodSquared += (double) goodThings * goodThings;
    sumJudgedSquared += (double) things * things;
    sumProduct += (double) goodThings * things;
  }

  private double since(RequestRow row, long nanos) {
    long from = fromIntended ? row.times().intended() : row.times().started();
    return (nanos - from) / 1e9;
  }

  private static long largestGap(RequestRow row) {
    long[] arrivals = row.chunks().arrivalNanos();
    long largest = 0;
    for (int i = 1; i < arrivals.length; i++) {
      largest = Math.max(largest, arrivals[i] - arrivals[i - 1]);
    }
    return largest;
  }
}
