package tallystick.alerting.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tallystick.alerting.backtest.Episode;
import tallystick.scenario.LengthOfTime;

/**
 * Rules held against what a Prometheus remembers.
 *
 * @param rules the file, as the user named it
 * @param prometheus its URL
 * @param seen when it looked
 * @param slis what tells how users did; may be empty
 * @param users how they did
 * @param firings what each alert did
 * @param envelopes the signal of each learned threshold beside its study
 * @param traffic what requests were like
 * @param leftOut rules that could not be replayed, and why
 * @param missing selectors that find nothing, and the metric that was probably meant
 * @param doubled selectors whose series are stored more than once
 */
public record Watched(
    String rules,
    String prometheus,
    Seen seen,
    List<String> slis,
    Users users,
    List<WatchedFirings> firings,
    List<Envelope> envelopes,
    Traffic traffic,
    List<String> leftOut,
    Map<String, String> missing,
    List<String> doubled) {
  /** Of fewer the worst hour says as much as the rest. */
  private static final double LEAST_HEALTHY_SECONDS = 3600;

  /** A time users suffered, and how many windows long. */
  record Suffered(long fromMillis, double seconds, long windows) {}

  public Watched {
    slis = List.copyOf(slis);
    firings = List.copyOf(firings);
    envelopes = List.copyOf(envelopes);
    leftOut = List.copyOf(leftOut);
    missing = Map.copyOf(missing);
    doubled = List.copyOf(doubled);
  }

  /** Why nothing can be said; empty where something can. */
  Optional<String> nothingToSay() {
    if (seen.seconds() == 0) {
      return Optional.of("this Prometheus has no sample in the whole range");
    }
    if (slis.isEmpty()) {
      return Optional.of(
          "nothing tells how users did: these rules record no share of bad requests; name one"
              + " with --sli 'BAD / ALL'");
    }
    if (users.requests(false) == 0) {
      return Optional.of("no request was counted in the range (" + slis.getFirst() + ")");
    }
    if (sighted().findAny().isEmpty()) {
      return Optional.of(
          firings.stream().noneMatch(WatchedFirings::isJudged)
              ? "no alert of the file is about users or load"
              : "no alert about users or load finds its series here");
    }
    double well = healthySeconds();
    return well < LEAST_HEALTHY_SECONDS
        ? Optional.of(
            ("users were well, with no suffering near, for only %s; a day or two of healthy traffic"
                    + " would tell")
                .formatted(LengthOfTime.words(well)))
        : Optional.empty();
  }

  private Stream<WatchedFirings> sighted() {
    return firings.stream().filter(one -> one.isJudged() && one.withoutSeries().isEmpty());
  }

  /** Healthy time in which each alert that can fire had to be silent. */
  double healthySeconds() {
    return sighted().mapToDouble(WatchedFirings::healthySeconds).min().orElse(0);
  }

  /** The longer times in which users suffered and no alert about them fired. */
  List<Suffered> missed() {
    List<Suffered> missed = new ArrayList<>();
    long window = users.windows().stepMillis();
    for (Users.Group group : users.groups()) {
      for (Episode episode : group.episodes()) {
        boolean isFound =
            firings.stream()
                .filter(WatchedFirings::isJudged)
                .flatMap(alert -> alert.times().stream())
                .anyMatch(time -> episode.touches(time.fromMillis(), time.toMillis()));
        if (!isFound && episode.windows(window) > 1) {
          long from = episode.onsetMillis() - window;
          missed.add(
              new Suffered(
                  from, (episode.endMillis() - from) / 1e3, episode.windows(window)));
        }
      }
    }
    return missed;
  }
}
