package tallystick.alerting.backtest;

import java.util.ArrayList;
import java.util.List;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.analysis.Proportion;

/**
 * A stretch in which users suffered: windows whose counts prove that the objective was violated.
 * Those less than five minutes apart are one episode, because nobody could tell their alerts apart.
 *
 * @param onsetMillis end of the first violated window: when the client itself could know
 * @param endMillis end of the last violated window
 */
public record Episode(long onsetMillis, long endMillis) {
  /** How far from an episode a firing still belongs to it. */
  static final long SLACK_MILLIS = 5 * 60_000L;

  /** The episodes of a run in the order of time. */
  public static List<Episode> of(ClientCounts counts, double target) {
    List<Episode> episodes = new ArrayList<>();
    for (int i = 0; i < counts.counts().size(); i++) {
      long end = counts.startMillis() + (i + 1) * counts.windowMillis();
      if (!isViolated(counts.counts().get(i), target)) {
        continue;
      }
      if (!episodes.isEmpty() && end - episodes.getLast().endMillis() <= SLACK_MILLIS) {
        episodes.add(new Episode(episodes.removeLast().onsetMillis(), end));
      } else {
        episodes.add(new Episode(end, end));
      }
    }
    return episodes;
  }

  /**
   * Whether it is one window alone. Of windows exactly on the target one in twenty is called
   * violated, so a lone one proves no suffering: no alert need find it, and none near it is false.
   */
  public boolean isIsolated() {
    return onsetMillis == endMillis;
  }

  private static boolean isViolated(ClientCounts.Count count, double target) {
    return count.observed() > 0
        && Proportion.wilson(count.good(), count.observed(), Proportion.CONFIDENCE).high()
            < target;
  }

  /** Whether a stretch touches the episode or its surroundings. */
  boolean touches(long fromMillis, long toMillis) {
    return fromMillis <= endMillis + SLACK_MILLIS && toMillis >= onsetMillis - SLACK_MILLIS;
  }
}
