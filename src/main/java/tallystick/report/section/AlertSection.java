package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.ScoreWords;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalOutcome.Refused;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.Judgement;
import tallystick.alerting.review.LeadReview;
import tallystick.alerting.review.PromiseReview;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.report.markup.Drawn;
import tallystick.report.picture.AlertBands;
import tallystick.report.picture.ThresholdChart;

/** What may alert and what was refused, when each alert would have fired, and how good that is. */
public final class AlertSection {
  private static final String TITLE = "Alert rules";
  private static final String MISSING =
      "A threshold without evidence is not proposed. What each alert still lacks:";
  private static final String NEXT =
      "Next: run a study whose phases step from healthy to overloaded, on two mixes or more, and"
          + " give its runs to tally alerts.";
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

  private AlertSection() {}

  /** What is missing for a threshold, where one run cannot carry any. */
  public static Section missing(List<RefusedAlert> refusals) {
    return Section.of(
        "alerts",
        TITLE,
        refusals.isEmpty()
            ? List.of()
            : List.of(
                new Block.Text(Tone.MUTED, MISSING),
                refused(refusals),
                new Block.Text(Tone.PLAIN, NEXT)));
  }

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
    return Section.of("alerts", TITLE, blocks);
  }

  /** The same as a page of its own has it: a section for each part. */
  public static List<Section> sections(AlertReview review) {
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
                Drawn.picture(html -> AlertBands.draw(html, review), List.of()),
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
              List.of(refused(review.rules().refusals()))));
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
    Drawn all =
        html -> {
          html.open("div", "plots");
          earned.forEach(
              one ->
                  ThresholdChart.draw(
                      html, one, derived.windows(one.signal()), derived.table().target()));
          html.close("div");
        };
    return earned.isEmpty()
        ? List.of()
        : List.of(new Block.Text(Tone.MUTED, PLOTS), Drawn.picture(all, List.of()));
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
    List<Block.Row> rows = judgement.scores().stream().map(AlertSection::row).toList();
    return List.of(
        new Block.Table("How the alerts did", false, columns, rows), notes(judgement.notes()));
  }

  private static Block notes(List<String> lines) {
    return Block.Items.of(lines.stream().map(line -> line + ".").toList());
  }

  private static Block.Row row(AlertScore score) {
    return words(
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

  private static Block.Row words(String... cells) {
    return new Block.Row(Tone.PLAIN, List.of(cells).stream().map(Cell::of).toList());
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
                    words(
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
                    words(
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

  private static Block.Table refused(List<RefusedAlert> refusals) {
    List<Column> columns =
        List.of(
            Column.name("alert"), Column.words("watches"), Column.words("why"),
            Column.words("what is missing"));
    List<Block.Row> rows =
        refusals.stream()
            .map(
                each ->
                    words(each.alertName(), each.watches(), each.code().plain(), each.missing()))
            .toList();
    return new Block.Table("Alerts that were refused", false, columns, rows);
  }

  private static List<Block> outcomes(DerivedAlerts derived) {
    List<Column> columns =
        List.of(
            Column.name("signal"), Column.words("outcome"), Column.words("90 % interval"),
            Column.words("evidence, or what is missing"));
    List<Block.Row> rows = derived.outcomes().stream().map(AlertSection::outcome).toList();
    return List.of(
        new Block.Text(Tone.MUTED, "Edge: " + derived.edge().sentence() + "."),
        new Block.Table("Thresholds, signal by signal", false, columns, rows),
        new Block.Text(Tone.MUTED, "Valid for: " + derived.validity().text() + "."));
  }

  private static Block.Row outcome(SignalOutcome outcome) {
    return switch (outcome) {
      case Derived found -> {
        SignalOutcome.Evidence evidence = found.evidence();
        yield words(
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
          words(
              refused.signal().meaning(), "refused: " + refused.code().plain(), "",
              refused.missing());
    };
  }
}
