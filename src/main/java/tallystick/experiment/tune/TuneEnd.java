package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Column;
import tallystick.answer.Decision;
import tallystick.answer.Invocation;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.experiment.JointObjective;
import tallystick.experiment.TrustWords;
import tallystick.experiment.regress.ComparedRun;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;

/**
 * A tuning that has ended. What its verdict says stands in {@link TuneAnswer}; what every tuning
 * says stands here: the front, what each flag does, whom to trust, the table of cells.
 *
 * @param scenario its name
 * @param engine in words
 * @param grid what was tried
 * @param objective what a cell had to hold
 * @param screening what the blocks say
 * @param choice among the cells
 * @param verdict how it ended
 * @param runs all of the blocks
 * @param time how long it took, in words
 */
public record TuneEnd(
    String scenario,
    String engine,
    DesignSpace grid,
    JointObjective objective,
    Screening screening,
    LeaderSelection choice,
    TuneAnswer verdict,
    List<TunedRun> runs,
    String time)
    implements Decision {
  /** What cells run with instead of what was asked; a third one says nothing new of trust. */
  private static final int MOST_OTHERS = 2;

  /** On a short screen names of trade-offs give way before any row of the table that has them. */
  private static final int FRONT_FIRST = 100;

  private static final String KIND = "engine kind";
  private static final String NOT_KNOWN = "n/a";

  @Override
  public Answer answer(Invocation asked) {
    TuneAnswer.Said said = verdict.said(tried(), asked);
    Answer.Builder all =
        Answer.of("tune")
            .subject(TrustWords.subject(grid.words(), engine))
            .subject(new Mark(Tone.PLAIN, grid.cells().size() + " settings, " + time));
    for (int i = 0; i < said.lines().size(); i++) {
      all.say(said.outcome().tone(), i == 0 ? said.head() : "", said.lines().get(i));
    }
    said.strength().ifPresent(all::strength);
    asGood().ifPresent(words -> all.say(Tone.PLAIN, "ALSO", words));
    front().forEach(words -> all.say(Tone.PLAIN, "", words, FRONT_FIRST));
    all.where(where()).trust(Tone.PLAIN, trust(said.outcome()));
    predicted().ifPresent(words -> all.say(Tone.PLAIN, "", words));
    all.block(table());
    unequalBlocks().ifPresent(words -> all.block(new Block.Text(Tone.PLAIN, words)));
    all.next(said.next());
    details().forEach(all::detail);
    double took = runs.stream().mapToDouble(TunedRun::elapsedSeconds).sum();
    return all.suite("tune", "", took).figures("tune.json", figures(said)).comesTo(said.outcome());
  }

  private TuneAnswer.Tried tried() {
    Optional<ComparedRun.Load> load =
        runs.stream()
            .filter(TunedRun::counts)
            .map(run -> run.figures().getFirst().load())
            .findFirst();
    return new TuneAnswer.Tried(
        grid, objective, load.map(ComparedRun.Load::closedLoop).orElse(false),
        load.map(ComparedRun.Load::ratePerSecond).orElse(0.0),
        of(ConfigurationStatus.Kind.LEFT_OUT).isEmpty(),
        choice.isPredictedOnly(), screening.blocks().size(),
        (screening.left().size() + 1) * runSeconds(), runSeconds());
  }

  private double runSeconds() {
    return runs.stream().mapToDouble(TunedRun::elapsedSeconds).average().orElse(0);
  }

  /**
   * Settings whose goodput is that of the one that is named, with how its gaps differ where they
   * surely do; empty where none is named, or none does as well.
   */
  private Optional<String> asGood() {
    List<String> equal =
        named().stream()
            .flatMap(best -> choice.asGoodAs(best).stream().map(cell -> beside(cell, best)))
            .toList();
    return equal.isEmpty()
        ? Optional.empty()
        : Optional.of("as much goodput: " + String.join(", ", equal));
  }

  private String beside(Configuration cell, Configuration best) {
    return choice.gaps(cell, best)
        .map(gaps -> cell.words() + " (ITL P99 " + gaps + ")")
        .orElse(cell.words());
  }

  /** The setting that the verdict speaks for. */
  private Optional<Configuration> named() {
    return switch (verdict) {
      case TuneAnswer.Compared one when one.confirmation().isBetter() ->
          Optional.of(one.confirmation().cell());
      case TuneAnswer.Plain one -> Optional.of(one.cell());
      case TuneAnswer.MayHold one -> Optional.of(one.ahead().cell());
      case TuneAnswer.KeepCurrent keep -> Optional.of(grid.current());
      default -> Optional.empty();
    };
  }

  private TuneFigures figures(TuneAnswer.Said said) {
    return new TuneFigures(
        TuneFigures.FORMAT, scenario, engine, said.word(), objective.words(), grid.factors(),
        grid.current(), time, screening.blocks(), screening.drifted(),
        TuneFigures.Grounds.of(verdict),
        TuneFigures.cells(grid, screening), TuneFigures.predictions(screening));
  }

  private List<Configuration> of(ConfigurationStatus.Kind kind) {
    return grid.cells().stream().filter(cell -> standing(cell).kind() == kind).toList();
  }

  private ConfigurationStatus standing(Configuration cell) {
    return screening.standing(cell.number());
  }

  private List<String> front() {
    List<String> lines = new ArrayList<>();
    if (!of(ConfigurationStatus.Kind.ON_FRONT).isEmpty()) {
      lines.add(
          "best trade-offs of goodput and ITL P99: "
              + words(of(ConfigurationStatus.Kind.ON_FRONT)));
    }
    List<Configuration> open =
        of(ConfigurationStatus.Kind.OPEN).stream()
            .filter(cell -> !named().equals(Optional.of(cell)))
            .toList();
    if (!open.isEmpty() && screening.blocks().size() > 1) {
      lines.add((lines.isEmpty() ? "possibly the best: " : "possibly as good: ") + words(open));
    }
    String untold = untold();
    if (!lines.isEmpty() && !untold.isEmpty()) {
      lines.add(untold + " was not compared: not every setting reported it");
    }
    return lines;
  }

  private static String words(List<Configuration> cells) {
    return cells.stream().map(Configuration::words).collect(Collectors.joining(", "));
  }

  /** What the front was drawn without. */
  private String untold() {
    List<Integer> cells = screening.left();
    BlockMeasurements evidence = screening.seen();
    List<TunedMetric> told = evidence.told(cells, evidence.together(cells));
    return Stream.of(TunedMetric.values())
        .filter(response -> !told.contains(response))
        .map(TunedMetric::words)
        .collect(Collectors.joining(", "));
  }

  /** What each flag does from its first value to its last, all else equal. */
  private String where() {
    List<String> words = new ArrayList<>();
    for (DesignSpace.Factor factor : grid.factors()) {
      List<String> values = factor.values();
      if (values.size() > 1) {
        words.add(
            factor.flag() + " " + values.getFirst() + " -> " + values.getLast() + ": goodput "
                + change(factor, TunedMetric.GOODPUT) + ", ITL P99 "
                + change(factor, TunedMetric.ITL_P99));
      }
    }
    return String.join("; ", words)
        + (isHint()
            ? " (weak: no block could be used)"
            : " (averages over the same blocks)");
  }

  private String change(DesignSpace.Factor factor, TunedMetric response) {
    double saved = saved(factor, response);
    double change = Math.expm1(response == TunedMetric.GOODPUT ? saved : -saved);
    return Double.isFinite(change) ? TuneAnswer.change(change) : NOT_KNOWN;
  }

  /** Only cells that differ in this flag alone, and blocks that both were measured in. */
  private double saved(DesignSpace.Factor factor, TunedMetric response) {
    String flag = factor.flag();
    BlockMeasurements evidence = screening.seen();
    return grid.cells().stream()
        .filter(cell -> cell.settings().get(flag).equals(factor.values().getFirst()))
        .flatMapToDouble(
            first ->
                grid.cells().stream()
                    .filter(cell -> isLike(first, cell, flag, factor.values().getLast()))
                    .flatMapToDouble(
                        last ->
                            DoubleStream.of(
                                evidence.saved(last.number(), first.number(), response))))
        .filter(Double::isFinite)
        .average()
        .orElse(Double.NaN);
  }

  private static boolean isLike(Configuration one, Configuration other, String flag, String value) {
    Map<String, String> wanted = new HashMap<>(one.settings());
    wanted.put(flag, value);
    return other.settings().equals(wanted);
  }

  private String trust(AnswerStatus outcome) {
    long left = runs.stream().filter(TunedRun::isSpoiled).count();
    List<Integer> blocks = isHint() ? screening.drifted() : screening.blocks();
    long kept =
        runs.stream().filter(TunedRun::counts)
            .filter(run -> blocks.contains(run.step().block())).count();
    if (kept == 0) {
      return "no: no run can be used";
    }
    List<String> words = new ArrayList<>();
    words.add(
        (outcome == AnswerStatus.NOT_TRUSTED || isHint() ? "no: " : "yes: ") + kept + " runs in "
            + Counted.of(screening.blocks().size(), "block", "blocks"));
    if (!isHint()) {
      words.add("speed drifted within a block by " + drift(screening.blocks()));
      if (most(screening.blocks()).orElse(0) > Math.log(1 + Screening.DRIFT)
          && screening.blocks().stream().noneMatch(screening::isDrift)) {
        words.add("too little to explain the gain");
      }
    }
    if (!isReal()) {
      words.add(TrustWords.SIMULATED.substring("; ".length()));
    }
    if (left > 0) {
      words.add(Counted.of(left, "run left out", "runs left out"));
    }
    if (!screening.drifted().isEmpty()) {
      words.add(
          "one block drifted " + drift(screening.drifted())
              + (isHint() ? " and does not count (it is in the table)" : " and was run again"));
    }
    of(ConfigurationStatus.Kind.SAME).stream()
        .findFirst()
        .ifPresent(cell -> words.add(cell.words() + " is " + standing(cell).why()));
    List<String> others = new DuplicateConfigurations(grid, runs).others();
    others.stream().limit(MOST_OTHERS).forEach(words::add);
    if (others.size() > MOST_OTHERS) {
      words.add("and " + (others.size() - MOST_OTHERS) + " more like this");
    }
    dead(ConfigurationStatus.Kind.NOT_STARTED, "setting does not start", "settings do not"
        + " start", words);
    dead(
        ConfigurationStatus.Kind.DIED,
        "setting died under this load",
        "settings died under this load",
        words);
    return String.join("; ", words);
  }

  private void dead(ConfigurationStatus.Kind kind, String one, String more, List<String> words) {
    if (!of(kind).isEmpty()) {
      words.add(Counted.of(of(kind).size(), one, more));
    }
  }

  /** Whether all there is to see is a block that does not count. */
  private boolean isHint() {
    return screening.blocks().isEmpty() && !screening.drifted().isEmpty();
  }

  private String drift(List<Integer> blocks) {
    OptionalDouble most = most(blocks);
    return most.isEmpty()
        ? "not known"
        : Formatted.of("up to %.1f %%", 100 * Math.expm1(most.getAsDouble()));
  }

  private OptionalDouble most(List<Integer> blocks) {
    return blocks.stream()
        .map(screening::drift)
        .filter(OptionalDouble::isPresent)
        .mapToDouble(one -> Math.abs(one.getAsDouble()))
        .max();
  }

  /** An engine counts as simulated unless it is known to be a real one. */
  private boolean isReal() {
    return runs.stream()
        .filter(TunedRun::counts)
        .allMatch(run -> "real".equals(run.figures().getFirst().likeness().get(KIND)));
  }

  /** What a reader must know of predictions; empty where nothing was predicted. */
  private Optional<String> predicted() {
    PredictedGrid forecast = screening.forecast();
    if (forecast.plays().isEmpty()) {
      return Optional.empty();
    }
    List<PredictedGrid.Beside> all = forecast.beside(screening.evidence());
    long within = all.stream().filter(PredictedGrid.Beside::isWithin).count();
    String checked =
        forecast.check().map(cell -> grid.cells().get(cell).words()).orElse("none");
    String left =
        screening.betrayal().isPresent()
            ? "wrong (" + screening.betrayal().get() + "), so no setting is left out"
            : forecast.leftOut().isEmpty()
                ? "no setting left out"
                : Counted.of(forecast.leftOut().size(), "setting", "settings")
                    + " not measured, predicted worse; control setting "
                    + checked
                    + (screening.isChecked() ? " as predicted" : " not measured yet");
    return Optional.of(
        "predictions in virtual time (simulated): " + left + "; within 10 % in " + within + " of "
            + all.size() + " figures");
  }

  /** All cells; where not all have room, those that the verdict names and today's stay longest. */
  private Block table() {
    List<Configuration> byNeed =
        grid.cells().stream()
            .sorted(
                Comparator.comparing(
                        (Configuration cell) ->
                            standing(cell).isOut() && !cell.equals(grid.current()))
                    .thenComparing(cell -> standing(cell).kind())
                    .thenComparing(cell -> -standing(cell).chance()))
            .toList();
    List<Column> columns =
        List.of(
            Column.name("* today"), Column.number("goodput"), Column.number("good"),
            Column.number("ITL P99"), Column.number("TTFT P95"), Column.number("preempt."),
            Column.words("best?"));
    return new Block.Table(
        "", false, columns,
        grid.cells().stream().map(cell -> row(cell).spare(1 + byNeed.indexOf(cell))).toList(),
        Block.Rest.of("and %d more in summary.md"));
  }

  private Block.Row row(Configuration cell) {
    BlockMeasurements evidence = screening.seen();
    ConfigurationStatus standing = standing(cell);
    double share = evidence.goodShare(cell.number());
    String chance =
        standing.kind() != ConfigurationStatus.Kind.OPEN
            ? standing.kind().words()
            : standing.chance() >= 0
                ? Formatted.of("maybe (%.0f %%)", 100 * standing.chance())
                : NOT_KNOWN;
    return Block.Row.words(
        cell.words() + (cell.equals(grid.current()) ? "*" : ""),
        evidence.text(cell.number(), TunedMetric.GOODPUT),
        Double.isNaN(share) ? NOT_KNOWN : Formatted.of("%.1f %%", 100 * share),
        evidence.text(cell.number(), TunedMetric.ITL_P99),
        evidence.text(cell.number(), TunedMetric.TTFT_P95),
        evidence.text(cell.number(), TunedMetric.PREEMPTIONS),
        chance);
  }

  /** That not all cells were measured in as many blocks; empty where they were. */
  private Optional<String> unequalBlocks() {
    IntSummaryStatistics blocks =
        grid.cells().stream()
            .mapToInt(cell -> screening.seen().blocks(cell.number()))
            .filter(count -> count > 0)
            .summaryStatistics();
    return blocks.getMin() < blocks.getMax()
        ? Optional.of(
            "goodput and preemptions are averages over " + blocks.getMin() + " to "
                + blocks.getMax() + " blocks, adjusted for the drift between them (\"good\" is"
                + " not)")
        : Optional.empty();
  }

  private List<Section> details() {
    List<Section> all = new ArrayList<>();
    all.add(new TuneCharts(grid, screening).section());
    all.add(
        Section.of(
            "cells", "All settings (95 % intervals over blocks; percentiles: from the run with the"
                + " least to the one with the most)",
            new Block.Items(false, grid.cells().stream().map(this::item).toList())));
    predicted().ifPresent(
        words ->
            all.add(
                Section.of(
                    "predictions", "Predictions", new Block.Text(Tone.PLAIN, words),
                    besideMeasured())));
    return all;
  }

  private Block.Item item(Configuration cell) {
    BlockMeasurements evidence = screening.evidence();
    List<String> figures = new ArrayList<>();
    for (TunedMetric response : TunedMetric.values()) {
      SmallSampleStatistics.Gain figure = evidence.figure(cell.number(), response);
      String ends =
          figure.hasEnds() && !response.isPercentile()
              ? " [" + response.text(figure.low()) + ", " + response.text(figure.high()) + "]"
              : "";
      figures.add(response.words() + " " + evidence.text(cell.number(), response) + ends);
    }
    for (ThroughputTradeOff speed : ThroughputTradeOff.values()) {
      double mean = speed.of(evidence.of(cell.number())).value();
      figures.add(
          speed.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " "
              + (Double.isFinite(mean) ? Formatted.of("%.4g", mean) : NOT_KNOWN));
    }
    ConfigurationStatus standing = standing(cell);
    figures.add(
        standing.kind().code() + (standing.why().isEmpty() ? "" : ": " + standing.why()));
    return new Block.Item(
        new Mark(Tone.PLAIN, cell.words()), String.join("; ", figures), "", List.of());
  }

  private Block besideMeasured() {
    List<Column> columns =
        List.of(
            Column.name("cell"), Column.words("figure"), Column.number("predicted"),
            Column.number("measured"), Column.number("prediction off by"));
    return new Block.Table(
        "", false, columns,
        screening.forecast().beside(screening.evidence()).stream()
            .map(
                one ->
                    Block.Row.words(
                        one.cell().words(), one.response().words(),
                        one.response().text(one.predicted()), one.response().text(one.measured()),
                        Numbers.signedPercent(one.off())))
            .toList());
  }
}
