package tallystick.analysis.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The steps of a load, and what a run that is made of them comes to: never a mean over all of them.
 *
 * @param steps the phases that say what their own rate does, from the lowest rate to the highest:
 *     each that was offered more than every one before it, and after one that was not met each
 *     lower one that is, whatever queue it began with
 * @param others the other phases; what comes after a higher step and is not met may still carry
 *     that step's queue
 */
public record LoadSteps(List<PhaseAnalysis> steps, List<PhaseAnalysis> others) {
  public LoadSteps {
    steps = List.copyOf(steps);
    others = List.copyOf(others);
  }

  /** The steps among phases in the order of time; empty where no phase has a rate. */
  public static Optional<LoadSteps> of(List<PhaseAnalysis> phases) {
    List<PhaseAnalysis> steps = new ArrayList<>();
    double most = 0;
    for (PhaseAnalysis phase : phases) {
      double rate = rate(phase);
      boolean isNew =
          rate > 0
              && steps.stream().noneMatch(one -> rate(one) == rate)
              && steps.stream().anyMatch(one -> !one.judgement().isMet());
      if (rate > most || isNew && phase.judgement().isMet()) {
        steps.add(phase);
        most = Math.max(most, rate);
      }
    }
    steps.sort(Comparator.comparingDouble(LoadSteps::rate));
    List<PhaseAnalysis> others = phases.stream().filter(one -> !steps.contains(one)).toList();
    return Optional.of(new LoadSteps(steps, others)).filter(all -> !steps.isEmpty());
  }

  /** Whether there is more than one rate to choose from. */
  public boolean isRising() {
    return steps.size() > 1;
  }

  /**
   * Whether they answer for the run, and not its objectives: where there is a rate that holds, or
   * a phase that is missed and would be lost among the others.
   *
   * @param whole what the objectives come to over all phases
   */
  boolean tell(Judgement whole) {
    boolean isMissed = judgement().isMissed();
    return isRising()
        ? held() >= 0 || isMissed || !whole.isMissed()
        : isMissed && !whole.isMissed();
  }

  /** The first of the other phases that is missed. */
  public Optional<PhaseAnalysis> missedOther() {
    return others.stream().filter(one -> one.judgement().isMissed()).findFirst();
  }

  private static double rate(PhaseAnalysis phase) {
    return phase.offeredPerSecond().orZero();
  }

  /**
   * The place of the highest step that is met, -1 for none. It ends below a step that fell short
   * by too little to call; one above a step that is missed is found, because then there is no knee.
   */
  public int held() {
    int held = -1;
    for (int i = 0; i < steps.size(); i++) {
      Judgement judged = steps.get(i).judgement();
      if (judged.verdict() == Judgement.Verdict.MISSED && judged.isTooClose()) {
        break;
      }
      held = judged.isMet() ? i : held;
    }
    return held;
  }

  /**
   * The rate, requests/s, that a step shows to hold if it is met: its own; of a part of a ramp its
   * least, for those above it only passed by.
   */
  public double shownPerSecond(int step) {
    PhaseAnalysis of = steps.get(step);
    if (!of.ramp()) {
      return rate(of);
    }
    DoubleSummaryStatistics all = all().stream().mapToDouble(LoadSteps::rate).summaryStatistics();
    double half = (all.getMax() - all.getMin()) / (all.getCount() - 1) / 2; // of equal parts
    return Math.max(0, rate(of) - half);
  }

  /** The place of the lowest step that is missed, -1 for none. */
  public int missed() {
    return first(true);
  }

  /** The place of the lowest step that is met, -1 for none. */
  public int kept() {
    return first(false);
  }

  private int first(boolean isMissed) {
    for (int i = 0; i < steps.size(); i++) {
      Judgement judged = steps.get(i).judgement();
      if (isMissed ? judged.isMissed() : judged.isMet()) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The two that answer for all: the highest that is met and the lowest that is missed, the first
   * or the last where there is none.
   */
  public List<PhaseAnalysis> telling() {
    PhaseAnalysis met = steps.get(Math.max(0, held()));
    PhaseAnalysis missed =
        missed() >= 0 ? steps.get(missed()) : missedOther().orElse(steps.getLast());
    return met == missed ? List.of(met) : List.of(met, missed);
  }

  /**
   * What the run comes to: missed where a phase is; else as its phases are from the highest step
   * that holds on, for what holds at a rate holds below it.
   */
  public Judgement judgement() {
    Judgement together = together(all());
    int held = held();
    if (together.isMissed() || held < 0) {
      return together;
    }
    double least = rate(steps.get(held));
    return together(all().stream().filter(one -> rate(one) == 0 || rate(one) >= least).toList());
  }

  private List<PhaseAnalysis> all() {
    return Stream.concat(steps.stream(), others.stream()).toList();
  }

  private static Judgement together(List<PhaseAnalysis> phases) {
    return Judgement.of(phases.stream().map(PhaseAnalysis::judgement).toList());
  }
}
