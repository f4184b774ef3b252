package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tallystick.alerting.FirstRules;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.RunTimeline;
import tallystick.alerting.backtest.ScoreBlocks;
import tallystick.alerting.backtest.ScoreWords;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalOutcome.Refused;
import tallystick.alerting.derivation.SignalWindow;
import tallystick.alerting.derivation.WindowLabel;
import tallystick.answer.Block;
import tallystick.answer.Column;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.FiringBands;
import tallystick.answer.chart.Thresholds;
import tallystick.answer.words.Numbers;
import tallystick.plan.Phase;

/** What may alert and what was refused, when each alert would have fired, and how good that is. */
public final class AlertSections {
  private static final String LEAD =
      "When each alert would have fired, against when users suffered: stretches of windows whose"
          + " client counts prove that the objective was violated. A firing further than five"
          + " minutes from any of them is false.";
  private static final String COLUMNS =
      "Found: of the stretches in which users suffered, those in which it fired; sustained ones"
          + " last two windows or more. Covered: the share of the suffering in which it fired."
          + " Precision: the share of its firing in which users suffered; up to five minutes before"
          + " and its tail after are not counted. In health: the share of all healthy time in"
          + " which it fired.";

  private static final String PLOTS =
      "Each mark is a window: across, what the engine showed; up, the share of bad requests that"
          + " the client measured. Crosses: users suffered. Discs: they did not. Faint dots: too"
          + " few requests to tell. The dashed line is what the objective allows, the upright one"
          + " the threshold, the band its 90 % interval.";

  private static final double MILLIS_PER_MINUTE = 60_000;
  private static final double NANOS_PER_MINUTE = 60e9;

  private AlertSections() {}

  /** The whole review as one section. */
  public static Section of(AlertReview review) {
    List<Block> blocks = new ArrayList<>();
    for (Part part : parts(review)) {
      if (blocks.isEmpty()) {
        blocks.addAll(part.blocks());
      } else {
        blocks.add(titled(part.title(), part.blocks()));
      }
    }
    return Section.of("alerts", FirstRules.TITLE, blocks);
  }

  /** The same as a page of its own has it: a section for each part. */
  static List<Section> each(AlertReview review) {
    return parts(review).stream()
        .map(part -> Section.of(part.id(), part.title(), part.blocks()))
        .toList();
  }

  private record Part(String id, String title, List<Block> blocks) {}

  private static List<Part> parts(AlertReview review) {
    List<Part> parts = new ArrayList<>();
    parts.add(
        new Part(
            "alerts", "When each alert would have fired",
            List.of(
                new Block.Text(Tone.MUTED, LEAD),
                new Block.Picture(bands(review), List.of()),
                new Block.Text(Tone.MUTED, COLUMNS))));
    review
        .judgements()
        .forEach(
            judgement ->
                parts.add(
                    new Part(
                        "did-" + parts.size(), "How the alerts did " + judgement.words(),
                        did(judgement))));
    review
        .test()
        .ifPresent(
            test ->
                parts.add(
                    new Part(
                        "promises", "Promises to users, tested in rules_test.yaml",
                        promises(test.promises()))));
    parts.add(new Part("lead", "Lead time on ramps", lead(review.lead())));
    if (!review.rules().refusals().isEmpty()) {
      parts.add(
          new Part(
              "refused", "Alerts that were refused",
              List.of(RefusedAlert.table(review.rules().refusals()))));
    }
    parts.add(
        new Part("thresholds", "Thresholds, signal by signal", outcomes(review.derived())));
    List<Block> pictures = pictures(review.derived());
    if (!pictures.isEmpty()) {
      parts.add(new Part("why", "Why these thresholds", pictures));
    }
    return parts;
  }

  /** Each threshold beside the windows it rests on; only a page has room for it. */
  private static List<Block> pictures(DerivedAlerts derived) {
    List<Derived> earned =
        derived.outcomes().stream()
            .filter(Derived.class::isInstance)
            .map(Derived.class::cast)
            .filter(one -> !derived.windows(one.signal()).isEmpty())
            .toList();
    List<Thresholds.Threshold> all =
        earned.stream().map(one -> threshold(one, derived)).toList();
    return earned.isEmpty()
        ? List.of()
        : List.of(
            new Block.Text(Tone.MUTED, PLOTS),
            new Block.Picture(new Thresholds(all), List.of()));
  }

  private static Thresholds.Threshold threshold(Derived one, DerivedAlerts derived) {
    List<SignalWindow> windows = derived.windows(one.signal());
    return new Thresholds.Threshold(
        one.signal().meaning(), one.signal().unit(), one.threshold(),
        one.evidence().thresholdLow(), one.evidence().thresholdHigh(),
        1 - derived.table().target(), sorted(one.threshold(), windows),
        windows.stream()
            .map(
                window ->
                    new Thresholds.Window(
                        window.value(), window.badShare(), users(window.label())))
            .toList());
  }

  private static Thresholds.Users users(WindowLabel label) {
    return switch (label) {
      case MET -> Thresholds.Users.MET;
      case VIOLATED -> Thresholds.Users.VIOLATED;
      case NOT_PROVEN -> Thresholds.Users.NOT_PROVEN;
    };
  }

  /** How a threshold sorts the windows. */
  static String sorted(double threshold, List<SignalWindow> windows) {
    long[] above = new long[WindowLabel.values().length];
    long[] below = new long[WindowLabel.values().length];
    for (SignalWindow window : windows) {
      (window.value() > threshold ? above : below)[window.label().ordinal()]++;
    }
    return String.format(
        Locale.ROOT,
        "Above %s: %d windows in which users suffered, %d in which they did not. Not above: %d"
            + " and %d. Windows that prove neither and do not count: %d.",
        Numbers.threshold(threshold), above[WindowLabel.VIOLATED.ordinal()],
        above[WindowLabel.MET.ordinal()], below[WindowLabel.VIOLATED.ordinal()],
        below[WindowLabel.MET.ordinal()],
        above[WindowLabel.NOT_PROVEN.ordinal()] + below[WindowLabel.NOT_PROVEN.ordinal()]);
  }

  private static FiringBands bands(AlertReview review) {
    List<String> alerts =
        review.judgements().getFirst().scores().stream().map(AlertScore::alert).toList();
    return new FiringBands(review.runs().stream().map(run -> bands(run, alerts)).toList());
  }

  private static FiringBands.Run bands(AlertReview.ReviewedRun run, List<String> alerts) {
    RunTimeline timeline = run.timeline();
    List<FiringBands.Band> suffering =
        timeline.episodes().stream()
            .map(
                one ->
                    band(
                        timeline, one.onsetMillis() - timeline.windowMillis(), one.endMillis(),
                        true))
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
    return run.firings().stream()
        .filter(firing -> firing.alert().equals(alert))
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

  private static List<Block> did(Judgement judgement) {
    if (judgement.scores().isEmpty()) {
      return List.of(new Block.Text(Tone.MUTED, "No alert was derived."));
    }
    List<Column> columns =
        List.of(
            Column.name("alert"), Column.number("found"), Column.number("sustained"),
            Column.number("false"), Column.number("covered"), Column.number("precision"),
            Column.number("in health"), Column.number("fires P50 / P95, s"),
            Column.number("resolves P50 / P95, s"), Column.number("firings a day"),
            Column.number("false in 24 h (≤)"));
    List<Block.Row> rows = judgement.scores().stream().map(AlertSections::row).toList();
    return List.of(
        new Block.Table("How the alerts did", false, columns, rows), notes(judgement.notes()));
  }

  private static Block notes(List<String> lines) {
    return Block.Items.of(lines.stream().map(line -> line + ".").toList());
  }

  private static Block.Row row(AlertScore score) {
    return ScoreBlocks.words(
        score.alert(),
        ScoreWords.hits(score.all()),
        ScoreWords.hits(score.sustained()),
        Integer.toString(score.falseFirings()),
        ScoreWords.percent(score.time().coverage()),
        ScoreWords.precision(score),
        ScoreWords.percent(score.time().inHealth()),
        ScoreWords.delaySeconds(score),
        ScoreWords.resolveSeconds(score),
        ScoreWords.number(score.firingsPerDay()),
        falsePerDay(score));
  }

  private static String falsePerDay(AlertScore score) {
    double bound = score.falsePerDayBound();
    return Double.isFinite(bound)
        ? ScoreWords.number(score.falsePerDay()) + " (" + ScoreWords.number(bound) + ")"
        : "n/a";
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
                    ScoreBlocks.words(
                        promise.alert(), promise.fires() ? "fire" : "be silent",
                        promise.stretch(),
                        promise.broken().map(how -> "broken: " + how).orElse("kept")))
            .toList();
    List<String> notes = new ArrayList<>(promises.blunt());
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
                    ScoreBlocks.words(
                        each.name(), each.figures(),
                        each.seconds().size() + " of " + each.ramps(),
                        ScoreWords.percent(each.precision(), "not measured"), each.verdict()))
            .toList();
    String text =
        "From the firing to the end of the first window in which the client proves a violation,"
            + " on " + String.join(", ", lead.ramps())
            + ". Negative is late. A signal is a derived threshold by itself.";
    return List.of(
        new Block.Text(Tone.MUTED, text),
        new Block.Table("Lead time on ramps", false, columns, rows));
  }

  private static List<Block> outcomes(DerivedAlerts derived) {
    List<Column> columns =
        List.of(
            Column.name("signal"), Column.words("outcome"), Column.words("90 % interval"),
            Column.words("evidence, or what is missing"));
    List<Block.Row> rows = derived.outcomes().stream().map(AlertSections::outcome).toList();
    return List.of(
        new Block.Text(Tone.MUTED, "Edge: " + derived.edge().sentence() + "."),
        new Block.Table("Thresholds, signal by signal", false, columns, rows),
        new Block.Text(Tone.MUTED, "Valid for: " + derived.validity().text() + "."));
  }

  private static Block.Row outcome(SignalOutcome outcome) {
    return switch (outcome) {
      case Derived found -> {
        SignalOutcome.Evidence evidence = found.evidence();
        yield ScoreBlocks.words(
            found.signal().meaning(),
            "above " + Numbers.threshold(found.threshold()) + " (" + found.signal().unit() + "): "
                + found.urgency().severity(),
            "[" + Numbers.threshold(evidence.thresholdLow()) + ", "
                + Numbers.threshold(evidence.thresholdHigh()) + "]",
            String.format(
                Locale.ROOT,
                "%d windows met, %d violated, %d not proven; area %.3f; runs left out: precision"
                    + " %.2f, recall %.2f",
                evidence.healthyWindows(), evidence.violatedWindows(),
                evidence.unprovenWindows(), evidence.area(),
                evidence.byRun().confusion().precision(),
                evidence.byRun().confusion().recall()));
      }
      case Refused refused ->
          ScoreBlocks.words(
              refused.signal().meaning(), "refused: " + refused.code().plain(), "",
              refused.missing());
    };
  }
}
