package tallystick.alerting.backtest;

import java.util.List;
import java.util.function.Predicate;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.analysis.statistics.Proportion;

/**
 * A stretch in which users suffered: windows without a gap between them whose counts prove that
 * the objective was violated. One such window is an episode. A request whose wait has passed the
 * limit counts in each window until it is judged: a user suffers before the token comes.
 *
 * @param onsetMillis end of the first violated window: when the client itself could know
 * @param endMillis end of the last violated window
 */
public record Episode(long onsetMillis, long endMillis) {
  /** How far from an episode a firing still belongs to it: rules look five minutes back. */
  static final long SLACK_MILLIS = 5 * 60_000L;

  /** The episodes of a run in the order of time. */
  public static List<Episode> of(ClientCounts counts, double target) {
    return of(counts, count -> isViolated(count, target));
  }

  /** Stretches that are neither health nor proven suffering: some wait past the limit. */
  static List<Episode> unclear(ClientCounts counts, double target) {
    return of(
        counts,
        count ->
            count.waiting() > 0
                && count.good() < target * (count.observed() + count.waiting())
                && !isViolated(count, target));
  }

  private static List<Episode> of(ClientCounts counts, Predicate<ClientCounts.Count> isIn) {
    return counts.stretches(i -> isIn.test(counts.counts().get(i))).stream()
        .map(stretch -> new Episode(stretch.fromMillis(), stretch.toMillis()))
        .toList();
  }

  /** Windows it has. */
  public long windows(long windowMillis) {
    return (endMillis - onsetMillis) / windowMillis + 1;
  }

  static boolean isViolated(ClientCounts.Count count, double target) {
    long users = count.observed() + count.waiting();
    return users > 0
        && Proportion.wilson(count.good(), users, Proportion.CONFIDENCE).high() < target;
  }

  /** Whether a stretch touches the episode or its surroundings. */
  public boolean touches(long fromMillis, long toMillis) {
    return fromMillis <= endMillis + SLACK_MILLIS && toMillis >= onsetMillis - SLACK_MILLIS;
  }
}
