package tallystick.report.screen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Interpretation.DirectionCode;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Usability;
import tallystick.analysis.result.WaitPart;
import tallystick.scenario.LengthOfTime;
import tallystick.scenario.Objective;

/** What to do after a run: the same on its first screen and on its page. */
record Advice(RunAnalysis analysis, boolean isValid, Optional<Decomposition> asked) {
  private static final double MOST = 0.5; // more than half
  private static final String QUEUED =
      "Most of the wait is the engine's queue: lower the rate, or add engines.";

  private static final String UNTOLD =
      "An objective judged nothing: no request of its class came, or none has the figure.";

  private static final String HELD_BACK =
      "Most of the wait is for a place among those in flight: raise workload.concurrency, or lower"
          + " the rate.";

  /** What to do, the most telling first; empty where nothing asks for it. */
  List<String> lines(String folder, boolean isStepped) {
    List<String> lines = new ArrayList<>();
    evident().or(() -> isStepped || !isValid ? Optional.empty() : unadvised(folder))
        .ifPresent(lines::add);
    if (!isStepped && (lines.contains(QUEUED) || isLoadTooHigh())) {
      String search = CapacityCommandLine.of(analysis).orElse("./tally capacity SCENARIO");
      lines.add(search + "  # the rate that holds");
    }
    if (isStepped && !analysis.objectives().isEmpty()) {
      lines.add("./tally alerts " + folder + "  # what alert thresholds lack");
    }
    return lines;
  }

  /** How to find how much more the server carries, where it kept all that was asked. */
  Optional<String> more() {
    return CapacityCommandLine.of(analysis)
        .filter(one -> isValid && isMet(analysis))
        .map(one -> one + "  # how much more it carries");
  }

  /** Whether all that was asked was met, if anything was. */
  static boolean isMet(RunAnalysis analysis) {
    return analysis.objectives().isEmpty() || analysis.judgement().isMet();
  }

  /** Then nobody needs to look why one stretch was slower than another. */
  boolean keepsItsObjectives() {
    return isValid && !analysis.objectives().isEmpty() && isMet(analysis);
  }

  /** What is too close to call and takes the longest to prove. */
  private Optional<ObjectiveResult> longest() {
    return analysis.objectives().stream()
        .filter(result -> result.judgement().isTooClose())
        .filter(result -> result.evidence().neededRequests().orZero() > 0)
        .max(Comparator.comparingDouble(this::secondsToProve));
  }

  private double secondsToProve(ObjectiveResult result) {
    return secondsFor(analysis, result, result.evidence().neededRequests().orZero());
  }

  /** How long so many requests that an objective judges take at the run's rate. */
  static double secondsFor(RunAnalysis analysis, ObjectiveResult result, double requests) {
    boolean isOfGaps = result.objective().metric() == Objective.Metric.ITL;
    // Only those of its class count towards it.
    double judged = isOfGaps ? analysis.counts().ended() : result.judged();
    return requests * analysis.run().windowSeconds() / Math.max(1, judged);
  }

  // The evidence points nowhere: a longer run, or one that was well, tells more.
  private Optional<String> unadvised(String folder) {
    if (analysis.objectives().stream().anyMatch(Advice::isMissed)) {
      if (isMostly(WaitPart.QUEUE)) {
        return Optional.of(QUEUED);
      }
      if (isMostly(WaitPart.LATENESS) && isCapped(analysis)) {
        return Optional.of(HELD_BACK);
      }
      return Optional.of("./tally report " + folder + " --baseline RUN  # RUN: a healthy run");
    }
    if (analysis.counts().ok() > 0
        && analysis.objectives().stream().anyMatch(one -> one.judged() == 0)) {
      return Optional.of(UNTOLD);
    }
    boolean isOpen = analysis.objectives().stream().anyMatch(one -> one.judgement().isTooClose());
    if (isOpen && longest().isEmpty()) {
      return Optional.of("Run longer, with more requests: these are too few to tell.");
    }
    return longest()
        .map(
            one ->
                "Run longer: at this rate so many requests take about "
                    + LengthOfTime.words(secondsToProve(one)) + ".");
  }

  private boolean isLoadTooHigh() {
    return isValid
        && analysis.interpretation().foremost().stream()
            .anyMatch(one -> one.code() == DirectionCode.OFFERED_LOAD_BEYOND_CAPACITY);
  }

  private boolean isMostly(WaitPart cause) {
    return asked
        .filter(Decomposition::available)
        .filter(
            whole ->
                whole.parts().stream()
                    .filter(part -> part.name() == cause)
                    .anyMatch(
                        part ->
                            part.mean().value().orZero() > MOST * whole.whole().value().orZero()))
        .isPresent();
  }

  /** Whether an open loop has a limit on requests in flight. */
  static boolean isCapped(RunAnalysis analysis) {
    return analysis.findings().stream()
        .anyMatch(finding -> finding.code() == Finding.Code.CONCURRENCY_CAP);
  }

  private static boolean isMissed(ObjectiveResult result) {
    return result.judgement().isMissed();
  }

  private boolean isMostFailed() {
    RunAnalysis.Counts counts = analysis.counts();
    long cancelled = counts.byOutcome().getOrDefault("client_cancelled", 0L);
    return counts.ended() - counts.ok() - cancelled > MOST * counts.ended();
  }

  private boolean hasDied() {
    return analysis.findings().stream()
        .anyMatch(finding -> finding.code() == Finding.Code.ENGINE_DIED);
  }

  // Failures of most requests come first, unless the engine died of which they follow; then what
  // else spoils the run; then what the evidence points at; then any warning.
  private Optional<String> evident() {
    List<String> advice = new ArrayList<>();
    Finding.Code first = hasDied() ? Finding.Code.ENGINE_DIED : Finding.Code.FAILURES;
    analysis.findings().stream()
        .filter(finding -> finding.code() == first && isMostFailed())
        .forEach(finding -> advice.add(finding.remedy()));
    if (!Usability.of(analysis).isForVerdicts()) {
      Usability.of(analysis).spoilers().forEach(finding -> advice.add(finding.remedy()));
    }
    if (!keepsItsObjectives()) {
      analysis.interpretation().directions().forEach(one -> advice.addAll(one.nextChecks()));
    }
    analysis.findings().stream()
        .filter(finding -> finding.severity() == Finding.Severity.WARNING)
        .forEach(finding -> advice.add(finding.remedy()));
    return advice.stream().filter(text -> !text.isEmpty()).findFirst();
  }
}
