package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Reconciliation.Verdict;
import tallystick.analysis.result.StallAnalysis;
import tallystick.analysis.result.Stamp;
import tallystick.analysis.result.TraceJoin;

/** Marks what is said of both sides where their accounts do not agree. */
record UnreconciledStamp(Verdict verdict) {
  private boolean isNeeded() {
    return verdict == Verdict.NOT_RECONCILED;
  }

  List<Comparison> on(List<Comparison> comparisons) {
    return isNeeded() ? comparisons.stream().map(UnreconciledStamp::stamped).toList() : comparisons;
  }

  StallAnalysis on(StallAnalysis of) {
    return !isNeeded()
        ? of
        : new StallAnalysis(
            of.available(), of.absence(), of.thresholdSeconds(), of.stalls(), of.clientSide(),
            of.preemptions(), of.lags(), of.statistic(), of.pValue(), of.eventStudy(),
            of.baseline(), of.partial(), of.attributed(), of.expected(), of.attributionP(),
            of.verdict(), Stamp.UNRECONCILED.on(of.text()));
  }

  Interpretation on(Interpretation of) {
    if (!isNeeded() || !of.available()) {
      return of;
    }
    List<Interpretation.Direction> directions = new ArrayList<>();
    for (Interpretation.Direction direction : of.directions()) {
      List<String> contrary = new ArrayList<>(direction.contrary());
      contrary.add("the two accounts are not reconciled");
      directions.add(new Interpretation.Direction(
          direction.code(), direction.text(), direction.parts(), direction.evidence(),
          contrary, direction.nextChecks(), direction.runbook()));
    }
    return new Interpretation(
        true, "", of.reference(), of.judged(), of.changes(), of.circumstances(), of.signals(),
        directions, Stamp.UNRECONCILED);
  }

  List<Decomposition> onDecompositions(List<Decomposition> decompositions) {
    return isNeeded()
        ? decompositions.stream()
            .map(
                of ->
                    new Decomposition(
                        of.quantity(), of.available(), of.absence(), of.whole(), of.parts(),
                        Stamp.UNRECONCILED))
            .toList()
        : decompositions;
  }

  TraceJoin on(TraceJoin of) {
    return isNeeded() && of.available()
        ? new TraceJoin(
            of.listened(), of.available(), of.absence(), of.reception(), of.requests(),
            of.joined(), of.spans(), of.unmatchedSpans(), of.parts(),
                        Stamp.UNRECONCILED)
        : of;
  }

  private static Comparison stamped(Comparison of) {
    return new Comparison(
        of.quantity(), of.clientMean(), of.engineMean(), of.meanGap(), of.percentiles(),
        of.verdict(), Stamp.UNRECONCILED.on(of.explanation()), of.gap());
  }
}
