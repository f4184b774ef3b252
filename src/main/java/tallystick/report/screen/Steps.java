package tallystick.report.screen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.LoadSteps;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.report.section.ObjectiveSection;
import tallystick.report.section.PhaseSection;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

/** The steps of a run; its answer is where they break. */
final class Steps {
  /** So many always stay: the one that breaks and its neighbours. */
  private static final int LEAST = 3;

  /** Of objectives a narrow screen has room for so many percentiles. */
  private static final int MOST_SHOWN = 2;

  /** The percentile that is shown where nobody asks for one that a phase has. */
  private static final double USUAL = 0.95;

  private final LoadSteps load;
  private final List<PhaseAnalysis> phases;
  private final List<Shown> shown;
  private final String unit;
  private final boolean isRough;

  /**
   * The steps of a run.
   *
   * @param unit of the rates: {@code requests/s}, {@code sessions/s}
   * @param isRough whether latencies hold the client's own delay
   */
  Steps(LoadSteps load, String unit, boolean isRough) {
    this.load = load;
    this.unit = unit;
    this.phases = load.steps();
    this.shown = shown(phases.getFirst());
    this.isRough = isRough;
  }

  private boolean isAsked() {
    return !phases.getFirst().objectives().isEmpty();
  }

  private static double rate(PhaseAnalysis phase) {
    return phase.offeredPerSecond().orZero();
  }

  /** The highest step that holds, and the lowest that does not. */
  Block.Item answer() {
    if (!isAsked()) {
      return Block.Item.of(Tone.PLAIN, "DONE", RunVerdict.UNASKED);
    }
    int met = load.held();
    int violated = load.missed();
    int kept = load.kept();
    String fails = violated < 0 ? "" : rate(violated) + ": " + objective(phases.get(violated));
    Optional<PhaseAnalysis> alone =
        violated < 0
            ? load.missedOther()
            : Optional.of(phases.get(violated)).filter(one -> !load.isRising());
    if (alone.isPresent()) {
      return Block.Item.of(Tone.BAD, "MISSED", missedIn(alone.get(), met));
    }
    if (kept >= 0 && (met < 0 || violated >= 0 && met > violated)) {
      String knee =
          "no clear knee: " + shown(met < 0 ? kept : met) + " is met"
              + (met < 0 ? ", yet a lower step fell short" : "");
      return violated < 0
          ? Block.Item.of(Tone.CAUTION, "TOO CLOSE", knee)
          : Block.Item.of(Tone.BAD, "MISSED", fails + "; " + knee);
    }
    if (violated < 0) {
      boolean isAll = load.judgement().isMet();
      return met < 0
          ? Block.Item.of(
              Tone.CAUTION, "TOO CLOSE",
              phases.stream().allMatch(
                      one -> one.judgement().verdict() == Judgement.Verdict.NOT_JUDGED)
                  ? "no step could be judged: no request came that an objective judges"
                  : "no step is likely met or likely missed")
          : Block.Item.of(
              isAll ? Tone.GOOD : Tone.CAUTION, "HOLDS",
              held(met, isAll ? load.judgement() : phases.get(met).judgement()) + open(met));
    }
    return met < 0
        ? Block.Item.of(
            Tone.BAD, "MISSED",
            "already at " + fails + " (" + phases.get(violated).judgement().strength().words()
                + "); no lower step is met")
        : Block.Item.of(
            Tone.PLAIN, "HOLDS",
            held(met, phases.get(met).judgement()) + ", not " + fails + yet(met));
  }

  private String missedIn(PhaseAnalysis phase, int met) {
    return "in " + named(phase) + Numbers.number(rate(phase)) + ": "
        + objective(phase) + " (" + phase.judgement().strength().words() + ")"
        + (met < 0
            ? ""
            : "; another phase at " + held(met, phases.get(met).judgement()) + " is met");
  }

  private String held(int met, Judgement judged) {
    PhaseAnalysis step = phases.get(met);
    String since = step.ramp() ? ", the low end of " + step.phase() : "";
    return shown(met) + since + " (" + judged.strength().words() + ")";
  }

  private String shown(int step) {
    return Numbers.number(load.shownPerSecond(step)) + " " + unit;
  }

  // What keeps a run from being met although no step is missed.
  private String open(int met) {
    return Stream.concat(phases.stream(), load.others().stream())
        .filter(phase -> rate(phase) >= rate(phases.get(met)))
        .filter(phase -> phase.judgement().isTooClose())
        .findFirst()
        .map(
            phase ->
                "; " + (rate(phase) > rate(phases.get(met)) ? "" : named(phase))
                    + Numbers.number(rate(phase)) + " is "
                    + phase.judgement().words()) // too close to call, not judged
        .orElse(", the highest tried");
  }

  // A phase that failed at no higher a rate than the step that holds.
  private String yet(int met) {
    return load.others().stream()
        .filter(phase -> phase.judgement().isMissed())
        .filter(phase -> rate(phase) > 0 && rate(phase) <= rate(phases.get(met)))
        .map(
            phase ->
                "; " + named(phase) + Numbers.number(rate(phase))
                    + (isAfterOverload(phase) ? ", after the overload, missed" : " missed"))
        .findFirst()
        .orElse("");
  }

  /** A queue that an overload left behind makes later requests slow too. */
  private boolean isAfterOverload(PhaseAnalysis later) {
    return phases.stream()
        .filter(step -> step.judgement().isMissed() && rate(step) > rate(later))
        .anyMatch(step -> step.endSeconds() <= later.startSeconds() + 1);
  }

  private static String named(PhaseAnalysis phase) {
    return "phase \"" + phase.phase() + "\" at ";
  }

  private String rate(int step) {
    return Numbers.number(phases.get(step).offeredPerSecond());
  }

  private static String objective(PhaseAnalysis phase) {
    return phase.objectives().stream()
        .filter(result -> result.judgement().isMissed())
        .min(Comparator.comparing(ObjectiveResult::strength))
        .map(result -> Wording.objective(result.objective()))
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
    load.others().forEach(phase -> rows.add(row(phase).spare(phases.size() + 1)));
    List<Column> columns =
        new ArrayList<>(
            List.of(
                Column.name("phase"), Column.number(PhaseSection.offered(unit)),
                Column.number("requests").spare(1)));
    shown.forEach(one -> columns.add(Column.number(one.head()).spare(one.spare())));
    if (isAsked()) {
      columns.addAll(
          List.of(Column.number("good"), Column.number("good/s"), Column.words("verdict")));
    }
    return new Block.Table(
        "Phases", false, columns, rows,
        new Block.Rest("+ 1 more phase: --verbose", "+ %d more phases: --verbose"));
  }

  /** Whether a step is among the {@code most} around the one that breaks. */
  private boolean isAmong(int most, int step) {
    int knee = Math.max(load.missed(), 0);
    int middle = Math.max(0, Math.min(knee - most / 2, phases.size() - most));
    int met = load.held();
    int from = met >= 0 && met < middle && knee - met < most ? met : middle;
    return step >= from && step < from + most;
  }

  private Block.Row row(PhaseAnalysis phase) {
    List<Cell> cells =
        new ArrayList<>(
            List.of(
                Cell.of(phase.phase()), Cell.number(phase.offeredPerSecond()),
                Cell.of(Numbers.count(phase.requests()))));
    shown.forEach(one -> cells.add(Cell.latency(one.of(phase)).roughIf(isRough)));
    if (isAsked()) {
      cells.add(Cell.percent(phase.goodput().share()).roughIf(isRough));
      cells.add(Cell.number(phase.goodput().requestsPerSecond()).roughIf(isRough));
      cells.add(
          phase.objectives().isEmpty()
              ? Cell.NONE
              : Cell.of(ObjectiveSection.mark(phase.judgement())));
    }
    return Block.Row.of(cells.toArray(Cell[]::new));
  }

  /**
   * A percentile of a step.
   *
   * @param spare how easily a narrow screen leaves it out
   */
  private record Shown(Metric metric, double level, int spare) {
    private String head() {
      return Wording.metric(metric) + " P" + Numbers.threshold(100 * level);
    }

    private Figure of(PhaseAnalysis phase) {
      return quantity(phase, metric).orElseThrow().percentile(level);
    }
  }

  /** What is asked for, where a phase has it; else how long users wait for their first token. */
  private static List<Shown> shown(PhaseAnalysis phase) {
    List<Shown> shown =
        new ArrayList<>(
            phase.objectives().stream()
                .map(ObjectiveResult::objective)
                // A phase's percentiles are of all classes.
                .filter(one -> one.requestClass().isEmpty())
                .filter(one -> quantity(phase, one.metric()).isPresent())
                .map(one -> new Shown(one.metric(), level(phase, one), 0))
                .distinct()
                .limit(MOST_SHOWN)
                .toList());
    if (shown.isEmpty()) {
      shown.add(new Shown(Metric.TTFT, USUAL, 0));
    }
    if (shown.size() == 1) {
      shown.addFirst(new Shown(shown.getFirst().metric(), 0.5, 2));
    }
    return shown;
  }

  private static double level(PhaseAnalysis phase, Objective objective) {
    return quantity(phase, objective.metric()).orElseThrow().percentiles().stream()
        .mapToDouble(Distribution.Percentile::level)
        .filter(level -> level == objective.share())
        .findFirst()
        .orElse(USUAL);
  }

  private static Optional<Distribution> quantity(PhaseAnalysis phase, Metric metric) {
    return switch (metric) {
      case TTFT -> Optional.of(phase.ttft());
      case E2E -> Optional.of(phase.e2e());
      case LARGEST_GAP -> Optional.of(phase.largestGaps());
      case ITL -> Optional.of(phase.chunkGaps());
      case ANSWER_TTFT, THINKING_TOKENS, TPOT, SESSION_TIME, SESSION_TIME_WITHOUT_TOOLS, ALL ->
          Optional.empty();
    };
  }
}
