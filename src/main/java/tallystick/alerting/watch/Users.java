package tallystick.alerting.watch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.BetaDistribution;
import tallystick.alerting.backtest.Episode;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.alerting.derivation.ClientCounts.Count;
import tallystick.alerting.watch.MetricHistory.Steps;
import tallystick.promql.ExpressionText;
import tallystick.promql.Labels;

/**
 * How users did, window by window.
 *
 * @param windows the ends of the windows, which do not overlap
 * @param groups one for each set of labels that the SLI has, for example each model
 */
public record Users(Steps windows, List<Group> groups) {
  /** Half a request of each kind: nothing is known beforehand (Jeffreys' prior). */
  private static final double PRIOR = 0.5;

  private static final long NO_WINDOW = 300_000; // any will do where nothing is counted

  /**
   * Users whom the SLI counts together.
   *
   * @param labels of the SLI's series
   * @param target the share of requests that must be good
   * @param counts requests of each window
   * @param episodes when they suffered
   * @param scatter how many times as much the share varies from window to window as by chance:
   *     requests that come together are slow together
   */
  public record Group(
      Labels labels, double target, ClientCounts counts, List<Episode> episodes, double scatter) {
    private long sum(int[] windows, ToLongFunction<Count> kind) {
      return IntStream.of(windows).mapToObj(counts.counts()::get).mapToLong(kind).sum();
    }

    /** Times they suffered for two windows or longer, which an alert should find. */
    List<Episode> sustained() {
      return episodes.stream().filter(one -> one.windows(counts.windowMillis()) > 1).toList();
    }

    /** Whether a series with these labels can be about these users. */
    boolean concerns(Labels other) {
      return labels.values().entrySet().stream()
          .allMatch(label -> List.of("", label.getValue()).contains(other.get(label.getKey())));
    }
  }

  /** How users did in a window. */
  public enum State {
    /** Nobody sent a request, or nobody looked. */
    IDLE,
    /** The share of good requests was no less than it must be. */
    WELL,
    /** It was less, and chance can explain that. */
    UNCLEAR,
    /** It was less, and chance cannot explain that. */
    SUFFERING
  }

  public Users {
    groups = List.copyOf(groups);
  }

  /**
   * Reads them.
   *
   * @param slis all of the same window; there may be none
   * @param seen when the Prometheus looked
   */
  static Users read(MetricHistory history, List<Sli> slis, Seen seen)
      throws IOException, InterruptedException {
    Steps windows = seen.steps(slis.isEmpty() ? NO_WINDOW : slis.getFirst().windowMillis());
    List<Group> groups = new ArrayList<>();
    for (Sli sli : slis) {
      Map<Labels, double[]> shares = history.values(ExpressionText.of(sli.bad()), windows);
      history.values(sli.count(), windows).forEach(
          (labels, requests) -> {
            if (shares.containsKey(labels)) {
              List<Count> counts = counts(requests, shares.get(labels), windows, seen);
              groups.add(group(labels, sli.target(), counts, windows));
            }
          });
    }
    return new Users(windows, groups);
  }

  private static List<Count> counts(
      double[] requests, double[] bad, Steps windows, Seen seen) {
    List<Count> counts = new ArrayList<>();
    for (int i = 0; i < requests.length; i++) {
      boolean isKnown =
          requests[i] >= PRIOR && Double.isFinite(requests[i]) && Double.isFinite(bad[i])
              && seen.at(windows.at(i));
      if (isKnown && bad[i] > Sli.MOST_SHARE) {
        throw new Sli.NoShareException(bad[i]);
      }
      long observed = isKnown ? Math.round(requests[i]) : 0;
      double good = isKnown ? 1 - Math.clamp(bad[i], 0, 1) : 0;
      counts.add(new Count(observed, Math.round(observed * good)));
    }
    return counts;
  }

  private static Group group(Labels labels, double target, List<Count> counts, Steps windows) {
    ClientCounts whole =
        new ClientCounts(windows.at(0) - windows.stepMillis(), windows.stepMillis(), counts);
    List<Episode> episodes = Episode.of(whole, target);
    List<Count> calm =
        IntStream.range(0, counts.size())
            .filter(i -> !isIn(episodes, windows.at(i)))
            .mapToObj(counts::get)
            .toList();
    return new Group(labels.withoutName(), target, whole, episodes, scatter(calm));
  }

  private static boolean isIn(List<Episode> episodes, long endMillis) {
    return episodes.stream()
        .anyMatch(one -> one.onsetMillis() <= endMillis && endMillis <= one.endMillis());
  }

  /** Pearson's chi-squared for each degree of freedom; never less than chance gives. */
  private static double scatter(List<Count> counts) {
    double good = counts.stream().mapToLong(Count::good).sum();
    double share = good / counts.stream().mapToLong(Count::observed).sum();
    double[] squares =
        counts.stream()
            .filter(count -> count.observed() > 0 && share > 0 && share < 1)
            .mapToDouble(
                count ->
                    Math.pow(count.good() - share * count.observed(), 2)
                        / (count.observed() * share * (1 - share)))
            .toArray();
    return squares.length > 1
        ? Math.max(1, DoubleStream.of(squares).sum() / (squares.length - 1))
        : 1;
  }

  /** How the users did whom a series with these labels can be about; the worst counts. */
  State state(int window, Labels labels) {
    return groups.stream()
        .filter(group -> group.concerns(labels))
        .map(group -> state(window, group))
        .max(State::compareTo)
        .orElse(State.IDLE);
  }

  private State state(int window, Group group) {
    Count count = group.counts().counts().get(window);
    if (count.observed() == 0) {
      return State.IDLE;
    }
    if (isIn(group.episodes(), windows.at(window))) {
      return State.SUFFERING;
    }
    return count.good() >= group.target() * count.observed() ? State.WELL : State.UNCLEAR;
  }

  /** Whether anything tells how the users did whom a series with these labels can be about. */
  boolean areKnown(Labels labels) {
    return groups.stream().anyMatch(group -> group.concerns(labels));
  }

  /** Whether a stretch of time touches an episode of theirs, or five minutes around it. */
  boolean sufferedNear(Labels labels, long fromMillis, long toMillis) {
    return groups.stream()
        .filter(group -> group.concerns(labels))
        .flatMap(group -> group.episodes().stream())
        .anyMatch(episode -> episode.touches(fromMillis, toMillis));
  }

  /**
   * How probable it is that they were well in a stretch of time as a whole, but for windows near an
   * episode; NaN without requests.
   */
  double wellProbability(Labels labels, long fromMillis, long toMillis, long memoryMillis) {
    int from = Math.clamp(windows.index(fromMillis) + 1, 0, windows.count());
    int to = Math.clamp(windows.index(toMillis) + 2, from, windows.count());
    int[] far = IntStream.range(from, to).filter(i -> isFar(i, labels, memoryMillis)).toArray();
    return groups.stream()
        .filter(group -> group.concerns(labels) && group.sum(far, Count::observed) > 0)
        .mapToDouble(
            group -> {
              double all = group.sum(far, Count::observed);
              double good = group.sum(far, Count::good) / all;
              return exceeds(good, all / group.scatter(), group.target());
            })
        .min()
        .orElse(Double.NaN);
  }

  /** How probable it is that a share, seen in so many, is more than a limit. */
  static double exceeds(double share, double count, double limit) {
    return 1
        - new BetaDistribution(null, share * count + PRIOR, (1 - share) * count + PRIOR)
            .cumulativeProbability(limit);
  }

  /** Whether an alert that looks so far back must be silent in a window, if its users are well. */
  private boolean isFar(int window, Labels labels, long memoryMillis) {
    long end = windows.at(window);
    return !sufferedNear(labels, end - windows.stepMillis() - memoryMillis, end);
  }

  /** Seconds in which users were well, so long after an episode that an alert must be silent. */
  double wellSeconds(long memoryMillis) {
    return seconds(
        i -> state(i, Labels.EMPTY) == State.WELL && isFar(i, Labels.EMPTY, memoryMillis));
  }

  /** Seconds in this state. */
  double seconds(State state) {
    return seconds(i -> state(i, Labels.EMPTY) == state);
  }

  private double seconds(IntPredicate isCounted) {
    return IntStream.range(0, windows.count()).filter(isCounted).count() * windows.stepMillis()
        / 1e3;
  }

  /** All requests, and the good ones. */
  long requests(boolean isGood) {
    int[] all = IntStream.range(0, windows.count()).toArray();
    return groups.stream()
        .mapToLong(group -> group.sum(all, isGood ? Count::good : Count::observed))
        .sum();
  }
}
