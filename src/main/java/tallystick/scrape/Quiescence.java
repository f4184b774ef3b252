package tallystick.scrape;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.ScrapeRow;
import tallystick.scrape.QuietResult.Verdict;

/**
 * Waits until every target is idle, by scrapes of its own pace which are recorded like all others.
 *
 * <p>A target is quiet when {@value #IDENTICAL} scrapes in a row have all engine counters equal
 * ({@code _total}, {@code _count}, {@code _sum}) and nothing runs or waits. All targets must
 * be quiet at once. The engine books a request after its last chunk is on the way, so no scrape in
 * the first second counts as the end of the wait. Source: docs/metrics.md.
 */
public final class Quiescence {
  static final int IDENTICAL = 3; // docs/metrics.md
  static final int FAILURES = 5; // a busy server fails one or two

  /** At a fast pace five failures take only a moment. */
  static final Duration FAILING = Duration.ofSeconds(5);

  /** The engine books a request after its last chunk is on the way. */
  static final Duration SETTLE = Duration.ofSeconds(1);

  static final Duration STALE_AFTER = Duration.ofSeconds(30); // vLLM's gauges were seen 18 s late

  /** The equal scrapes fill the first second: who waits longer learns nothing more. */
  private static final long LONGEST_PACE_NANOS = SETTLE.toNanos() / (IDENTICAL - 1);

  private final ScrapeSource source;
  private final Pace pace;
  private final long stepNanos;

  /** A wait on the real clock; its pace is two scrapes a second, or the interval if shorter. */
  public Quiescence(ScrapeSource source, RunClock clock, long intervalNanos) {
    this(source, Pace.of(clock), intervalNanos);
  }

  /** A wait on any clock. */
  public Quiescence(ScrapeSource source, Pace pace, long intervalNanos) {
    this.source = source;
    this.pace = pace;
    this.stepNanos = Math.min(intervalNanos, LONGEST_PACE_NANOS);
  }

  /** Waits for quiet, at most about {@code timeout}. */
  public QuietResult await(Duration timeout) {
    long begin = pace.nanos();
    Map<Integer, TargetQuiet> targets = new TreeMap<>();
    try {
      while (true) {
        long round = pace.nanos();
        List<Integer> present = source.targets();
        targets.keySet().retainAll(present);
        present.forEach(target -> targets.computeIfAbsent(target, any -> new TargetQuiet()));
        for (Map.Entry<Integer, TargetQuiet> target : targets.entrySet()) {
          ScrapeRow newest = source.scrape(target.getKey());
          source.recent(target.getKey()).forEach(target.getValue()::glance);
          target.getValue().observe(newest);
        }
        Verdict verdict = verdict(targets.values(), begin, begin + timeout.toNanos());
        if (verdict != null) {
          return result(verdict, targets);
        }
        pace.sleepUntil(round + stepNanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return result(Verdict.INTERRUPTED, targets);
    }
  }

  /** What is known after a round of scrapes; null inside this class while it is nothing yet. */
  private Verdict verdict(Collection<TargetQuiet> targets, long begin, long deadline) {
    if (targets.stream().anyMatch(Quiescence::isLost)) {
      return Verdict.UNREACHABLE;
    }
    boolean isStill =
        targets.stream().allMatch(target -> target.identical() >= IDENTICAL)
            && lastNanos(targets) - begin >= SETTLE.toNanos();
    if (isStill && targets.stream().allMatch(TargetQuiet::isIdle)) {
      return Verdict.QUIET;
    }
    long stillNanos = targets.stream().mapToLong(TargetQuiet::stillNanos).min().orElse(0);
    if (isStill && stillNanos >= STALE_AFTER.toNanos()) {
      return Verdict.STALE_GAUGE;
    }
    return pace.nanos() + stepNanos > deadline ? Verdict.NOT_QUIET : null;
  }

  private static boolean isLost(TargetQuiet target) {
    return target.failures() >= FAILURES && target.failingNanos() >= FAILING.toNanos();
  }

  private static QuietResult result(Verdict verdict, Map<Integer, TargetQuiet> targets) {
    String detail =
        targets.entrySet().stream()
            .flatMap(
                target ->
                    target.getValue().unrest(IDENTICAL).stream()
                        .map(what -> "target " + target.getKey() + ": " + what))
            .collect(Collectors.joining("; "));
    return new QuietResult(
        verdict, verdict.isQuiet() ? lastNanos(targets.values()) : QuietResult.NEVER, detail);
  }

  private static long lastNanos(Collection<TargetQuiet> targets) {
    return targets.stream().mapToLong(TargetQuiet::lastNanos).max().orElse(0);
  }
}
