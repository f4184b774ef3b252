package tallystick.experiment.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.Earned;
import tallystick.alerting.rules.RuleSet;
import tallystick.alerting.RuleWords;
import tallystick.experiment.Budget;
import tallystick.experiment.ScreenLines;
import tallystick.scenario.Counted;

/** The first screen of a study: what is earned, refused and proven, whom to trust, what is next. */
final class StudyScreen {
  private static final int MOST_EARNED = 7;
  private static final int LEAST_EARNED = 2;
  private static final String AGAIN = ScreenLines.COMMAND + " --resume " + ScreenLines.FOLDER;
  private static final int FORECAST_LINES = 3;
  private static final int MOST_REFUSED = 4;
  private static final int MOST_MOVED = 2;

  /** The screen's 24 without a blank one and the prompt. */
  private static final int LINES = 22;

  private final FinishedStudy study;
  private final List<AlertReview> reviews;
  private ScreenLines lines = new ScreenLines();

  StudyScreen(FinishedStudy study, List<AlertReview> reviews) {
    this.study = study;
    this.reviews = reviews;
  }

  /** Reasons give way first, then alerts: all of them stand in files. */
  String text() {
    int refused = MOST_REFUSED;
    int earned =
        study.forecast().isPresent() ? MOST_EARNED - FORECAST_LINES : MOST_EARNED;
    add(earned, refused);
    while (lines.count() + ofFolder() > LINES && refused + earned > 1 + LEAST_EARNED) {
      if (refused > 1) {
        refused--;
      } else {
        earned--;
      }
      add(earned, refused);
    }
    return lines.text();
  }

  /** The folder's path takes the place of a word in commands, and some lines with it. */
  private long ofFolder() {
    String text = lines.text();
    return text.lines().filter(line -> line.contains("promtool test")).count()
        + 2 * text.lines().filter(line -> line.contains(AGAIN)).count();
  }

  private void add(int mostEarned, int mostRefused) {
    lines = new ScreenLines();
    List<RuleSet.Rule> alerts = Earned.alerts(reviews);
    int refused = reviews.stream().mapToInt(one -> one.rules().refusals().size()).sum();
    lines.add(
        "study   ",
        study.scenario() + " on " + study.engine() + "   " + alerts.size() + " of "
            + (alerts.size() + refused) + " alerts earned   "
            + study.budget().used(study.elapsedSeconds()));
    addEarned(alerts, mostEarned);
    if (alerts.isEmpty()) {
      lines.add("VERDICT", "no threshold is proven: " + end());
    }
    addRefused(mostRefused);
    Earned.proven(reviews).ifPresent(words -> lines.add("PROVEN", words));
    study.forecast().ifPresent(
        forecast -> lines.add("FORECAST", forecast.words(study.runs())));
    lines.add("TRUST", trust());
    List<String> next = next(alerts.isEmpty());
    for (int i = 0; i < next.size(); i++) {
      lines.add(i == 0 ? "NEXT" : "", next.get(i));
    }
  }

  private void addEarned(List<RuleSet.Rule> alerts, int most) {
    for (int i = 0; i < Math.min(most, alerts.size()); i++) {
      lines.add(i == 0 ? "EARNED" : "", Earned.line(alerts.get(i)));
    }
    if (alerts.size() > most) {
      lines.add("", "and " + (alerts.size() - most) + " more, in rules.yaml");
    }
  }

  /** One line for each reason, with the signals it holds for. */
  private void addRefused(int most) {
    Map<String, List<String>> reasons = new LinkedHashMap<>();
    study.standings().stream()
        .filter(one -> one.state() != Standing.State.EARNED)
        .forEach(
            one ->
                reasons
                    .computeIfAbsent(
                        one.words() + " (" + one.lacks().getFirst().need().code().plain() + ")",
                        any -> new ArrayList<>())
                    .add(one.signal().word()));
    List<String> words =
        reasons.entrySet().stream()
            .map(one -> one.getKey() + ": " + Earned.some(one.getValue()))
            .limit(most)
            .toList();
    for (int i = 0; i < words.size(); i++) {
      lines.add(i == 0 ? "REFUSED" : "", words.get(i));
    }
    if (reasons.size() > words.size()) {
      lines.add("", "and " + (reasons.size() - words.size()) + " more reasons, in summary.md");
    }
  }

  private String trust() {
    long left = study.runs().stream().filter(one -> !one.trusted()).count();
    List<StudyResult> measured = StudySearch.measured(study.runs());
    String others = left == 0 ? "" : "; " + left + " left out (see summary.md)";
    String used =
        measured.isEmpty()
            ? "nothing was derived: no whole run can be used" + others
            : Counted.of(measured.size(), "run", "runs")
                + " in which " + compared(measured) + ", client on time"
                + ScreenLines.simulated(study.engine()) + others + drift();
    String tested =
        reviews.isEmpty() || Earned.areTested(reviews)
            ? ""
            : "; too short for rules_test.yaml to hold a promise";
    return used + tested + leftOut();
  }

  private static String compared(List<StudyResult> measured) {
    long partly = measured.stream().filter(one -> !one.comparedInFull()).count();
    return ScreenLines.compared(partly, measured.size());
  }

  private String drift() {
    List<Drift.Moved> moved = study.moved();
    String more =
        moved.size() > MOST_MOVED
            ? " and " + (moved.size() - MOST_MOVED) + " more, in summary.md"
            : "";
    return moved.isEmpty()
        ? ""
        : "; the engine moved, so claims about load leave out "
            + moved.stream()
                .limit(MOST_MOVED)
                .map(Drift.Moved::words)
                .collect(Collectors.joining(", "))
            + more;
  }

  private String leftOut() {
    return study.leftOut().isEmpty()
        ? ""
        : "; not studied: "
            + study.leftOut().stream().map(RuleWords::objective).collect(Collectors.joining(", "))
            + " (one objective of each metric, and only where the engine has a histogram)";
  }

  private String end() {
    return switch (study.end()) {
      case StudyEnd.Decided decided -> "more runs of this kind would not help";
      case StudyEnd.OutOfTime late ->
          "the next run takes about " + Budget.minutes(late.neededSeconds()) + " min, and "
              + Budget.minutes(study.budget().orInfinite() - study.elapsedSeconds())
              + " min are left";
      case StudyEnd.CapacityLost lost ->
          "the capacity for the mix " + lost.mix() + " was not found: " + lost.why();
      case StudyEnd.Untrusted untrusted ->
          "two runs in a row cannot be used: " + untrusted.why();
      case StudyEnd.BudgetTooSmall small ->
          "the budget is too small: a study needs at least "
              + least(small) + " min";
    };
  }

  private static long least(StudyEnd.BudgetTooSmall small) {
    return (long) Math.ceil(small.leastSeconds() / 60);
  }

  private List<String> next(boolean isEmpty) {
    List<String> next = new ArrayList<>();
    if (!isEmpty) {
      next.add("promtool test rules FOLDER/alerts/rules_test.yaml");
      next.add("./tally open FOLDER/alerts");
    }
    switch (study.end()) {
      case StudyEnd.Decided decided -> {
        if (isEmpty) {
          next.add("Give another objective: tally doctor names the engine's edges.");
        }
      }
      case StudyEnd.OutOfTime late ->
          next.add(
              AGAIN + " --budget "
                  + Budget.minutes(2 * study.budget().seconds().orElse(study.elapsedSeconds()))
                  + "m");
      case StudyEnd.CapacityLost lost ->
          next.add("A run at a low rate shows which limit one request alone breaks.");
      case StudyEnd.Untrusted untrusted ->
          next.addAll(
              List.of(
                  "Mend what tally report says of the newest folder in FOLDER/runs. Then:",
                  AGAIN));
      case StudyEnd.BudgetTooSmall small ->
          next.add(AGAIN + " --budget " + least(small) + "m");
    }
    return next;
  }
}
