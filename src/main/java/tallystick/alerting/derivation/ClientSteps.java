package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import tallystick.analysis.client.ObjectiveReading;
import tallystick.analysis.statistics.GrowthTrend;
import tallystick.plan.Phase;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Objective;

/**
 * What the client lived through in each step of a run: when a request was judged, and whether it
 * was good. A request is judged where the engine's histogram of the same quantity observes it: TTFT
 * at the first token, a gap at its end, E2E and TPOT at the last token. A failed request is judged
 * when it failed. A user whose wait is longer than the limit suffers before that: how many do at a
 * moment is counted beside.
 */
final class ClientSteps {
  private final ObjectiveReading reading;
  private final Map<String, Step> steps = new LinkedHashMap<>();
  private final LongWaits waits = new LongWaits();

  private ClientSteps(Objective objective) {
    this.reading = new ObjectiveReading(objective);
  }

  /** Takes one judged request: when, and whether it was good. */
  interface JudgedRequest {
    void take(long atNanos, boolean isGood);
  }

  /** One step; times in nanoseconds after the run's origin. */
  static final class Step {
    private final LongWaits waits;
    private final Phase phase;
    private final long startNanos;
    private final long endNanos;
    private final double[] inFlightNanos = new double[GrowthTrend.BATCHES];
    private long[] judgedNanos = new long[64];
    private boolean[] good = new boolean[64];
    private int size;

    private Step(Phase phase, long originNanos, LongWaits waits) {
      this.waits = waits;
      this.phase = phase;
      this.startNanos = originNanos + phase.startNanos();
      this.endNanos = originNanos + phase.endNanos();
    }

    Phase phase() {
      return phase;
    }

    long startNanos() {
      return startNanos;
    }

    long endNanos() {
      return endNanos;
    }

    /** Judged requests of any step in [from, to), and the good ones among them. */
    long[] counts(long fromNanos, long toNanos) {
      long observed = 0;
      long kept = 0;
      for (int i = 0; i < size; i++) {
        if (judgedNanos[i] >= fromNanos && judgedNanos[i] < toNanos) {
          observed++;
          kept += good[i] ? 1 : 0;
        }
      }
      return new long[] {observed, kept};
    }

    /** Requests of any step whose wait had passed the limit by then, to be judged later. */
    long waiting(long atNanos) {
      return waits.at(atNanos);
    }

    /** Takes each judged request in turn. */
    void each(JudgedRequest taker) {
      for (int i = 0; i < size; i++) {
        taker.take(judgedNanos[i], good[i]);
      }
    }

    boolean isOverloaded() {
      double batch = (endNanos - startNanos) / (double) GrowthTrend.BATCHES;
      double[] means = Arrays.stream(inFlightNanos).map(sum -> sum / batch).toArray();
      return GrowthTrend.of(means, 1).isGrowth();
    }

    private void judge(long atNanos, boolean isGood) {
      if (atNanos < startNanos || atNanos >= endNanos) {
        return;
      }
      if (size == judgedNanos.length) {
        judgedNanos = Arrays.copyOf(judgedNanos, size * 2);
        good = Arrays.copyOf(good, size * 2);
      }
      judgedNanos[size] = atNanos;
      good[size++] = isGood;
    }

    private void fly(long fromNanos, long toNanos) {
      double batch = (endNanos - startNanos) / (double) inFlightNanos.length;
      for (int i = 0; i < inFlightNanos.length; i++) {
        double low = Math.max(fromNanos, startNanos + i * batch);
        double high = Math.min(toNanos, startNanos + (i + 1) * batch);
        inFlightNanos[i] += Math.max(0, high - low);
      }
    }
  }

  /** The measured steps of a run in the order of the plan. */
  static List<Step> of(RunRows rows, Objective objective) {
    ClientSteps client = new ClientSteps(objective);
    long origin = origin(rows);
    rows.settings().phases().stream()
        .filter(phase -> !phase.warmup())
        .forEach(phase -> client.steps.put(phase.name(), new Step(phase, origin, client.waits)));
    rows.eachRequest(row -> client.add(row, rows.choices(row.index())));
    return new ArrayList<>(client.steps.values());
  }

  /** Where the times of the phases begin, in nanoseconds after the run's origin. */
  static long origin(RunRows rows) {
    AtomicLong origin = new AtomicLong();
    rows.eachHarness(
        row -> {
          if (row instanceof HarnessRow.Mark mark
              && mark.kind() == HarnessRow.Mark.Kind.WINDOW_ORIGIN) {
            origin.set(mark.atNanos());
          }
        });
    return origin.get();
  }

  static boolean isWarmUpGood(RunRows rows, Objective objective) {
    ClientSteps client = new ClientSteps(objective);
    Set<String> warm =
        rows.settings().phases().stream()
            .filter(Phase::warmup)
            .map(Phase::name)
            .collect(Collectors.toSet());
    AtomicBoolean good = new AtomicBoolean(true);
    rows.eachRequest(
        row -> {
          if (warm.contains(row.phase())) {
            client.reading.judge(
                row, rows.choices(row.index()),
                (at, isGood) -> good.compareAndSet(true, isGood));
          }
        });
    return good.get();
  }

  private void add(RequestRow row, int choices) {
    boolean measured = steps.containsKey(row.phase());
    for (Step step : steps.values()) {
      step.fly(row.times().started(), row.times().ended());
      if (measured) {
        reading.judge(row, choices, step::judge);
      }
    }
    if (measured) {
      reading.judge(
          row, choices,
          (at, isGood) -> {
            if (!isGood) {
              waits.add(reading.brokenNanos(row, at), at);
            }
          });
    }
  }
}
