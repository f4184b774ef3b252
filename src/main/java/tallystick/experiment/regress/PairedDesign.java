package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import tallystick.experiment.regress.PlayedRun.Role;

/** The finished runs of an experiment as pairs. */
final class PairedDesign {
  private final List<PlayedRun> done;
  private final List<ComparedRun> base = new ArrayList<>();
  private final List<ComparedRun> candidate = new ArrayList<>();
  private final List<Boolean> candidateFirst = new ArrayList<>();

  PairedDesign(List<PlayedRun> played, Optional<Baseline> baseline) {
    this.done = played.stream().filter(run -> !run.hasDied()).toList();
    for (int i = 1; i <= begun(); i++) {
      int pair = i;
      Optional<ComparedRun> here =
          baseline.map(file -> file.runs().get(pair - 1)).or(() -> find(pair, Role.BASE));
      Optional<ComparedRun> there = find(pair, Role.CANDIDATE);
      if (here.isPresent() && there.isPresent()) {
        base.add(here.get());
        candidate.add(there.get());
        done.stream()
            .filter(run -> baseline.isEmpty() && run.step().pair() == pair)
            .findFirst()
            .ifPresent(first -> candidateFirst.add(first.step().role() == Role.CANDIDATE));
      }
    }
  }

  private Optional<ComparedRun> find(int pair, Role role) {
    return done.stream()
        .filter(run -> run.step().pair() == pair && run.step().role() == role)
        .map(PlayedRun::figures)
        .findFirst();
  }

  /** Pairs of which a run was played. */
  int begun() {
    return done.stream().mapToInt(run -> run.step().pair()).max().orElse(0);
  }

  /** Whether one run of the last pair is still due. */
  boolean isOpen() {
    return base.size() < begun();
  }

  /** Whether a verdict may stand on them. */
  boolean isEnough() {
    return !isOpen() && isEnough(whole(), base.size());
  }

  /** Pairs in which the client was on time. */
  int whole() {
    return onTime().size();
  }

  private List<Integer> onTime() {
    return IntStream.range(0, base.size())
        .filter(i -> !base.get(i).isOnlyLate() && !candidate.get(i).isOnlyLate())
        .boxed()
        .toList();
  }

  /**
   * What is judged. A pair in which the client itself was late is left out, as long as at most a
   * third of them is; what the engines did is never left out.
   */
  RegressionJudge.Runs runs() {
    List<Integer> kept = onTime();
    if (!isEnough(kept.size(), base.size())) {
      return new RegressionJudge.Runs(base, candidate, true, candidateFirst, drift(), 0);
    }
    return new RegressionJudge.Runs(
        kept.stream().map(base::get).toList(), kept.stream().map(candidate::get).toList(), true,
        candidateFirst.isEmpty() ? List.of() : kept.stream().map(candidateFirst::get).toList(),
        drift(), base.size() - kept.size());
  }

  /** The same of runs of the base alone. */
  static List<ComparedRun> ofBase(List<PlayedRun> done) {
    List<ComparedRun> all = done.stream().map(PlayedRun::figures).toList();
    List<ComparedRun> kept = all.stream().filter(run -> !run.isOnlyLate()).toList();
    return isEnough(kept.size(), all.size()) ? kept : all;
  }

  private static boolean isEnough(int kept, int of) {
    return kept >= RegressionJudge.FEWEST && 3 * kept >= 2 * of;
  }

  private double drift() {
    if (base.size() < 2) {
      return 0;
    }
    for (ComparedMetric metric : List.of(ComparedMetric.TPOT_MEAN, ComparedMetric.E2E_MEAN)) {
      Double first = base.getFirst().metrics().get(metric);
      Double last = base.getLast().metrics().get(metric);
      if (first != null && last != null) {
        return last / first - 1;
      }
    }
    return 0;
  }
}
