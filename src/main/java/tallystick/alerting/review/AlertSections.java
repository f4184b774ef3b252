package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.alerting.FirstRules;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.RunTimeline;
import tallystick.alerting.backtest.ScoreBlocks;
import tallystick.alerting.backtest.ScoreWords;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.Requirement;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalOutcome.Refused;
import tallystick.answer.Block;
import tallystick.answer.Column;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.Chart;
import tallystick.answer.chart.FiringBands;
import tallystick.answer.words.Numbers;
import tallystick.plan.Phase;
import tallystick.promql.PromTime;
import tallystick.scenario.Objective;

/** What may alert and what was refused, when each alert would have fired, and how good that is. */
public final class AlertSections {
  private static final String LEAD =
      "When each alert would have fired, and when users suffered: stretches in which the client's"
          + " counts prove that the objective was missed. A firing more than five minutes from"
          + " any of them is false.";
  private static final String COLUMNS =
      "Found: stretches of suffering in which it fired; sustained ones last two windows or more."
          + " Covered: share of the suffering time in which it fired. Precision: share of its"
          + " firing time in which users suffered, not counting up to five minutes before and its"
          + " tail after. In health: share of all healthy time in which it fired.";

  private static final String PLOTS =
      "Each mark is a window: the engine's signal (horizontal) against the client's share of bad"
          + " requests (vertical). Crosses: users suffered. Discs: they did not. Faint dots: too"
          + " few requests to tell. Dashed line: what the objective allows. Vertical line: the"
          + " threshold; band: its 90 % interval.";

  private static final String EVIDENCE =
      "Windows that met or missed the objective, or were undecided; precision and recall on runs"
          + " left out.";
  private static final String LETTERS =
      "From the first to the last minute: users suffered (#), fired (=), fired for nothing (!).";
  private static final String ONE_RUN =
      "These reasons are this run's alone. ./tally alerts RUN… judges several runs together and may"
          + " give others.";

  private static final double MILLIS_PER_MINUTE = 60_000;
  private static final double NANOS_PER_MINUTE = 60e9;

  private AlertSections() {}

  /** The whole review of one run as a section of its report. */
  public static Section of(AlertReview review) {
    List<Block> blocks = new ArrayList<>();
    for (Section part : each(review)) {
      if (blocks.isEmpty()) {
        blocks.addAll(part.blocks());
      } else {
        blocks.add(titled(part.title(), part.blocks()));
      }
    }
    blocks.add(ScoreBlocks.text(ONE_RUN));
    return Section.of("alerts", FirstRules.TITLE, blocks);
  }

  /**
   * What the same runs give, beside the user's rules: alerts judged on runs left out where there
   * are enough of them.
   */
  public static Section beside(List<DerivationRun> runs, Objective objective) {
    AlertReview review;
    try {
      review = AlertReview.of(runs, AlertRequest.usual(objective));
    } catch (IllegalArgumentException e) {
      String why = "Beside yours: nothing can be derived, " + e.getMessage();
      return Section.of("beside", "", ScoreBlocks.text(why));
    }
    ConditionScore judgement =
        review.judgements().stream()
            .filter(each -> each.words().equals(ConditionScore.RUN_LEFT_OUT))
            .findFirst()
            .orElse(review.judgements().getFirst());
    List<Block> blocks = new ArrayList<>(did(judgement));
    for (RefusedAlert refused : review.rules().refusals()) {
      blocks.add(
          ScoreBlocks.text(
              "refused: " + refused.alertName() + ", " + refused.code().full() + ": "
                  + refused.missing()));
    }
    return Section.of(
        "beside",
        "Beside yours, alerts derived from these runs, replayed " + judgement.words() + ":",
        blocks);
  }

  /** A review as an account of its own: a section for each part. */
  static List<Section> each(AlertReview review) {
    List<Section> parts = new ArrayList<>();
    parts.add(
        Section.of(
            "alerts", "When each alert would have fired",
            List.of(
                new Block.Text(Tone.MUTED, LEAD),
                new Block.Picture(bands(review), letters(review)),
                new Block.Text(Tone.MUTED, COLUMNS))));
    review
        .judgements()
        .forEach(
            judgement ->
                parts.add(
                    Section.of(
                        "did-" + parts.size(), "How the alerts did " + judgement.words(),
                        did(judgement))));
    review
        .test()
        .ifPresent(
            test ->
                parts.add(
                    Section.of(
                        "promises", "Promises to users, tested in rules_test.yaml",
                        promises(test.promises()))));
    parts.add(Section.of("lead", "Lead time on ramps", lead(review.lead())));
    if (!review.rules().refusals().isEmpty()) {
      parts.add(
          Section.of(
              "refused", "Alerts that were refused",
              List.of(RefusedAlert.table(review.rules().refusals()))));
    }
    parts.add(
        Section.of("thresholds", "Thresholds, signal by signal", outcomes(review.derived())));
    List<Block> pictures = pictures(review.derived());
    if (!pictures.isEmpty()) {
      parts.add(Section.of("why", "Why these thresholds", pictures));
    }
    return parts;
  }

  /** Each threshold beside the windows it rests on; only a page has room for it. */
  private static List<Block> pictures(DerivedAlerts derived) {
    List<Derived> earned =
        derived.derived().stream()
            .filter(one -> !derived.windows(one.signal()).isEmpty())
            .toList();
    return earned.isEmpty()
        ? List.of()
        : List.of(
            new Block.PageOnly(
                "",
                List.of(
                    new Block.Text(Tone.MUTED, PLOTS),
                    Chart.besides(
                        earned.stream()
                            .map(
                                one ->
                                    new ThresholdPlot(
                                            one, derived.windows(one.signal()),
                                            1 - derived.table().target())
                                        .plot())
                            .toList()))));
  }

  private static List<String> alerts(AlertReview review) {
    return review.judgements().getFirst().scores().stream().map(AlertScore::alert).toList();
  }

  private static List<Block> letters(AlertReview review) {
    List<Block> blocks = new ArrayList<>(List.of(new Block.Text(Tone.MUTED, LETTERS)));
    review
        .runs()
        .forEach(
            run -> blocks.add(ScoreBlocks.bands(run.timeline(), run.source(), alerts(review))));
    return blocks;
  }

  private static FiringBands bands(AlertReview review) {
    List<String> alerts = alerts(review);
    return new FiringBands(review.runs().stream().map(run -> bands(run, alerts)).toList());
  }

  private static FiringBands.Run bands(AlertReview.ReviewedRun run, List<String> alerts) {
    RunTimeline timeline = run.timeline();
    List<FiringBands.Band> suffering =
        timeline.episodes().stream()
            .map(one -> band(timeline, timeline.startOf(one), one.endMillis(), true))
            .toList();
    List<FiringBands.Alert> fired =
        alerts.stream()
            .map(
                name ->
                    new FiringBands.Alert(name, timeline.replays(name), firings(timeline, name)))
            .toList();
    return new FiringBands.Run(
        timeline.run(), run.source(), minutes(timeline, timeline.endMillis()),
        steps(run.steps()), suffering, fired);
  }

  private static List<FiringBands.Step> steps(List<Phase> steps) {
    long first = steps.isEmpty() ? 0 : steps.getFirst().startNanos();
    return steps.stream()
        .map(
            step ->
                new FiringBands.Step(
                    step.name(), step.requestsPerSecond(),
                    (step.startNanos() - first) / NANOS_PER_MINUTE,
                    (step.endNanos() - first) / NANOS_PER_MINUTE))
        .toList();
  }

  private static List<FiringBands.Band> firings(RunTimeline run, String alert) {
    return run.firings(alert).stream()
        .map(firing -> band(run, firing.firedMillis(), run.endOf(firing), !run.isFalse(firing)))
        .toList();
  }

  private static FiringBands.Band band(RunTimeline run, long from, long to, boolean isRight) {
    return new FiringBands.Band(minutes(run, from), minutes(run, to), isRight);
  }

  private static double minutes(RunTimeline run, long millis) {
    return (millis - run.startMillis()) / MILLIS_PER_MINUTE;
  }

  private static Block titled(String title, List<Block> blocks) {
    return new Block.Groups(List.of(new Block.Group(title, Mark.NONE, blocks)));
  }

  private static List<Block> did(ConditionScore judgement) {
    if (judgement.scores().isEmpty()) {
      return List.of(new Block.Text(Tone.MUTED, "No alert was derived."));
    }
    return List.of(
        ScoreBlocks.scores(judgement.words(), judgement.scores()), notes(judgement.notes()));
  }

  private static Block notes(List<String> lines) {
    return Block.Items.of(lines.stream().map(line -> line + ".").toList());
  }

  private static List<Block> promises(PromiseReview promises) {
    List<Column> columns =
        List.of(
            Column.name("alert"), Column.words("must"), Column.words("while"),
            Column.words("kept"));
    List<Block.Row> rows =
        promises.promises().stream()
            .map(
                promise ->
                    Block.Row.words(
                        promise.alert(), promise.fires() ? "fire" : "be silent",
                        promise.stretch(),
                        promise.broken().isPresent() ? "broken" : "kept"))
            .toList();
    List<String> notes = new ArrayList<>();
    promises.broken().forEach(broken -> notes.add("broken: " + broken.sentence()));
    notes.addAll(promises.blunt());
    notes.addAll(promises.untested());
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Block.Text(Tone.MUTED, "On " + promises.run() + ": " + promises.sentence() + "."));
    if (!rows.isEmpty()) {
      blocks.add(new Block.Table("Promises to users", false, columns, rows));
    }
    blocks.add(notes(notes));
    return blocks;
  }

  private static List<Block> lead(LeadReview lead) {
    if (lead.ramps().isEmpty()) {
      return List.of(notes(lead.lines()));
    }
    List<Column> columns =
        List.of(
            Column.name("alert or signal"), Column.number("median (range)"),
            Column.number("fired on"), Column.number("precision"), Column.words("timing"));
    List<Block.Row> rows =
        lead.all().stream()
            .map(
                each ->
                    Block.Row.words(
                        each.name(), each.figures(),
                        each.seconds().size() + " of " + each.ramps(),
                        ScoreWords.percent(each.precision(), "not measured"), each.verdict()))
            .toList();
    String text =
        "Lead time: from the firing to the end of the first window that the client proves missed,"
            + " on " + String.join(", ", lead.ramps())
            + ". Negative is late. A signal's row is its derived threshold without an alert.";
    return List.of(
        new Block.Text(Tone.MUTED, text),
        new Block.Table("Lead time on ramps", false, columns, rows));
  }

  /** What holds, what was refused and why, and what it is valid for. */
  private static List<Block> outcomes(DerivedAlerts derived) {
    List<Column> columns =
        List.of(
            Column.name("signal"), Column.words("above"), Column.words("for").spare(2),
            Column.words("90 % interval").spare(4), Column.words("severity").spare(3),
            Column.number("met, missed, undecided").spare(6),
            Column.number("area").spare(5), Column.number("precision").spare(1),
            Column.number("recall").spare(1));
    List<Block.Row> rows = new ArrayList<>();
    Map<Requirement, Map<String, List<String>>> refused = new LinkedHashMap<>();
    for (SignalOutcome outcome : derived.outcomes()) {
      switch (outcome) {
        case Derived found -> rows.add(row(found, derived));
        case Refused none ->
            refused
                .computeIfAbsent(none.lacks().getFirst().need(), any -> new LinkedHashMap<>())
                .computeIfAbsent(none.missing(), any -> new ArrayList<>())
                .add(none.signal().meaning());
      }
    }
    List<Block.Item> reasons = new ArrayList<>();
    refused.forEach((need, sentences) -> reasons.add(refused(need, sentences)));
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Text(Tone.MUTED, "Edge: " + derived.edge().sentence() + "."));
    if (!rows.isEmpty()) {
      blocks.add(new Block.Text(Tone.MUTED, EVIDENCE));
      blocks.add(new Block.Table("Thresholds, signal by signal", false, columns, rows));
    }
    blocks.add(new Block.Items(false, reasons));
    blocks.add(new Block.Text(Tone.MUTED, "Valid for: " + derived.validity().text() + "."));
    return blocks;
  }

  private static Block.Row row(Derived found, DerivedAlerts derived) {
    SignalOutcome.Evidence evidence = found.evidence();
    return Block.Row.words(
        found.signal().meaning(),
        Numbers.threshold(found.threshold()) + " (" + found.signal().unit() + ")",
        PromTime.text(derived.holdMillis().getOrDefault(found.signal(), 0L)),
        "[" + Numbers.threshold(evidence.thresholdLow()) + ", "
            + Numbers.threshold(evidence.thresholdHigh()) + "]",
        found.urgency().code(),
        evidence.healthyWindows() + ", " + evidence.violatedWindows() + ", "
            + evidence.unprovenWindows(),
        String.format(Locale.ROOT, "%.3f", evidence.area()),
        ScoreWords.number(evidence.byRun().confusion().precision()),
        ScoreWords.number(evidence.byRun().confusion().recall()));
  }

  /** One reason, the signals that it holds for, and what to do about it. */
  private static Block.Item refused(Requirement need, Map<String, List<String>> sentences) {
    List<String> lines = new ArrayList<>();
    sentences.forEach(
        (sentence, signals) ->
            lines.add(
                (signals.size() == Signal.values().length
                        ? "every signal"
                        : String.join(", ", signals))
                    + ": " + sentence));
    return new Block.Item(
        Mark.NONE, "Refused: " + need.code().full(), "",
        List.of(
            new Block.Argument("", lines), new Block.Argument("next", List.of(need.next()))));
  }
}
