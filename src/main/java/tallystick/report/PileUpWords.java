package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import tallystick.answer.words.Numbers;
import tallystick.experiment.Rates;
import tallystick.experiment.regress.PileUp;
import tallystick.experiment.regress.RegressReport;
import tallystick.experiment.regress.Regression;
import tallystick.experiment.regress.RegressionJudge;
import tallystick.experiment.regress.RunFigures;
import tallystick.scenario.Counted;

/** The sentences of a comparison under a load that is too much for a side. */
final class PileUpWords {
  private final RegressReport report;
  private final Regression.Design design;
  private final PileUp pileUp;

  PileUpWords(RegressReport report) {
    this.report = report;
    this.design = report.regression().design();
    this.pileUp = report.regression().pileUp();
  }

  /** The answer where the candidate alone is overloaded, and surely so. */
  String notCarried() {
    return "the candidate does not carry this load: requests pile up in " + pileUp.candidate()
        + " of " + design.candidate() + " of its runs and in " + pileUp.base() + " of "
        + design.base() + " of the base's (p " + chance() + ")";
  }

  /** What is certain all the same where nothing can be compared; empty where it is not the load. */
  String whereRefused() {
    if (!isNothingElse()) {
      return "";
    }
    String ofCandidate =
        design.candidate() == 0
            ? ""
            : runs(pileUp.candidate(), design.candidate()) + " of the candidate and in ";
    return "; under this load requests pile up in " + ofCandidate
        + runs(pileUp.base(), design.base()) + " of the base" + whyNoVerdict();
  }

  private boolean isNothingElse() {
    List<Regression.Unlike> unlike = report.regression().unlike();
    return unlike.size() == 1 && isOverload(unlike.getFirst());
  }

  private static String runs(int piled, int of) {
    return piled + " of " + Counted.of(of, "run", "runs");
  }

  private String whyNoVerdict() {
    if (pileUp.candidate() == 0 && design.candidate() > 0) {
      return ", so the base alone does not carry it: that proves nothing of the candidate's waits";
    }
    return needed() > 0
        ? " (p " + chance() + "; from " + Numbers.percent(RegressionJudge.LEVEL)
            + " down it would prove that the candidate does not carry it)"
        : "";
  }

  private int needed() {
    return design.candidate() == 0 ? 0 : pileUp.needed(design.base(), design.candidate());
  }

  private String chance() {
    return Numbers.percent(pileUp.chance());
  }

  private static boolean isOverload(Regression.Unlike one) {
    return one.key().equals(RunFigures.OVERLOADED);
  }

  /**
   * What to do about it.
   *
   * @param repeated how so many repeats are played
   */
  List<String> next(IntFunction<String> repeated) {
    List<String> all = new ArrayList<>();
    boolean isRefused = report.regression().unlike().stream().anyMatch(PileUpWords::isOverload);
    if (isRefused || report.regression().isDrowned()) {
      all.add(lessLoad());
    }
    if (isNothingElse() && needed() > 0) {
      all.add(
          "Or ask whether the candidate carries this load: about " + needed()
              + " repeats decide, if it goes on so: " + repeated.apply(needed()) + ".");
    }
    return all;
  }

  /** How this scenario is played with less load. */
  private String lessLoad() {
    RunFigures.Load load = report.baseRuns().getFirst().load();
    if (load.closedLoop()) {
      return "Compare with fewer users: a lower workload.concurrency.";
    }
    if (load.ratePerSecond() > 0) {
      return "Compare at a rate that both carry: first try --set workload.rate="
          + Rates.text(load.ratePerSecond() / 2)
          + " (half of it). tally capacity tells what each carries.";
    }
    return "Compare under less load: lower the scenario's rates, or of a trace the --speed"
        + (offered() > 0
            ? "; tally capacity --from " + Rates.text(offered() / 2) + " tells what each carries."
            : ".");
  }

  private double offered() {
    return report.baseRuns().stream()
        .mapToDouble(run -> run.load().offeredPerSecond())
        .average()
        .orElse(0);
  }
}
