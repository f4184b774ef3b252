package tallystick.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tallystick.analysis.change.Period;
import tallystick.analysis.change.PeriodPair;
import tallystick.analysis.change.SignalCheck;
import tallystick.analysis.client.PhaseSamples;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.PhaseAnalysis.Overload;
import tallystick.scenario.Formatted;

/** Which period of a run is judged against which. */
record PeriodChoice(PeriodReader reader, List<PhaseSamples> samples, List<PhaseAnalysis> phases) {
  /** Pairs of periods of one run, the telling one first; none where it has one level of load. */
  List<PeriodPair> withinTheRun() {
    return samples.size() > 1 ? amongPhases().stream().toList() : insideTheOnlyPhase();
  }

  /**
   * What is to be judged against a period of another run: the worst phase, then the slowest stretch
   * of the only one, whose middle may be slow for a while; none without requests.
   */
  List<PeriodPair> against(Period reference) {
    List<PeriodPair> pairs = new ArrayList<>();
    int worst = worstOf(usable());
    if (worst >= 0) {
      pairs.add(new PeriodPair(whole(worst), reference, false));
      slowest().ifPresent(one -> pairs.add(new PeriodPair(period(one), reference, true)));
    }
    return pairs;
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

  /**
   * Before and after the first change of level; then the slowest stretch between two changes and
   * the one beside it. The faster side is the reference.
   */
  private List<PeriodPair> insideTheOnlyPhase() {
    List<Stretch> stretches = stretches();
    if (stretches.size() < 2) {
      return List.of();
    }
    List<PeriodPair> pairs = new ArrayList<>();
    int border = stretches.getFirst().to();
    pairs.add(pair(new Stretch(0, border), new Stretch(border, PhaseSamples.UNITS)));
    if (stretches.size() > 2) {
      Stretch slow = slowest().orElseThrow();
      int at = stretches.indexOf(slow);
      pairs.add(pair(slow, stretches.get(at == 0 ? 1 : at - 1)));
    }
    return pairs;
  }

  /**
   * A part of the only phase.
   *
   * @param from its first unit
   * @param to the unit after its last
   */
  private record Stretch(int from, int to) {}

  /** Between the changes of level; one where there are none. */
  private List<Stretch> stretches() {
    if (samples.size() != 1) {
      return List.of();
    }
    PhaseAnalysis phase = phases.getFirst();
    // A change inside the transient is the engine filling up, not a change of what it does.
    double settled =
        phase.steady().cutSeconds() instanceof Figure.Known cut
            ? cut.value()
            : phase.startSeconds();
    List<Stretch> stretches = new ArrayList<>();
    int from = 0;
    for (PhaseAnalysis.ChangePoint change : phase.changes()) {
      if (change.atSeconds() > settled) {
        stretches.add(new Stretch(from, unitAt(change.atSeconds())));
        from = unitAt(change.atSeconds());
      }
    }
    stretches.add(new Stretch(from, PhaseSamples.UNITS));
    return stretches;
  }

  private Optional<Stretch> slowest() {
    List<Stretch> stretches = stretches();
    return stretches.size() < 2
        ? Optional.empty()
        : stretches.stream().max(Comparator.comparingDouble(this::meanTtft));
  }

  private double meanTtft(Stretch stretch) {
    double[] means = samples.getFirst().ttftMeans(PhaseSamples.UNITS);
    return Arrays.stream(means, stretch.from(), stretch.to())
        .filter(mean -> !Double.isNaN(mean))
        .average()
        .orElse(0);
  }

  private int unitAt(double seconds) {
    double share =
        (seconds - phases.getFirst().startSeconds()) / samples.getFirst().lengthSeconds();
    return (int) Math.round(share * PhaseSamples.UNITS);
  }

  private PeriodPair pair(Stretch one, Stretch other) {
    return meanTtft(one) > meanTtft(other)
        ? new PeriodPair(period(one), period(other), true)
        : new PeriodPair(period(other), period(one), true);
  }

  private Period period(Stretch stretch) {
    boolean toTheEnd = stretch.to() == PhaseSamples.UNITS;
    String name =
        stretch.from() == 0
            ? "before " + at(stretch.to())
            : toTheEnd
                ? "after " + at(stretch.from())
                : "from " + at(stretch.from()) + " to " + at(stretch.to());
    return reader.of(
        name, samples.getFirst(), stretch.from(), stretch.to(), toTheEnd && isOverloaded(0));
  }

  private String at(int unit) {
    double seconds =
        phases.getFirst().startSeconds()
            + unit * samples.getFirst().lengthSeconds() / PhaseSamples.UNITS;
    return Formatted.of("%.1f s", seconds);
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

  /** Whether answers of a higher step before it end in it, because that one left a queue. */
  private boolean carriesOver(int index) {
    for (int i = index - 1; i >= 0 && isBad(i); i--) {
      if (rate(i) > rate(index)) {
        return true;
      }
    }
    return false;
  }

  private boolean isBad(int index) {
    return isOverloaded(index)
        || phases.get(index).judgement().verdict() == Judgement.Verdict.MISSED;
  }

  private double rate(int index) {
    return phases.get(index).offeredPerSecond().orZero();
  }

  /**
   * The first phase that is neither overloaded nor violates an objective, of those that carry no
   * other's queue if there is one; -1 if none.
   */
  private int healthyOf(List<Integer> usable) {
    return usable.stream()
        .filter(i -> !isOverloaded(i) && !violates(phases.get(i)))
        .min(Comparator.comparing(this::carriesOver))
        .orElse(-1);
  }

  private int worstOf(List<Integer> usable) {
    int worst = -1;
    double largest = -1;
    boolean isAnyOwn = usable.stream().anyMatch(i -> !carriesOver(i));
    for (int i : usable) {
      if (isAnyOwn && carriesOver(i)) {
        continue;
      }
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
    return phase.objectives().stream().anyMatch(result -> result.judgement().isMissed());
  }
}
