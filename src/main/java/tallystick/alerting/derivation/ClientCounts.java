package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import tallystick.analysis.client.ObjectiveReading;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Objective;

/**
 * The client's counts over the whole of a run in windows of equal length, steps and what lies
 * between them alike.
 *
 * @param startMillis begin of the first window, after the run's origin
 * @param windowMillis length of a window
 * @param counts judged and good requests of each window
 */
public record ClientCounts(long startMillis, long windowMillis, List<Count> counts) {
  private static final long MILLI = 1_000_000;
  private static final long USUAL_MILLIS = 30_000; // the usual evaluation interval
  private static final long MOST_MILLIS = 300_000; // see windowMillis
  private static final double LEAST_REQUESTS = 100; // of fewer one bad proves a violation

  /**
   * What a window showed.
   *
   * @param observed judged requests
   * @param good the good ones among them
   * @param waiting requests beside them whose wait passed the limit before the window's end; they
   *     are judged later
   */
  public record Count(long observed, long good, long waiting) {
    /** A window in which nobody waited for too long without being judged. */
    public Count(long observed, long good) {
      this(observed, good, 0);
    }
  }

  public ClientCounts {
    counts = List.copyOf(counts);
  }

  /** Windows without a gap between them, from the end of the first to the end of the last. */
  public record Stretch(long fromMillis, long toMillis) {}

  /** The longest stretches of windows of a kind, told by a window's place among the counts. */
  public List<Stretch> stretches(IntPredicate isIn) {
    List<Stretch> stretches = new ArrayList<>();
    for (int i = 0; i < counts.size(); i++) {
      if (isIn.test(i)) {
        long end = startMillis + (i + 1) * windowMillis;
        boolean goesOn =
            !stretches.isEmpty() && stretches.getLast().toMillis() == end - windowMillis;
        long from = goesOn ? stretches.removeLast().fromMillis() : end;
        stretches.add(new Stretch(from, end));
      }
    }
    return stretches;
  }

  /**
   * 30 s, or the smallest multiple of it that holds 100 requests of the slowest step, at most five
   * minutes: fewer prove a violation by one bad request.
   */
  public static long windowMillis(RunRows rows) {
    double slowest =
        rows.settings().phases().stream()
            .filter(Phase::hasOneRate)
            .mapToDouble(Phase::requestsPerSecond)
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    long times = (long) Math.ceil(LEAST_REQUESTS / slowest * 1000 / USUAL_MILLIS);
    return Math.min(MOST_MILLIS, Math.max(1, times) * USUAL_MILLIS);
  }

  /** Whether every request of the warm-up, if there was one, kept the objective. */
  public static boolean isWarmUpGood(RunRows rows, Objective objective) {
    ObjectiveReading reading = new ObjectiveReading(objective);
    Set<String> warm =
        rows.settings().phases().stream()
            .filter(Phase::warmup)
            .map(Phase::name)
            .collect(Collectors.toSet());
    AtomicBoolean good = new AtomicBoolean(true);
    rows.eachRequest(
        row -> {
          if (warm.contains(row.phase())) {
            reading.judge(
                row, rows.choices(row.index()),
                (at, isGood) -> good.compareAndSet(true, isGood));
          }
        });
    return good.get();
  }

  /** The counts of a run. */
  public static ClientCounts of(RunRows rows, Objective objective, long windowMillis) {
    List<ClientSteps.Step> steps = ClientSteps.of(rows, objective);
    long width = windowMillis * MILLI;
    long start = steps.stream().mapToLong(ClientSteps.Step::startNanos).min().orElse(0);
    long end = steps.stream().mapToLong(step -> end(step, width)).max().orElse(0);
    List<Count> counts = new ArrayList<>();
    for (long to = start + width; to <= end; to += width) {
      long observed = 0;
      long good = 0;
      for (ClientSteps.Step step : steps) {
        long[] judged = step.counts(to - width, to);
        observed += judged[0];
        good += judged[1];
      }
      counts.add(new Count(observed, good, steps.getFirst().waiting(to)));
    }
    return new ClientCounts(start / MILLI, windowMillis, counts);
  }

  /** A load that ends by its number of requests has no planned end: it ends with the last one. */
  private static long end(ClientSteps.Step step, long windowNanos) {
    return step.phase().endNanos() < Settings.Timing.UNBOUNDED_NANOS
        ? step.endNanos()
        : step.lastNanos() + windowNanos;
  }
}
