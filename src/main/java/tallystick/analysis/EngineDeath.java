package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tallystick.analysis.client.StallCandidates;
import tallystick.analysis.client.TargetAnswers;
import tallystick.analysis.engine.EngineReading;
import tallystick.analysis.engine.TargetReading;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;
import tallystick.scenario.Target;

/**
 * Engines that answered and then never again, or anew: every scrape of a target after some moment
 * failed, and no request to it got a token after that; or it counts from 0 again.
 */
record EngineDeath(RunReading run) {
  /** Fewer failures at the end may be a busy server. */
  private static final long FEWEST_FAILURES = 3;

  private static final int MOST_TOLD = 3; // More restarts than a sentence can hold
  private static final String LOST =
      "Lost: what the engine counted after its last scrape. The client's own rows are whole.";

  /** A death fails requests so much more often than the rest of the window. */
  private static final double MANIFOLD = 3;

  /** Failures are known to a tenth of a second, and what is under way may take one more. */
  private static final long SETTLED_NANOS = 200_000_000;

  /** Puts what happened in the place of what it looks like; leaves the findings if nothing did. */
  void tell(List<Finding> findings) {
    if (findings.stream().anyMatch(finding -> finding.code() == Code.FROZEN_EXPORTER)) {
      // Counters that stand still while tokens arrive tell nothing of the engine.
      findings.removeIf(finding -> finding.code() == Code.ENGINE_STOOD_STILL);
    }
    if (findings.stream().anyMatch(finding -> finding.code() == Code.ENGINE_RESTART)) {
      // Its times are those of some of the requests alone.
      findings.removeIf(finding -> finding.code() == Code.ACCOUNTS_INCONSISTENT);
    }
    EngineReading reading = run.reading();
    List<Target> targets = run.manifest().targets();
    List<Integer> dead = IntStream.range(0, targets.size()).filter(this::isDead).boxed().toList();
    if (dead.isEmpty()) {
      return;
    }
    long failures = dead.stream().mapToLong(reading::failedAtEnd).sum();
    boolean explainsFailures = failures == reading.failedScrapes();
    boolean explainsUnrest =
        dead.size() == targets.stream().filter(target -> !target.onlyPassesOn()).count();
    // Nobody sees a dead engine idle after the window; before it, it was.
    boolean explainsOpenEnd = explainsUnrest && run.window().quietBefore().isPresent();
    findings.removeIf(
        finding ->
            explainsFailures && finding.code() == Code.LOST_SCRAPES
                || explainsUnrest && finding.code() == Code.NOT_QUIET
                || explainsOpenEnd && finding.code() == Code.LEDGER_OPEN);
    dead.reversed().forEach(target -> findings.add(0, finding(target)));
  }

  private boolean isDead(int target) {
    EngineReading reading = run.reading();
    if (isBehindAGateway(run, target)) {
      return reading.secondsUnderLoad().containsKey(target)
          && reading.failedAtEnd(target) >= FEWEST_FAILURES;
    }
    TargetAnswers.Answers answers = run.client().answers().of(target);
    boolean everWorked =
        reading.secondsUnderLoad().containsKey(target) && answers.silent() < answers.requests();
    if (!everWorked || reading.failedAtEnd(target) < FEWEST_FAILURES) {
      return false;
    }
    double lastToken = lastTokenSeconds(target);
    double lastStart = run.window().secondsAfterOrigin(answers.lastIntendedNanos());
    double step = reading.stepSeconds(target);
    return lastToken <= lastScrapeSeconds(target) + 2 * step && lastStart > lastToken;
  }

  /** Then no request names it: what it answered is not known apart from the others. */
  private static boolean isBehindAGateway(RunReading run, int target) {
    List<Target> targets = run.manifest().targets();
    return targets.stream().anyMatch(Target::onlyPassesOn) && targets.get(target).weight() == 0;
  }

  private double lastScrapeSeconds(int target) {
    double[] good = run.reading().secondsUnderLoad().get(target);
    return good[good.length - 1];
  }

  private double lastTokenSeconds(int target) {
    return run.window().secondsAfterOrigin(run.client().answers().of(target).lastTokenNanos());
  }

  private Finding finding(int target) {
    return isBehindAGateway(run, target) ? silence(target) : death(target);
  }

  /** Scrapes alone tell of it: it may have died, or nobody reaches its metrics any more. */
  private Finding silence(int target) {
    return new Finding(Code.ENGINE_DIED,
        engine(run, target) + line(" stopped answering at about %.1f s", lastScrapeSeconds(target))
            + " and did not come back: no scrape was answered after that.",
        List.of(
            "%s scrapes after it failed".formatted(run.reading().failedAtEnd(target)),
            "Which requests the gateway had given to it is not known.", LOST),
        "Look for its exit in the engine's log and the machine's.");
  }

  private Finding death(int target) {
    double lastToken = lastTokenSeconds(target);
    double lastScrape = lastScrapeSeconds(target);
    TargetAnswers.Answers answers = run.client().answers().of(target);
    boolean isOneOfSeveral = isOneOfSeveral(run);
    List<String> evidence = new ArrayList<>();
    evidence.add(line("last token at the client at %.1f s", lastToken));
    evidence.add(line("last scrape that was answered at %.1f s", lastScrape));
    evidence.add("%s scrapes after it failed".formatted(run.reading().failedAtEnd(target)));
    evidence.add(
        "%s of %s requests%s got no token"
            .formatted(answers.silent(), answers.requests(), isOneOfSeveral ? " to it" : ""));
    evidence.add(LOST);
    return new Finding(Code.ENGINE_DIED,
        engine(run, target)
            + line(
                " died at about %.1f s and did not come back: after that no request got a token"
                    + " and no scrape was answered.",
                Math.max(lastToken, lastScrape)),
        evidence, "Look for its exit in the engine's log and the machine's.");
  }

  /**
   * An engine that began anew, once or more often, with when it was away and what that cost.
   *
   * @param lives not empty
   * @param resets families that show it
   */
  static Finding restart(
      RunReading run, int target, List<TargetReading.NewLife> lives, List<String> resets) {
    List<Death> deaths =
        lives.stream().flatMap(life -> Death.of(run, target, life).stream()).toList();
    List<String> evidence = new ArrayList<>();
    for (TargetReading.NewLife life : lives.subList(0, Math.min(MOST_TOLD, lives.size()))) {
      evidence.add(
          line("last scrape of the old one at %.1f s", seconds(run, life.lastSeenNanos())));
      evidence.add(line("first scrape of the new one at %.1f s", seconds(run, life.backNanos())));
    }
    if (lives.size() > MOST_TOLD) {
      evidence.add(moreTimes(lives) + " after that");
    }
    evidence.addAll(resets);
    if (deaths.isEmpty()) {
      return anew(run, target, lives, evidence);
    }
    return new Finding(Code.ENGINE_RESTART,
        engine(run, target) + " "
            + deaths.stream().limit(MOST_TOLD).map(Death::words).collect(Collectors.joining(" It "))
            + (deaths.size() > MOST_TOLD ? " It died " + moreTimes(deaths) + "." : ""),
        evidence, "Look for its exit in the engine's log and the machine's. Run again.");
  }

  /** A restart that failed no request, as far as can be told. */
  private static Finding anew(
      RunReading run, int target, List<TargetReading.NewLife> lives, List<String> evidence) {
    String times =
        lives.stream()
                .limit(MOST_TOLD)
                .map(life -> line("%.1f s", seconds(run, life.backNanos())))
                .collect(Collectors.joining(", "))
            + (lives.size() > MOST_TOLD ? " and " + moreTimes(lives) : "")
            + " in the window";
    return isBehindAGateway(run, target)
        ? new Finding(Code.ENGINE_RESTART,
            engine(run, target) + " began anew before " + times + ".",
            evidence, "Look for its exit in the engine's log and the machine's. Run again.")
        : new Finding(Code.ENGINE_RESTART,
            "Counters of target " + target + " went back or restarted before " + times
                + ": the engine restarted, or another replica answered.",
            evidence, "Run again; scrape each replica directly.");
  }

  /** How many are not told one by one. */
  private static String moreTimes(List<?> all) {
    int more = all.size() - MOST_TOLD;
    return Counted.of(more, "more time", "more times");
  }

  /**
   * One time that an engine died and came back.
   *
   * @param atNanos when the first request failed after which no stream was left
   * @param backNanos the first token after that, or the first scrape, whichever came first
   */
  private record Death(
      RunReading run, TargetReading.NewLife life, long atNanos, long backNanos, long lost) {

    /**
     * Empty where nobody lost anything, streams went on after the first of those that failed, or
     * requests fail all the time.
     */
    static Optional<Death> of(RunReading run, int target, TargetReading.NewLife life) {
      TargetAnswers.Answers answers = run.client().answers().of(target);
      long[] failures = answers.failureNanos(life.lastSeenNanos(), life.backNanos());
      StallCandidates.ActiveStreams streams = run.client().stalls().streams();
      // Streams are not told apart by target.
      boolean canAsk = streams.known() && !isOneOfSeveral(run);
      if (failures.length == 0
          || canAsk && streams.at(failures[0] + SETTLED_NANOS) > 0
          || isUsual(run, answers, life)) {
        return Optional.empty();
      }
      OptionalLong token =
          canAsk ? streams.firstStartAfter(failures[0] + SETTLED_NANOS) : OptionalLong.empty();
      return Optional.of(new Death(
          run, life, failures[0],
          Math.min(life.backNanos(), token.orElse(Long.MAX_VALUE)),
          answers.failedBetween(life.lastSeenNanos(), life.backNanos())));
    }

    /** Whether requests failed nearly as often in the rest of the window. */
    private static boolean isUsual(
        RunReading run, TargetAnswers.Answers answers, TargetReading.NewLife life) {
      long origin = run.window().originNanos();
      double away = life.backNanos() - life.lastSeenNanos();
      double rest = answers.lastIntendedNanos() - origin - away;
      long inside = answers.failedBetween(life.lastSeenNanos(), life.backNanos());
      long all = answers.failedBetween(Long.MIN_VALUE, Long.MAX_VALUE);
      return rest > 0 && inside / away < MANIFOLD * (all - inside) / rest;
    }

    String words() {
      return Formatted.of(
          "died at about %.1f s and was back at %.1f s: %s lost, and so is"
              + " what it had counted since %.1f s.",
          seconds(run, atNanos), seconds(run, backNanos),
          Counted.of(lost, "request was", "requests were"),
          seconds(run, life.lastSeenNanos()));
    }
  }

  /** To a tenth, and never below 0 by less than that. */
  private static double seconds(RunReading run, long nanos) {
    return Math.round(10 * run.window().secondsAfterOrigin(nanos)) / 10.0;
  }

  private static boolean isOneOfSeveral(RunReading run) {
    return run.manifest().targets().size() > 1;
  }

  private static String engine(RunReading run, int target) {
    return isOneOfSeveral(run)
        ? "The engine of target %s (%s)"
            .formatted(target, run.manifest().targets().get(target).url())
        : "The engine";
  }

  private static String line(String format, double seconds) {
    return Formatted.of(format, seconds);
  }
}
