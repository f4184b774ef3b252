package tallystick.alerting.backtest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tallystick.promql.Firing;

/** How one alert did over one run. */
record RunScore(String alert, RunTimeline run, List<Firing> firings) {

  AlertScore score() {
    int found = 0;
    int sustained = 0;
    int sustainedFound = 0;
    List<Double> delays = new ArrayList<>();
    Set<Firing> spent = new HashSet<>();
    for (Episode episode : run.episodes()) {
      Optional<Firing> first = firings.stream().filter(f -> run.touches(episode, f)).findFirst();
      boolean isSustained = episode.windows(run.windowMillis()) > 1;
      found += first.isPresent() ? 1 : 0;
      sustained += isSustained ? 1 : 0;
      sustainedFound += isSustained && first.isPresent() ? 1 : 0;
      // A firing that lasts from one episode into the next began with the first of them.
      first
          .filter(spent::add)
          .ifPresent(
              f -> delays.add((f.firedMillis() - run.startOf(episode)) / 1000.0));
      firings.stream().filter(f -> run.touches(episode, f)).forEach(spent::add);
    }
    int wrong = (int) firings.stream().filter(run::isFalse).count();
    return new AlertScore(
        alert,
        new AlertScore.Hits(run.episodes().size(), found),
        new AlertScore.Hits(sustained, sustainedFound),
        firings.size(),
        wrong,
        delays,
        health(),
        FiringTime.of(alert, run));
  }

  /** What lies between the episodes, five minutes before and after them left out. */
  private AlertScore.Health health() {
    AlertScore.Health health = new AlertScore.Health(0, 0, 0);
    long from = run.startMillis();
    for (Episode episode : run.episodes()) {
      health = health.plus(stretch(from, episode.onsetMillis() - Episode.SLACK_MILLIS));
      from = Math.max(from, episode.endMillis() + Episode.SLACK_MILLIS);
    }
    return health.plus(stretch(from, run.endMillis()));
  }

  private AlertScore.Health stretch(long fromMillis, long toMillis) {
    if (toMillis <= fromMillis) {
      return new AlertScore.Health(0, 0, 0);
    }
    boolean quiet =
        firings.stream()
            .filter(run::isFalse)
            .noneMatch(f -> f.firedMillis() < toMillis && run.endOf(f) >= fromMillis);
    return new AlertScore.Health((toMillis - fromMillis) / 1000.0, 1, quiet ? 1 : 0);
  }
}
