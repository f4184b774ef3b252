package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tallystick.analysis.change.Period;
import tallystick.analysis.change.PeriodPair;
import tallystick.analysis.change.SignalCheck;
import tallystick.analysis.client.PhaseSamples;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.PhaseAnalysis.Overload;

/** Which period of a run is judged against which. */
final class PeriodChoice {
  private final PeriodReader reader;
  private final List<PhaseSamples> samples;
  private final List<PhaseAnalysis> phases;

  PeriodChoice(
      PeriodReader reader, List<PhaseSamples> samples, List<PhaseAnalysis> phases) {
    this.reader = reader;
    this.samples = samples;
    this.phases = phases;
  }

  /** Two periods of one run; empty where it has but one level of load. */
  Optional<PeriodPair> withinTheRun() {
    return samples.size() > 1 ? amongPhases() : insideTheOnlyPhase();
  }

  /** The period to be judged against another run: the worst phase; empty without requests. */
  Optional<Period> worst() {
    int worst = worstOf(usable());
    return worst < 0 ? Optional.empty() : Optional.of(whole(worst));
  }

  /** The period another run is judged against: the first healthy phase. */
  Optional<Period> healthiest() {
    int healthy = healthyOf(usable());
    return healthy < 0 ? Optional.empty() : Optional.of(whole(healthy));
  }

  private Optional<PeriodPair> amongPhases() {
    List<Integer> usable = usable();
    int healthy = healthyOf(usable);
    if (healthy < 0) {
      return Optional.empty();
    }
    usable.remove(Integer.valueOf(healthy));
    int worst = worstOf(usable);
    return worst < 0
        ? Optional.empty()
        : Optional.of(new PeriodPair(whole(worst), whole(healthy), false));
  }

  /** Before and after the first change of level; the faster side is the reference. */
  private Optional<PeriodPair> insideTheOnlyPhase() {
    if (samples.isEmpty()) {
      return Optional.empty();
    }
    return firstChange(phases.get(0)).map(change -> around(change, samples.get(0)));
  }

  /** A change inside the transient is the engine filling up, not a change of what it does. */
  private static Optional<PhaseAnalysis.ChangePoint> firstChange(PhaseAnalysis phase) {
    double settled =
        phase.steady().cutSeconds() instanceof Figure.Known cut
            ? cut.value()
            : phase.startSeconds();
    return phase.changes().stream().filter(change -> change.atSeconds() > settled).findFirst();
  }

  private PeriodPair around(PhaseAnalysis.ChangePoint change, PhaseSamples phase) {
    double share =
        (change.atSeconds() - phases.get(0).startSeconds()) / phase.lengthSeconds();
    int unit = (int) Math.round(share * PhaseSamples.UNITS);
    String at = String.format(Locale.ROOT, "%.1f s", change.atSeconds());
    boolean overloaded = isOverloaded(0);
    Period before = reader.of("before " + at, phase, 0, unit, false);
    Period after =
        reader.of("after " + at, phase, unit, PhaseSamples.UNITS, overloaded);
    return change.after() >= change.before()
        ? new PeriodPair(after, before, true)
        : new PeriodPair(before, after, true);
  }

  private Period whole(int index) {
    String name = "phase " + samples.get(index).phase().name();
    return reader.of(name, samples.get(index), 0, PhaseSamples.UNITS, isOverloaded(index));
  }

  private List<Integer> usable() {
    List<Integer> usable = new ArrayList<>();
    for (int i = 0; i < samples.size(); i++) {
      if (samples.get(i).ttft().count() >= SignalCheck.FEWEST) {
        usable.add(i);
      }
    }
    return usable;
  }

  /** The first phase that is neither overloaded nor violates an objective; -1 if none. */
  private int healthyOf(List<Integer> usable) {
    return usable.stream()
        .filter(i -> !isOverloaded(i) && !violates(phases.get(i)))
        .findFirst()
        .orElse(-1);
  }

  private int worstOf(List<Integer> usable) {
    int worst = -1;
    double largest = -1;
    for (int i : usable) {
      double badness = badness(i);
      if (badness > largest) {
        worst = i;
        largest = badness;
      }
    }
    return worst;
  }

  /** P95 of TTFT and of gaps, each relative to the best phase. */
  private double badness(int index) {
    double ttft = samples.get(index).ttft().plainQuantileSeconds(0.95);
    double gaps = samples.get(index).chunkGaps().plainQuantileSeconds(0.95);
    double bestTtft = ttft;
    double bestGaps = gaps;
    for (PhaseSamples other : samples) {
      bestTtft = smaller(bestTtft, other.ttft().plainQuantileSeconds(0.95));
      bestGaps = smaller(bestGaps, other.chunkGaps().plainQuantileSeconds(0.95));
    }
    double ofTtft = bestTtft > 0 ? ttft / bestTtft : 1;
    double ofGaps = bestGaps > 0 ? gaps / bestGaps : 1;
    return Math.max(ofTtft, Double.isNaN(ofGaps) ? 1 : ofGaps);
  }

  private static double smaller(double one, double other) {
    return other < one ? other : one;
  }

  private boolean isOverloaded(int index) {
    return phases.get(index).overload().verdict() == Overload.Verdict.OVERLOADED;
  }

  private static boolean violates(PhaseAnalysis phase) {
    return phase.objectives().stream()
        .anyMatch(result -> result.verdict() == ObjectiveResult.Verdict.VIOLATED);
  }
}
