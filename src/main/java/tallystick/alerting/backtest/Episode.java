package tallystick.alerting.backtest;

import java.util.ArrayList;
import java.util.List;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.analysis.Proportion;

/**
 * A stretch in which users suffered: windows whose counts prove that the objective was violated,
 * with no window in between that proves the contrary.
 *
 * @param onsetMillis end of the first violated window: when the client itself could know
 * @param endMillis end of the last violated window
 */
public record Episode(long onsetMillis, long endMillis) {

  /** The episodes of a run in the order of time. */
  public static List<Episode> of(ClientCounts counts, double target) {
    List<Episode> episodes = new ArrayList<>();
    long onset = -1;
    long last = -1;
    for (int i = 0; i < counts.counts().size(); i++) {
      long end = counts.startMillis() + (i + 1) * counts.windowMillis();
      ClientCounts.Count count = counts.counts().get(i);
      String verdict =
          count.observed() == 0 ? "indeterminate" : verdict(count, target);
      if (verdict.equals("violated")) {
        onset = onset < 0 ? end : onset;
        last = end;
      } else if (isRecovered(count, target) && onset >= 0) {
        episodes.add(new Episode(onset, last));
        onset = -1;
      }
    }
    if (onset >= 0) {
      episodes.add(new Episode(onset, last));
    }
    return episodes;
  }

  private static String verdict(ClientCounts.Count count, double target) {
    return Proportion.wilson(count.good(), count.observed(), Proportion.CONFIDENCE)
        .verdict(target);
  }

  /** A short window can hardly prove 99 %; no worse than the target is enough to end an episode. */
  private static boolean isRecovered(ClientCounts.Count count, double target) {
    return count.observed() > 0 && count.good() >= target * count.observed();
  }

  /** Whether a stretch touches the episode or its surroundings. */
  boolean touches(long fromMillis, long toMillis, long slackMillis) {
    return fromMillis <= endMillis + slackMillis && toMillis >= onsetMillis - slackMillis;
  }
}
