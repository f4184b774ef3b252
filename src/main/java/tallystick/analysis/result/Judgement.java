package tallystick.analysis.result;

import java.util.Comparator;
import java.util.List;

/**
 * A verdict, and how sure it is.
 *
 * @param verdict what was seen
 * @param strength whether it would be seen again
 */
public record Judgement(Verdict verdict, Strength strength) {

  /** Whether an objective was kept. */
  public enum Verdict implements Choice {
    /** So many requests were good as were wanted, or more. */
    MET,
    /** Fewer were good. */
    MISSED,
    /** There was nothing to judge, or too little for a window of seconds. */
    NOT_JUDGED
  }

  /**
   * Of objectives together: missed where one is, as sure as the surest of these; else as sure as
   * the least sure of all. One that is missed and too close to call settles nothing.
   */
  public static Judgement of(List<Judgement> all) {
    return all.stream()
        .filter(Judgement::isMissed)
        .min(Comparator.comparing(Judgement::strength))
        .or(
            () ->
                all.stream()
                    .max(
                        Comparator.comparing(Judgement::strength)
                            .thenComparing(Judgement::verdict)))
        .orElse(new Judgement(Verdict.NOT_JUDGED, Strength.TOO_CLOSE));
  }

  /** For people: {@code met (sure)}, {@code too close to call}. */
  public String words() {
    return verdict == Verdict.NOT_JUDGED
        ? verdict.words()
        : isTooClose() ? strength.words() : verdict.words() + " (" + strength.words() + ")";
  }

  /** Whether it was kept, sure or likely. */
  public boolean isMet() {
    return verdict == Verdict.MET && !isTooClose();
  }

  /** Whether it was missed, sure or likely. */
  public boolean isMissed() {
    return verdict == Verdict.MISSED && !isTooClose();
  }

  /** Whether the data do not decide. */
  public boolean isTooClose() {
    return strength == Strength.TOO_CLOSE;
  }
}
