package tallystick.alerting.watch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.BetaDistribution;
import tallystick.alerting.backtest.Episode;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.alerting.watch.MetricHistory.Steps;
import tallystick.promql.ExpressionText;
import tallystick.promql.Labels;
import tallystick.promql.StoredSeries;

/**
 * How users did, window by window.
 *
 * @param windows the ends of the windows, which do not overlap
 * @param groups one for each set of labels that the SLI has, for example each model
 */
public record Users(Steps windows, List<Group> groups) {
  /** Half a request of each kind: nothing is known beforehand (Jeffreys' prior). */
  private static final double PRIOR = 0.5;

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
    private long sum(int[] windows, boolean isGood) {
      return Arrays.stream(windows)
          .mapToObj(counts.counts()::get)
          .mapToLong(count -> isGood ? count.good() : count.observed())
          .sum();
    }

    /** Whether a series with these labels can be about these users. */
    boolean concerns(Labels other) {
      return labels.values().entrySet().stream()
          .allMatch(
              label ->
                  other.get(label.getKey()).isEmpty()
                      || other.get(label.getKey()).equals(label.getValue()));
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
   * @param slis at least one, all of the same window
   * @param seen when the Prometheus looked
   */
  static Users read(MetricHistory history, List<Sli> slis, Seen seen, long toMillis, long length)
      throws IOException, InterruptedException {
    Steps windows = Steps.before(toMillis, length, slis.getFirst().windowMillis());
    List<Group> groups = new ArrayList<>();
    for (Sli sli : slis) {
      Collection<StoredSeries> shares =
          history.values(ExpressionText.of(sli.bad()), windows);
      for (StoredSeries all : history.values(sli.count(), windows)) {
        Optional<StoredSeries> bad =
            shares.stream().filter(one -> one.labels().equals(all.labels())).findFirst();
        if (bad.isPresent()) {
          groups.add(group(all, bad.get(), sli.target(), windows, seen));
        }
      }
    }
    return new Users(windows, groups);
  }

  private static Group group(
      StoredSeries all, StoredSeries bad, double target, Steps windows, Seen seen) {
    double[] counts = new double[windows.count()];
    double[] shares = new double[windows.count()];
    Arrays.fill(shares, Double.NaN);
    for (int i = 0; i < all.size(); i++) {
      counts[windows.index(all.millis(i))] = all.value(i);
    }
    for (int i = 0; i < bad.size(); i++) {
      shares[windows.index(bad.millis(i))] = bad.value(i);
    }
    List<ClientCounts.Count> judged = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      boolean isKnown =
          counts[i] >= PRIOR && Double.isFinite(counts[i]) && Double.isFinite(shares[i])
              && seen.at(windows.at(i));
      long observed = isKnown ? Math.round(counts[i]) : 0;
      if (isKnown && shares[i] > Sli.MOST_SHARE) {
        throw new Sli.NoShareException(shares[i]);
      }
      double good = 1 - Math.clamp(isKnown ? shares[i] : 0, 0, 1);
      judged.add(new ClientCounts.Count(observed, Math.round(observed * good)));
    }
    ClientCounts whole =
        new ClientCounts(windows.at(0) - windows.stepMillis(), windows.stepMillis(), judged);
    List<Episode> episodes = Episode.of(whole, target);
    List<ClientCounts.Count> calm = new ArrayList<>();
    for (int i = 0; i < judged.size(); i++) {
      long end = windows.at(i);
      if (episodes.stream().noneMatch(one -> isIn(one, end))) {
        calm.add(judged.get(i));
      }
    }
    return new Group(all.labels().withoutName(), target, whole, episodes, scatter(calm));
  }

  private static boolean isIn(Episode episode, long endMillis) {
    return episode.onsetMillis() <= endMillis && endMillis <= episode.endMillis();
  }

  /** Pearson's chi-squared for each degree of freedom; never less than chance gives. */
  private static double scatter(List<ClientCounts.Count> counts) {
    double good = counts.stream().mapToLong(ClientCounts.Count::good).sum();
    double all = counts.stream().mapToLong(ClientCounts.Count::observed).sum();
    double share = good / all;
    double sum = 0;
    int windows = 0;
    for (ClientCounts.Count count : counts) {
      if (count.observed() > 0 && share > 0 && share < 1) {
        double off = count.good() - share * count.observed();
        sum += off * off / (count.observed() * share * (1 - share));
        windows++;
      }
    }
    return windows > 1 ? Math.max(1, sum / (windows - 1)) : 1;
  }

  /** How the users did whom a series with these labels can be about; the worst counts. */
  State state(int window, Labels labels) {
    State worst = State.IDLE;
    for (Group group : groups) {
      if (group.concerns(labels)) {
        State state = state(window, group);
        worst = state.compareTo(worst) > 0 ? state : worst;
      }
    }
    return worst;
  }

  private State state(int window, Group group) {
    ClientCounts.Count count = group.counts().counts().get(window);
    if (count.observed() == 0) {
      return State.IDLE;
    }
    long end = windows.at(window);
    return group.episodes().stream().anyMatch(one -> isIn(one, end))
        ? State.SUFFERING
        : count.good() >= group.target() * count.observed() ? State.WELL : State.UNCLEAR;
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
    double least = Double.NaN;
    for (Group group : groups) {
      double all = group.sum(far, false) / group.scatter();
      if (group.concerns(labels) && all > 0) {
        double good = group.sum(far, true) / group.scatter();
        double well =
            1 - new BetaDistribution(null, good + PRIOR, all - good + PRIOR)
                .cumulativeProbability(group.target());
        least = Double.isNaN(least) ? well : Math.min(least, well);
      }
    }
    return least;
  }

  /** Seconds in which users were well, so long after an episode that an alert must be silent. */
  double wellSeconds(long memoryMillis) {
    int count = 0;
    for (int i = 0; i < windows.count(); i++) {
      if (state(i, Labels.EMPTY) == State.WELL && isFar(i, Labels.EMPTY, memoryMillis)) {
        count++;
      }
    }
    return count * windows.stepMillis() / 1e3;
  }

  /** Whether an alert that looks so far back must be silent in a window, if its users are well. */
  private boolean isFar(int window, Labels labels, long memoryMillis) {
    long end = windows.at(window);
    return !sufferedNear(labels, end - windows.stepMillis() - memoryMillis, end);
  }

  /** Seconds in this state. */
  double seconds(State state) {
    long count = 0;
    for (int i = 0; i < windows.count(); i++) {
      count += state(i, Labels.EMPTY) == state ? 1 : 0;
    }
    return count * windows.stepMillis() / 1e3;
  }

  /** All requests, and the good ones. */
  long requests(boolean isGood) {
    int[] all = IntStream.range(0, windows.count()).toArray();
    return groups.stream().mapToLong(group -> group.sum(all, isGood)).sum();
  }
}
