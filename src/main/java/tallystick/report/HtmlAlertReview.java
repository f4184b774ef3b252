package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.LeadTime;
import tallystick.alerting.backtest.ScoreWords;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalOutcome.Refused;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.Judgement;
import tallystick.alerting.review.LeadReview;
import tallystick.alerting.review.PromiseReview;

/** What may alert and what was refused, when each alert would have fired, and how good that is. */
final class HtmlAlertReview {
  private HtmlAlertReview() {}

  static void section(Markup html, AlertReview review) {
    html.raw("<section id=\"alerts\">\n").element("h2", "", "Alert rules");
    html.element(
        "p",
        "lead",
        "When each alert would have fired, against when users suffered: stretches of windows whose"
            + " client counts prove that the objective was violated. A firing further than five"
            + " minutes from any of them is false. Sustained are stretches of two windows or more;"
            + " quiet are the healthy stretches in which an alert was silent.");
    HtmlBands.write(html, review);
    review.judgements().forEach(judgement -> judgement(html, judgement));
    review.test().ifPresent(test -> promises(html, test.promises()));
    lead(html, review.lead());
    refusals(html, review.rules().refusals());
    outcomes(html, review.derived());
    html.raw("</section>\n");
  }

  private static void judgement(Markup html, Judgement judgement) {
    html.element("h3", "", "How the alerts did " + judgement.words());
    if (judgement.scores().isEmpty()) {
      html.element("p", "none", "No alert was derived.");
      return;
    }
    HtmlTable table = new HtmlTable(html, "How the alerts did " + judgement.words());
    table.head(
        1, "alert", "found", "sustained", "false", "quiet", "precision",
        "recall", "delay P50 / P95, s", "false in 24 h (≤)");
    for (AlertScore score : judgement.scores()) {
      table.row(row(score));
    }
    table.end();
    judgement.notes().forEach(note -> html.element("p", "note", note + "."));
  }

  private static void promises(Markup html, PromiseReview promises) {
    html.element("h3", "", "Promises to users, tested in rules_test.yaml");
    html.element("p", "lead", "On " + promises.run() + ": " + promises.sentence() + ".");
    if (!promises.promises().isEmpty()) {
      HtmlTable table = new HtmlTable(html, "Promises to users");
      table.head(4, "alert", "must", "while", "kept");
      for (PromiseReview.Tested promise : promises.promises()) {
        table.row(
            List.of(
                promise.alert(), promise.fires() ? "fire" : "be silent", promise.stretch(),
                promise.broken().map(how -> "broken: " + how).orElse("kept")));
      }
      table.end();
    }
    promises.blunt().forEach(line -> html.element("p", "note", line + "."));
    promises.untested().forEach(line -> html.element("p", "note", line + "."));
  }

  private static void lead(Markup html, LeadReview lead) {
    html.element("h3", "", "Lead time on ramps");
    if (lead.ramps().isEmpty()) {
      lead.lines().forEach(line -> html.element("p", "none", line + "."));
      return;
    }
    html.element(
        "p",
        "lead",
        "From the firing to the end of the first window in which the client proves a violation, on "
            + String.join(", ", lead.ramps())
            + ". Negative is late. A signal is a derived threshold by itself.");
    HtmlTable table = new HtmlTable(html, "Lead time on ramps");
    table.head(1, "alert or signal", "median (range)", "fired on", "precision", "timing");
    for (LeadTime each : lead.all()) {
      table.row(
          List.of(
              each.name(), each.figures(), each.seconds().size() + " of " + each.ramps(),
              ScoreWords.share(each.precision(), "not measured"), each.verdict()));
    }
    table.end();
  }

  private static List<String> row(AlertScore score) {
    return List.of(
        score.alert(),
        ScoreWords.hits(score.all()),
        ScoreWords.hits(score.sustained()),
        Integer.toString(score.falseFirings()),
        score.health().quiet() + " of " + score.health().stretches(),
        ScoreWords.share(score.precision(), "never fired"),
        ScoreWords.share(score.recall(), "no episode"),
        ScoreWords.delaySeconds(score),
        ScoreWords.number(score.falsePerDay())
            + " (" + ScoreWords.number(score.falsePerDayBound()) + ")");
  }

  private static void refusals(Markup html, List<RefusedAlert> refusals) {
    if (refusals.isEmpty()) {
      return;
    }
    html.element("h3", "", "Alerts that were refused");
    HtmlTable table = new HtmlTable(html, "Alerts that were refused");
    table.head(4, "alert", "watches", "code", "what is missing");
    for (RefusedAlert refused : refusals) {
      table.row(
          List.of(
              refused.alertName(), refused.watches(), refused.code().word(), refused.missing()));
    }
    table.end();
  }

  private static void outcomes(Markup html, DerivedAlerts derived) {
    html.element("h3", "", "Thresholds, signal by signal");
    html.element("p", "lead", "Edge: " + derived.edge().sentence() + ".");
    HtmlTable table = new HtmlTable(html, "Thresholds, signal by signal");
    table.head(4, "signal", "outcome", "90 % interval", "evidence, or what is missing");
    derived.outcomes().forEach(outcome -> table.row(outcome(outcome)));
    table.end();
    html.element("p", "lead", "Valid for: " + derived.validity().text() + ".");
  }

  private static List<String> outcome(SignalOutcome outcome) {
    return switch (outcome) {
      case Derived found -> {
        SignalOutcome.Evidence evidence = found.evidence();
        List<String> cells = new ArrayList<>(List.of(found.signal().meaning()));
        cells.add("above " + figure(found.threshold()) + ": " + found.urgency().severity());
        cells.add(
            "[" + figure(evidence.thresholdLow()) + ", " + figure(evidence.thresholdHigh()) + "]");
        cells.add(
            String.format(
                Locale.ROOT,
                "%d windows met, %d violated, %d not proven; area %.3f; runs left out: precision"
                    + " %.2f, recall %.2f",
                evidence.healthyWindows(), evidence.violatedWindows(),
                evidence.unprovenWindows(), evidence.area(),
                evidence.byRun().confusion().precision(),
                evidence.byRun().confusion().recall()));
        yield cells;
      }
      case Refused refused ->
          List.of(
              refused.signal().meaning(), "refused: " + refused.code().word(), "",
              refused.missing());
    };
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, "%.4g", value).replaceAll("(\\.\\d*?)0+$", "$1")
        .replaceAll("\\.$", "");
  }
}
