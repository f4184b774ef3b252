package tallystick.alerting.backtest;

import java.util.ArrayList;
import java.util.List;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.analysis.statistics.Proportion;

/**
 * A stretch in which users suffered: windows without a gap between them whose counts prove that
 * the objective was violated. One such window is an episode.
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
      boolean goesOn =
          !episodes.isEmpty() && episodes.getLast().endMillis() == end - counts.windowMillis();
      long onset = goesOn ? episodes.removeLast().onsetMillis() : end;
      episodes.add(new Episode(onset, end));
    }
    return episodes;
  }

  /** Windows it has. */
  public long windows(long windowMillis) {
    return (endMillis - onsetMillis) / windowMillis + 1;
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
