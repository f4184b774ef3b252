package tallystick.analysis;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tallystick.analysis.client.ClientTally;
import tallystick.analysis.client.RequestCounts;
import tallystick.analysis.engine.EngineReading;
import tallystick.analysis.engine.IntervalGrid;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;

/**
 * An engine that answered and then never again: every scrape after some moment failed, and no
 * request got a token after it.
 */
final class EngineDeath {
  /** Fewer failures at the end may be a busy server. */
  private static final long FEWEST_FAILURES = 3;

  /** Findings that such an end brings with it, and that would point elsewhere. */
  private static final Set<Code> CONSEQUENCES =
      EnumSet.of(Code.LOST_SCRAPES, Code.NOT_QUIET);

  private final Gathered run;

  EngineDeath(Gathered run) {
    this.run = run;
  }

  /** Puts what happened in the place of what it looks like; leaves the findings if nothing did. */
  void tell(List<Finding> findings) {
    finding()
        .ifPresent(
            death -> {
              findings.removeIf(finding -> CONSEQUENCES.contains(finding.code()));
              findings.add(0, death);
            });
  }

  private Optional<Finding> finding() {
    EngineReading reading = run.reading();
    double[] good = reading.loadSeconds();
    if (good.length == 0 || reading.failedAtEnd() < FEWEST_FAILURES) {
      return Optional.empty();
    }
    double lastScrape = good[good.length - 1];
    RequestCounts counts = run.client().counts();
    double lastToken = run.window().secondsAfterOrigin(counts.lastTokenNanos());
    double lastStart = run.window().secondsAfterOrigin(counts.lastIntendedNanos());
    double step = new IntervalGrid(reading).typicalSeconds();
    boolean isSilent = lastToken <= lastScrape + 2 * step && lastStart > lastToken;
    return isSilent ? Optional.of(finding(lastScrape, lastToken)) : Optional.empty();
  }

  private Finding finding(double lastScrape, double lastToken) {
    ClientTally tally = run.client().tally();
    long silent = run.client().check().rows() - tally.withFirstToken();
    List<String> evidence = new ArrayList<>();
    evidence.add(line("last token at the client at %.1f s", lastToken));
    evidence.add(line("last scrape that was answered at %.1f s", lastScrape));
    evidence.add("%s scrapes after it failed".formatted(run.reading().failedAtEnd()));
    evidence.add("%s requests of all got no token".formatted(Math.max(0, silent)));
    evidence.add(
        "Lost: what the engine counted after its last scrape. The client's own rows are whole.");
    return new Finding(
        Code.ENGINE_DIED,
        line(
            "The engine died at about %.1f s and did not come back: no request got a token and no"
                + " scrape was answered after that.",
            Math.max(lastToken, lastScrape)),
        evidence, "Look for its exit in the engine's log and the machine's.");
  }

  private static String line(String format, double seconds) {
    return String.format(Locale.ROOT, format, seconds);
  }
}
