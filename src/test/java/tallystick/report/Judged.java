package tallystick.report;

import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.analysis.result.Strength;

/** The three judgements that screens and charts tell apart. */
public final class Judged {
  public static final Judgement MET = new Judgement(Verdict.MET, Strength.SURE);
  public static final Judgement MISSED = new Judgement(Verdict.MISSED, Strength.SURE);
  public static final Judgement TOO_CLOSE = new Judgement(Verdict.MET, Strength.TOO_CLOSE);

  private Judged() {}
}
