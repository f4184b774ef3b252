package tallystick.alerting.backtest;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.promql.Firing;

/**
 * What happened in one run.
 *
 * @param run its name
 * @param episodes when users suffered
 * @param unclear stretches that are neither health nor proven suffering
 * @param firings every firing of every alert
 * @param startMillis begin of what was replayed, after the run's origin
 * @param endMillis end of it
 * @param windowMillis length of the windows in which the client was judged
 * @param traits what is known of each alert
 */
public record RunTimeline(
    String run,
    List<Episode> episodes,
    List<Episode> unclear,
    List<Firing> firings,
    long startMillis,
    long endMillis,
    long windowMillis,
    Map<String, AlertTraits> traits) {
  public RunTimeline {
    episodes = List.copyOf(episodes);
    unclear = List.copyOf(unclear);
    firings = List.copyOf(firings);
    traits = Collections.unmodifiableMap(new LinkedHashMap<>(traits));
  }

  /** A time of a run as hours, minutes and seconds, for example {@code 1:13:30}. */
  public static String clock(long millis) {
    long seconds = millis / 1000;
    return String.format(
        Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  /** Whether an alert was there to fire: others may have refused what these runs give. */
  public boolean replays(String alert) {
    return traits.containsKey(alert);
  }

  /** What is known of an alert; nothing of one that was not there. */
  AlertTraits of(String alert) {
    return traits.getOrDefault(alert, AlertTraits.NONE);
  }

  /** When any instance of an alert fired. */
  public List<Firing> firings(String alert) {
    return firings.stream().filter(firing -> firing.alert().equals(alert)).toList();
  }

  /** Whether the run says anything of an alert: it fired, or it should have. */
  public boolean exercises(String alert) {
    return !firings(alert).isEmpty()
        || !episodes.isEmpty() && of(alert).isOfUsers();
  }

  /** Whether a firing has no episode within five minutes. */
  public boolean isFalse(Firing firing) {
    return episodes.stream().noneMatch(episode -> touches(episode, firing));
  }

  /** When users began to suffer: the start of the first violated window. */
  public long startOf(Episode episode) {
    return episode.onsetMillis() - windowMillis;
  }

  boolean touches(Episode episode, Firing firing) {
    return episode.touches(firing.firedMillis(), endOf(firing));
  }

  /** When a firing ended; one that did not is as long as what was replayed. */
  public long endOf(Firing firing) {
    return Math.max(firing.firedMillis(), Math.min(firing.resolvedMillis(), endMillis));
  }
}
