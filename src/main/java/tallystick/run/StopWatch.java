package tallystick.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Scenario.StopRules;
import tallystick.scenario.StopRule;

/**
 * Looks at the latest requests of the measured window and tells when the scenario's {@code
 * stop_when} holds. Threads: any.
 */
final class StopWatch {
  private static final double NANOS_PER_MILLI = 1e6;

  private final StopRules rules;
  private final Deque<RequestRow> latest = new ArrayDeque<>();

  StopWatch(StopRules rules) {
    this.rules = rules;
  }

  /** Takes a finished request of the measured window. */
  synchronized void see(RequestRow row) {
    latest.addLast(row);
    if (latest.size() > StopRules.RECENT) {
      latest.removeFirst();
    }
  }

  /**
   * The rule that holds, in words; empty while none does.
   *
   * @param sinceOriginNanos time since the origin of the measured window
   * @param waiting requests waiting in the engines, NaN where unknown
   */
  synchronized Optional<String> verdict(long sinceOriginNanos, double waiting) {
    if (rules.durationNanos() > 0 && sinceOriginNanos >= rules.durationNanos()) {
      return Optional.of(StopRule.DURATION.words("the time is over"));
    }
    if (rules.waiting() > 0 && waiting >= rules.waiting()) {
      return Optional.of(
          StopRule.WAITING.words(
              String.format(
                  Locale.ROOT, "%.0f requests wait, the limit is %d", waiting, rules.waiting())));
    }
    return latest.size() < StopRules.RECENT ? Optional.empty() : ofLatest();
  }

  private Optional<String> ofLatest() {
    long failed = latest.stream().filter(row -> row.ending().outcome().isFailure()).count();
    if (rules.errorShare() > 0 && failed >= rules.errorShare() * latest.size()) {
      return Optional.of(
          StopRule.ERROR_SHARE.words(
              failed + " of the last " + latest.size() + " failed"));
    }
    long[] first =
        latest.stream()
            .filter(RequestRow::hasToken)
            .mapToLong(row -> waited(row) - row.times().intended())
            .sorted()
            .toArray();
    if (rules.ttftNanos() > 0 && first.length > 0) {
      long median = first[(first.length - 1) / 2];
      if (median >= rules.ttftNanos()) {
        return Optional.of(
            StopRule.TTFT.words(
                String.format(
                    Locale.ROOT, "the median of the last %d is %.0f ms",
                    first.length, median / NANOS_PER_MILLI)));
      }
    }
    return Optional.empty();
  }

  /** The first that came of an answer: of a whole one, all of it. */
  private static long waited(RequestRow row) {
    return row.hasFirstToken() ? row.firstTokenNanos() : row.lastTokenNanos();
  }
}
