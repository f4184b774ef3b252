package tallystick.report.screen;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.report.section.ObjectiveSection;

/**
 * The phases of a run that tell of their rates; its answer is where they break. What comes after
 * a higher step and is not met may still carry that step's queue, so it is told, and no step.
 */
final class Steps {
  private static final int FEWEST = 2; // one step has no next

  /** So many always stay: the one that breaks and its neighbours. */
  private static final int LEAST = 3;

  private final List<PhaseAnalysis> phases;
  private final List<PhaseAnalysis> others;

  private final boolean isRough;

  private Steps(List<PhaseAnalysis> all, boolean isRough) {
    this.isRough = isRough;
    this.phases = PhaseAnalysis.steps(all);
    this.others = all.stream().filter(phase -> !phases.contains(phase)).toList();
  }

  /**
   * The steps; empty where there are none.
   *
   * @param isRough whether latencies hold the client's own delay
   */
  static Optional<Steps> of(List<PhaseAnalysis> phases, boolean isRough) {
    return Optional.of(new Steps(phases, isRough)).filter(steps -> steps.phases.size() >= FEWEST);
  }

  private static double rate(PhaseAnalysis phase) {
    return phase.offeredPerSecond().orZero();
  }

  /** The highest step that holds, and the lowest that does not. */
  Block.Item answer() {
    if (phases.getFirst().objectives().isEmpty()) {
      return Block.Item.of(Tone.PLAIN, "DONE", RunVerdict.UNASKED);
    }
    int met = PhaseAnalysis.held(phases);
    int violated = first(Judgement::isMissed);
    int kept = first(Judgement::isMet);
    if (met < 0 && kept >= 0) {
      return Block.Item.of(
          Tone.CAUTION, "TOO CLOSE",
          "no clear knee: " + rate(kept) + " requests/s is met, yet a lower step fell short");
    }
    if (violated >= 0 && met > violated) {
      return Block.Item.of(
          Tone.CAUTION, "TOO CLOSE",
          "no clear knee: " + rate(met) + " requests/s is met, yet " + rate(violated) + " is not");
    }
    if (violated < 0) {
      boolean isAll = met == phases.size() - 1 && yet(met).isEmpty();
      return met < 0
          ? Block.Item.of(Tone.CAUTION, "TOO CLOSE", "no step is likely met or likely missed")
          : Block.Item.of(
              isAll ? Tone.GOOD : Tone.CAUTION, "HOLDS",
              held(met) + "; no step is missed" + yet(met));
    }
    String fails = rate(violated) + ": " + objective(phases.get(violated));
    return met < 0
        ? Block.Item.of(Tone.BAD, "MISSED", "already at " + fails + "; no lower step is met")
        : Block.Item.of(Tone.PLAIN, "HOLDS", held(met) + ", not " + fails + yet(met));
  }

  private String held(int met) {
    return rate(met) + " requests/s (" + phases.get(met).judgement().strength().words() + ")";
  }

  /** The same, with the verdict that the exit code is of, where it is a milder one. */
  Block.Item answer(Judgement together) {
    Block.Item answer = answer();
    if (first(Judgement::isMissed) < 0 || together.isMissed()) {
      return answer;
    }
    String milder = "; all phases together: " + ObjectiveSection.mark(together).word();
    return new Block.Item(answer.mark(), answer.text() + milder, 0);
  }

  // A phase that failed at no higher a rate than the step that holds.
  private String yet(int met) {
    return others.stream()
        .filter(phase -> phase.judgement().isMissed())
        .filter(phase -> rate(phase) > 0 && rate(phase) <= rate(phases.get(met)))
        .map(
            phase ->
                "; phase \"" + phase.phase() + "\" at " + Numbers.number(rate(phase))
                    + " missed its objective")
        .findFirst()
        .orElse("");
  }

  private int first(Predicate<Judgement> wanted) {
    for (int i = 0; i < phases.size(); i++) {
      if (wanted.test(phases.get(i).judgement())) {
        return i;
      }
    }
    return -1;
  }

  private String rate(int step) {
    return Numbers.number(phases.get(step).offeredPerSecond());
  }

  private static String objective(PhaseAnalysis phase) {
    return phase.objectives().stream()
        .filter(result -> result.judgement().isMissed())
        .map(result -> Wording.objective(result.objective()))
        .findFirst()
        .orElse("");
  }

  /**
   * All steps, then the other phases; those far from the one that breaks, and from the one that
   * holds, can be spared.
   */
  Block.Table table() {
    List<Block.Row> rows = new ArrayList<>();
    for (int i = 0; i < phases.size(); i++) {
      int most = LEAST;
      while (most < phases.size() && !isAmong(most, i)) {
        most++;
      }
      rows.add(row(phases.get(i)).spare(most == LEAST ? 0 : most));
    }
    others.forEach(phase -> rows.add(row(phase).spare(phases.size() + 1)));
    List<Column> columns =
        List.of(
            Column.name("phase"), Column.number("offered/s"), Column.number("requests").spare(1),
            Column.number("TTFT P50").spare(2), Column.number("TTFT P95"),
            Column.number("good"),
            Column.number("good/s"), Column.words("verdict"));
    return new Block.Table(
        "Phases", false, columns, rows,
        new Block.Rest("+ 1 more phase: --verbose", "+ %d more phases: --verbose"));
  }

  /** Whether a step is among the {@code most} around the one that breaks. */
  private boolean isAmong(int most, int step) {
    int knee = Math.max(first(Judgement::isMissed), 0);
    int middle = Math.max(0, Math.min(knee - most / 2, phases.size() - most));
    int met = PhaseAnalysis.held(phases);
    int from = met >= 0 && met < middle && knee - met < most ? met : middle;
    return step >= from && step < from + most;
  }

  private Block.Row row(PhaseAnalysis phase) {
    return Block.Row.of(
        Cell.of(phase.phase()),
        Cell.number(phase.offeredPerSecond()),
        Cell.of(Numbers.count(phase.requests())),
        Cell.latency(phase.ttft().percentile(0.5)).roughIf(isRough),
        Cell.latency(phase.ttft().percentile(0.95)).roughIf(isRough),
        Cell.percent(phase.goodput().share()).roughIf(isRough),
        Cell.number(phase.goodput().requestsPerSecond()).roughIf(isRough),
        phase.objectives().isEmpty()
            ? Cell.NONE
            : Cell.of(ObjectiveSection.mark(phase.judgement())));
  }
}
