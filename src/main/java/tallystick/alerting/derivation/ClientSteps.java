package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
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
  private final Moments good = new Moments();
  private final Moments bad = new Moments();

  /** When the waits of the bad ones passed the limit. */
  private final Moments broken = new Moments();

  private ClientSteps(Objective objective) {
    this.reading = new ObjectiveReading(objective);
  }

  /** One step; times in nanoseconds after the run's origin. */
  record Step(
      ClientSteps client, Phase phase, long startNanos, long endNanos, double[] inFlightNanos) {
    private static Step of(ClientSteps client, Phase phase, long originNanos) {
      return new Step(
          client, phase, originNanos + phase.startNanos(), originNanos + phase.endNanos(),
          new double[GrowthTrend.BATCHES]);
    }

    /** Requests of any step judged in it and in [from, to), and the good ones among them. */
    long[] counts(long fromNanos, long toNanos) {
      long from = Math.max(startNanos, fromNanos);
      long to = Math.max(from, Math.min(endNanos, toNanos));
      long kept = client.good.before(to) - client.good.before(from);
      return new long[] {kept + client.bad.before(to) - client.bad.before(from), kept};
    }

    /** Requests of any step whose wait had passed the limit by then, to be judged later. */
    long waiting(long atNanos) {
      return client.broken.before(atNanos) - client.bad.before(atNanos);
    }

    /** When the last request of any step was judged; its begin where none was since. */
    long lastNanos() {
      return Math.max(startNanos, Math.max(client.good.last(), client.bad.last()));
    }

    boolean isOverloaded() {
      double batch = (endNanos - startNanos) / (double) GrowthTrend.BATCHES;
      double[] means = Arrays.stream(inFlightNanos).map(sum -> sum / batch).toArray();
      return GrowthTrend.of(means, 1).isGrowth();
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
        .forEach(phase -> client.steps.put(phase.name(), Step.of(client, phase, origin)));
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

  private void add(RequestRow row, int choices) {
    steps.values().forEach(step -> step.fly(row.times().started(), row.times().ended()));
    if (steps.containsKey(row.phase())) {
      reading.judge(
          row, choices,
          (at, isGood) -> {
            (isGood ? good : bad).add(at);
            if (!isGood) {
              broken.add(reading.brokenNanos(row, at));
            }
          });
    }
  }
}
