package tallystick.alerting.backtest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.analysis.statistics.Proportion;
import tallystick.plan.Phase;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Objective;

/**
 * A run as its users lived through it: when they were well, when they suffered. Only the client's
 * requests decide; no figure of the engine and no rule is looked at.
 *
 * @param healthy stretches of steps, the violated windows and five minutes before them cut out,
 *     whose requests together prove the target; neighbours are one
 * @param suffering stretches of at least two violated windows: an episode, or a step whose requests
 *     together prove a violation, from its first violated window to its last
 */
public record UserStretches(List<Stretch> healthy, List<Stretch> suffering) {
  private static final long MILLI = 1_000_000;
  private static final int LEAST_WINDOWS = 2; // sustained, docs/alerts.md

  /**
   * One stretch.
   *
   * @param fromMillis its begin, after the run's origin
   * @param toMillis its end
   * @param observed judged requests in it
   * @param good those that kept the objective
   * @param first whether the run begins with it and nobody suffered in the warm-up
   */
  public record Stretch(
      long fromMillis, long toMillis, long observed, long good, boolean first) {
    /** How long it lasts. */
    public long lengthMillis() {
      return toMillis - fromMillis;
    }
  }

  public UserStretches {
    healthy = List.copyOf(healthy);
    suffering = List.copyOf(suffering);
  }

  /** The stretches of a run, in windows as a backtest cuts them. */
  public static UserStretches of(RunRows rows, Objective objective) {
    ClientCounts counts = ClientCounts.of(rows, objective, ClientCounts.windowMillis(rows));
    boolean cold = ClientCounts.isWarmUpGood(rows, objective);
    return of(counts, rows.settings().phases(), objective.share(), cold);
  }

  /** The stretches of counted windows; the first window begins with the first measured phase. */
  static UserStretches of(
      ClientCounts counts, List<Phase> phases, double target, boolean isWarmUpGood) {
    Windows windows = new Windows(counts, target, steps(counts, phases));
    return new UserStretches(
        windows.stretches(windows.healthy(), 1, isWarmUpGood),
        windows.stretches(windows.suffering(), LEAST_WINDOWS, isWarmUpGood));
  }

  /** For each window the step that holds its middle; -1 for none. */
  private static int[] steps(ClientCounts counts, List<Phase> phases) {
    List<Phase> steps = phases.stream().filter(phase -> !phase.warmup()).toList();
    long first = steps.stream().mapToLong(Phase::startNanos).min().orElse(0);
    int[] of = new int[counts.counts().size()];
    Arrays.fill(of, -1);
    for (int i = 0; i < of.length; i++) {
      long middle = first + (2 * i + 1) * counts.windowMillis() * MILLI / 2;
      for (int step = 0; step < steps.size(); step++) {
        if (steps.get(step).startNanos() <= middle && middle < steps.get(step).endNanos()) {
          of[i] = step;
        }
      }
    }
    return of;
  }

  private record Windows(ClientCounts counts, double target, int[] steps) {
    private boolean isViolated(int window) {
      return Episode.isViolated(counts.counts().get(window), target);
    }

    /** One without requests is not calm, so that it goes on with nothing. */
    private boolean isCalm(int window) {
      return !isViolated(window) && observed(window, window + 1) > 0;
    }

    private boolean[] healthy() {
      boolean[] healthy = new boolean[steps.length];
      for (Run run : runs((i, first) -> steps[i] == steps[first] && isCalm(i) && isCalm(first))) {
        boolean isProven = isCalm(run.from) && wilson(run.from, run.to).low() >= target;
        Arrays.fill(healthy, run.from, run.to, isProven);
      }
      clearBeforeEpisodes(healthy);
      return healthy;
    }

    /** Windows from one up to another. */
    private record Run(int from, int to) {}

    /** All windows in runs of those that go on with what the first of them began. */
    private List<Run> runs(BiPredicate<Integer, Integer> goesOn) {
      List<Run> runs = new ArrayList<>();
      for (int i = 0; i < steps.length; i++) {
        boolean isNext = !runs.isEmpty() && goesOn.test(i, runs.getLast().from);
        runs.add(new Run(isNext ? runs.removeLast().from : i, i + 1));
      }
      return runs;
    }

    /** A firing within five minutes of an episode belongs to it: it may be early. */
    private void clearBeforeEpisodes(boolean[] healthy) {
      for (Episode episode : Episode.of(counts, target)) {
        long early = episode.onsetMillis() - Episode.SLACK_MILLIS - counts.startMillis();
        int from = (int) Math.max(0, Math.floorDiv(early, counts.windowMillis()));
        int to = (int) ((episode.endMillis() - counts.startMillis()) / counts.windowMillis());
        Arrays.fill(healthy, from, to, false);
      }
    }

    private boolean[] suffering() {
      boolean[] suffering = new boolean[steps.length];
      for (Run step : runs((i, first) -> steps[i] == steps[first])) {
        int[] bad = IntStream.range(step.from, step.to).filter(this::isViolated).toArray();
        IntStream.of(bad).forEach(i -> suffering[i] = true);
        if (bad.length > 0 && wilson(step.from, step.to).high() < target) {
          Arrays.fill(suffering, bad[0], bad[bad.length - 1] + 1, true);
        }
      }
      return suffering;
    }

    private List<Stretch> stretches(boolean[] in, int least, boolean isStart) {
      List<Stretch> stretches = new ArrayList<>();
      for (Run run : runs((i, first) -> in[i] == in[first])) {
        if (in[run.from] && run.to - run.from >= least) {
          long start = counts.startMillis();
          stretches.add(
              new Stretch(
                  start + run.from * counts.windowMillis(), start + run.to * counts.windowMillis(),
                  observed(run.from, run.to), good(run.from, run.to), isStart && run.from == 0));
        }
      }
      return stretches;
    }

    private Proportion wilson(int from, int to) {
      return Proportion.wilson(good(from, to), observed(from, to), Proportion.CONFIDENCE);
    }

    /** Each request once: one that waits past the last window is judged in none of these. */
    private long observed(int from, int to) {
      return counts.counts().get(to - 1).waiting()
          + counts.counts().subList(from, to).stream()
              .mapToLong(ClientCounts.Count::observed)
              .sum();
    }

    private long good(int from, int to) {
      return counts.counts().subList(from, to).stream().mapToLong(ClientCounts.Count::good).sum();
    }
  }
}
