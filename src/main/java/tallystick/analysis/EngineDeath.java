package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import tallystick.analysis.client.TargetAnswers;
import tallystick.analysis.engine.EngineReading;
import tallystick.analysis.engine.TargetReading;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.scenario.Target;

/**
 * Engines that answered and then never again, or anew: every scrape of a target after some moment
 * failed, and no request to it got a token after that; or it counts from 0 again.
 */
final class EngineDeath {
  /** Fewer failures at the end may be a busy server. */
  private static final long FEWEST_FAILURES = 3;

  private final RunReading run;

  EngineDeath(RunReading run) {
    this.run = run;
  }

  /** Puts what happened in the place of what it looks like; leaves the findings if nothing did. */
  void tell(List<Finding> findings) {
    if (findings.stream().anyMatch(finding -> finding.code() == Code.FROZEN_EXPORTER)) {
      // Counters that stand still while tokens arrive tell nothing of the engine.
      findings.removeIf(finding -> finding.code() == Code.ENGINE_STOOD_STILL);
    }
    EngineReading reading = run.reading();
    List<Target> targets = run.manifest().targets();
    List<Integer> dead =
        IntStream.range(0, targets.size()).filter(this::isDead).boxed().toList();
    if (dead.isEmpty()) {
      return;
    }
    long failures = dead.stream().mapToLong(reading::failedAtEnd).sum();
    boolean explainsFailures = failures == reading.failedScrapes();
    boolean explainsUnrest = dead.size() == targets.size();
    findings.removeIf(
        finding ->
            explainsFailures && finding.code() == Code.LOST_SCRAPES
                || explainsUnrest && finding.code() == Code.NOT_QUIET);
    dead.reversed().forEach(target -> findings.add(0, finding(target)));
  }

  private boolean isDead(int target) {
    EngineReading reading = run.reading();
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

  private double lastScrapeSeconds(int target) {
    double[] good = run.reading().secondsUnderLoad().get(target);
    return good[good.length - 1];
  }

  private double lastTokenSeconds(int target) {
    return run.window().secondsAfterOrigin(run.client().answers().of(target).lastTokenNanos());
  }

  private Finding finding(int target) {
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
    evidence.add(
        "Lost: what the engine counted after its last scrape. The client's own rows are whole.");
    return new Finding(
        Code.ENGINE_DIED,
        engine(run, target)
            + line(
                " died at about %.1f s and did not come back: after that no request got a token"
                    + " and no scrape was answered.",
                Math.max(lastToken, lastScrape)),
        evidence, "Look for its exit in the engine's log and the machine's.");
  }

  /**
   * An engine that began anew, with when it was away and what that cost.
   *
   * @param resets families that show it
   */
  static Finding restart(
      RunReading run, int target, TargetReading.NewLife life, List<String> resets) {
    TargetAnswers.Answers answers = run.client().answers().of(target);
    long lost = answers.failedBetween(life.lastSeenNanos(), life.backNanos());
    double back = run.window().secondsAfterOrigin(life.backNanos());
    double lastSeen = run.window().secondsAfterOrigin(life.lastSeenNanos());
    List<String> evidence = new ArrayList<>();
    evidence.add(line("last scrape of the old one at %.1f s", lastSeen));
    evidence.add(line("first scrape of the new one at %.1f s", back));
    evidence.addAll(resets);
    if (lost == 0) {
      return new Finding(
          Code.ENGINE_RESTART,
          "Counters of target " + target
              + line(" went back or began anew before %.1f s", back)
              + " in the window: the engine restarted, or another replica answered.",
          evidence, "Run again; scrape each replica directly.");
    }
    double died =
        run.window()
            .secondsAfterOrigin(
                answers.firstFailureNanos(life.lastSeenNanos(), life.backNanos()));
    return new Finding(
        Code.ENGINE_RESTART,
        engine(run, target)
            + String.format(
                Locale.ROOT,
                " died at about %.1f s and was back at %.1f s: %d requests were lost, and so is"
                    + " what it had counted since %.1f s.",
                died, back, lost, lastSeen),
        evidence, "Look for its exit in the engine's log and the machine's. Run again.");
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
    return String.format(Locale.ROOT, format, seconds);
  }
}
