package tallystick.report.screen;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.ObjectiveResult.Verdict;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.WaitPart;
import tallystick.report.words.LatencyUnit;

/** What to do after a run: the same on its first screen and on its page. */
record Advice(RunAnalysis analysis, boolean isValid, Optional<Decomposition> asked) {
  private static final double MOST = 0.5;
  private static final String QUEUED =
      "Most of the wait is the engine's queue: less load, or more engines.";

  /** What to do, the most telling first; empty where nothing asks for it. */
  List<String> lines(String folder, boolean isStepped) {
    List<String> lines = new ArrayList<>();
    evident().or(() -> isStepped || !isValid ? Optional.empty() : unadvised(folder))
        .ifPresent(lines::add);
    if (lines.contains(QUEUED)) {
      String search = CapacityCommandLine.of(analysis).orElse("./tally capacity SCENARIO");
      lines.add(search + "  (the rate that holds)");
    }
    if (isStepped) {
      lines.add("./tally alerts " + folder + "  (what alert thresholds lack)");
    }
    return lines;
  }

  /** How to find how much more the server carries, where it kept all that was asked. */
  Optional<String> more() {
    boolean isMet =
        isValid && analysis.objectives().stream().allMatch(one -> one.verdict() == Verdict.MET);
    return CapacityCommandLine.of(analysis)
        .filter(one -> isMet)
        .map(one -> one + "  (how much more it carries)");
  }

  /** How many requests would prove what is not proven; 0 where that is not known. */
  double neededRequests() {
    return analysis.objectives().stream()
        .filter(result -> result.verdict() == Verdict.NOT_PROVEN)
        .map(result -> result.evidence().neededRequests())
        .mapToDouble(Advice::known)
        .max()
        .orElse(0);
  }

  // The evidence points nowhere: a longer run, or one that was well, tells more.
  private Optional<String> unadvised(String folder) {
    if (analysis.objectives().stream().anyMatch(Advice::isViolated)) {
      if (isQueued()) {
        return Optional.of(QUEUED);
      }
      return Optional.of("./tally report " + folder + " --baseline RUN  (RUN: one that was well)");
    }
    boolean isOpen =
        analysis.objectives().stream().anyMatch(one -> one.verdict() == Verdict.NOT_PROVEN);
    double needed = neededRequests();
    if (isOpen && needed == 0) {
      return Optional.of("Run longer, with more requests: these do not tell.");
    }
    double perSecond = analysis.counts().ended() / analysis.run().windowSeconds();
    return needed == 0 || !(perSecond > 0)
        ? Optional.empty()
        : Optional.of("Run longer: at this rate so many requests take about "
            + LatencyUnit.SECONDS.text(needed / perSecond) + ".");
  }

  private boolean isQueued() {
    return asked
        .filter(Decomposition::available)
        .filter(
            whole ->
                whole.parts().stream()
                    .filter(part -> part.name() == WaitPart.QUEUE)
                    .anyMatch(
                        part ->
                            known(part.mean().value()) > MOST * known(whole.whole().value())))
        .isPresent();
  }

  private static boolean isViolated(ObjectiveResult result) {
    return result.verdict() == Verdict.VIOLATED;
  }

  private static double known(Figure figure) {
    return figure instanceof Figure.Known known ? known.value() : 0;
  }

  // What spoils the run is mended first; then what the evidence points at; then any warning.
  private Optional<String> evident() {
    List<String> advice = new ArrayList<>();
    remedies(advice, Finding.Severity.INVALID);
    analysis.interpretation().directions().forEach(one -> advice.addAll(one.nextChecks()));
    remedies(advice, Finding.Severity.WARNING);
    return advice.stream().filter(text -> !text.isEmpty()).findFirst();
  }

  private void remedies(List<String> advice, Finding.Severity severity) {
    analysis.findings().stream()
        .filter(finding -> finding.severity() == severity)
        .forEach(finding -> advice.add(finding.remedy()));
  }
}
