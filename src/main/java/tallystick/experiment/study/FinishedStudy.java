package tallystick.experiment.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tallystick.alerting.RuleWords;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.Earned;
import tallystick.alerting.rules.RuleSet;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Column;
import tallystick.answer.Decision;
import tallystick.answer.Invocation;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.RunLanes;
import tallystick.experiment.Budget;
import tallystick.experiment.JournalEntry;
import tallystick.experiment.RateFormat;
import tallystick.experiment.TrustWords;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;
import tallystick.scenario.Objective;

/**
 * A study that has ended. Why it ended and what follows stands in {@link StudyEnd}; what every
 * study says stands here: what is earned, refused and proven, and whom to trust.
 *
 * @param scenario its name
 * @param engine in words
 * @param model that the runs asked for; empty without a run
 * @param budget time for all runs
 * @param end why no further run was asked for
 * @param runs all that were played
 * @param standings how each threshold stands
 * @param leftOut objectives that were not studied
 * @param forecast what a profile predicted; empty where none was asked
 * @param reviews the rules and how they did, for each objective; none where too few runs were
 *     played
 */
public record FinishedStudy(
    String scenario,
    String engine,
    String model,
    Budget budget,
    StudyEnd end,
    List<StudyResult> runs,
    List<ThresholdProgress> standings,
    List<Objective> leftOut,
    Optional<PredictedStudy> forecast,
    List<AlertReview> reviews)
    implements Decision {
  /** On a short screen reasons give way before any alert: alerts are what was asked for. */
  private static final int LEAST_NEXT = 2; // the files that the study wrote

  /** Rank of what a short screen drops last of the reasons; only the order counts. */
  private static final int REASONS_FIRST = 100;
  private static final int LAST_SPARED = 1; // what no run changes

  /** Moved runs that are named; more make TRUST longer than what it is about. */
  private static final int MOST_MOVED = 2;

  public FinishedStudy {
    leftOut = List.copyOf(leftOut);
    runs = List.copyOf(runs);
    standings = List.copyOf(standings);
    reviews = List.copyOf(reviews);
  }

  @Override
  public Answer answer(Invocation asked) {
    // A threshold that no alert rests on is none for whoever waits for rules.
    boolean isEarned = alerts().stream().anyMatch(RuleSet.Rule::isLearned);
    StudyEnd.Said said =
        end.said(new StudyEnd.Spent(budget, elapsedSeconds(), isEarned), asked);
    AnswerStatus outcome = isEarned ? AnswerStatus.GOOD : said.outcome();
    Answer.Builder all =
        Answer.of("study")
            .subject(TrustWords.subject(scenario, engine))
            .subject(new Mark(Tone.PLAIN, Earned.standing(reviews)))
            .subject(new Mark(Tone.PLAIN, budget.used(elapsedSeconds())));
    if (isEarned) {
      all.say(Tone.GOOD, "READY", Earned.learned(reviews));
    } else {
      all.verdict(outcome.tone(), "no threshold learned: " + said.why());
    }
    if (!runs.isEmpty()) {
      all.block(new Block.Picture(lanes(), List.of()));
    }
    if (!alerts().isEmpty()) {
      Earned.price(reviews).ifPresent(words -> all.say(Tone.PLAIN, "PRICE", words));
      all.block(Earned.table(reviews));
      Optional<String> lead = Earned.lead(reviews);
      all.say(
          Tone.PLAIN, "LEAD",
          lead.orElse("not measured: there was no slow ramp on which users suffered"),
          lead.isPresent() ? 0 : REASONS_FIRST);
    }
    all.say(
        Tone.PLAIN, "NOT READY", refused(), 1, REASONS_FIRST,
        new Block.Rest("and %d more reason, in summary.md", "and %d more reasons, in summary.md"));
    Earned.outage(reviews).ifPresent(words -> all.say(Tone.PLAIN, "OUTAGE", words, LAST_SPARED));
    forecast.ifPresent(one -> all.say(Tone.PLAIN, "FORECAST", one.words(runs)));
    all.trust(Tone.PLAIN, trust());
    all.say(Tone.PLAIN, "NEXT", next(said, asked), LEAST_NEXT, REASONS_FIRST, Block.Rest.NONE);
    details().forEach(all::detail);
    return all
        .suite("study", "", elapsedSeconds())
        .figures("study.json", figures(isEarned ? "earned" : said.word()))
        .comesTo(outcome);
  }

  private StudyFigures figures(String outcome) {
    Map<String, Double> completed = new LinkedHashMap<>();
    runs.stream()
        .map(one -> one.run().mix())
        .distinct()
        .forEach(mix -> completed.put(mix, capacityPerSecond(mix)));
    return new StudyFigures(
        StudyFigures.FORMAT, scenario, engine, outcome, elapsedSeconds(), completed,
        standings.stream().map(StudyFigures.Threshold::of).toList(), moved(),
        forecast
            .map(
                one ->
                    new StudyFigures.Predicted(
                        true, one.capacities(), one.words(runs), one.beside(runs)))
            .orElse(null),
        runs);
  }

  private List<RuleSet.Rule> alerts() {
    return Earned.alerts(reviews);
  }

  private double elapsedSeconds() {
    return JournalEntry.elapsedSeconds(runs);
  }

  private List<Drift.Moved> moved() {
    return Drift.of(StudySearch.measured(runs));
  }

  /** What {@link StudyResult#completedPerSecond} says of all its runs. */
  public double capacityPerSecond(String mix) {
    return StudyResult.completedPerSecond(runs, mix);
  }

  private List<String> next(StudyEnd.Said said, Invocation asked) {
    List<String> next = new ArrayList<>();
    if (!alerts().isEmpty()) {
      next.add("promtool test rules " + asked.in("alerts/rules_test.yaml"));
      next.add("./tally open " + asked.in("alerts"));
    }
    next.addAll(said.next());
    return next;
  }

  /** One line for each reason, with the signals it holds for. */
  private List<String> refused() {
    Map<String, List<String>> reasons = new LinkedHashMap<>();
    standings.stream()
        .filter(one -> one.state() != ThresholdProgress.State.EARNED)
        .forEach(
            one ->
                reasons
                    .computeIfAbsent(
                        one.lacks().getFirst().need().code().plain(),
                        any -> new ArrayList<>())
                    .add(one.signal().code()));
    return reasons.entrySet().stream()
        .map(one -> one.getKey() + ": " + Earned.some(one.getValue()))
        .toList();
  }

  private String trust() {
    long left = runs.stream().filter(one -> !one.trusted()).count();
    List<StudyResult> measured = StudySearch.measured(runs);
    long partly = measured.stream().filter(one -> !one.comparedInFull()).count();
    String others = left == 0 ? "" : "; " + left + " left out (see summary.md)";
    String used =
        measured.isEmpty()
            ? "nothing was derived: no complete run can be used" + others
            : Counted.of(measured.size(), "run", "runs") + ": "
                + TrustWords.compared(partly, measured.size()) + ", client on time"
                + TrustWords.simulated(engine) + others + drift();
    String tested =
        reviews.isEmpty() || Earned.areTested(reviews)
            ? ""
            : "; runs too short for promtool to test firing";
    return used + tested + notStudied();
  }

  private String drift() {
    List<Drift.Moved> moved = moved();
    String more =
        moved.size() > MOST_MOVED
            ? " and " + (moved.size() - MOST_MOVED) + " more, in summary.md"
            : "";
    return moved.isEmpty()
        ? ""
        : "; left out of load comparisons, as the engine's speed changed (time of the reference"
            + " step): "
            + moved.stream()
                .limit(MOST_MOVED)
                .map(Drift.Moved::words)
                .collect(Collectors.joining(", "))
            + more;
  }

  private String notStudied() {
    return leftOut.isEmpty()
        ? ""
        : "; not studied: "
            + leftOut.stream().map(RuleWords::objective).collect(Collectors.joining(", "))
            + " (a study takes one objective per metric, if the engine has a histogram for it)";
  }

  private List<Section> details() {
    List<Block> played = new ArrayList<>();
    played.add(
        new Block.Table(
            "", false,
            List.of(
                Column.number("run"), Column.words("mix"), Column.number("seconds"),
                Column.words("steps (requests/s: share good)"), Column.words("reference step")),
            runs.stream().map(FinishedStudy::row).toList()));
    if (!moved().isEmpty()) {
      played.add(
          new Block.Text(Tone.PLAIN, "The reference step took more or less time in these runs, so"
              + " claims about load leave them out:"));
      played.add(Block.Items.of(moved().stream().map(Drift.Moved::words).toList()));
    }
    Block thresholds =
        new Block.Table(
            "", false,
            List.of(
                Column.words("objective"), Column.name("signal"), Column.words("state"),
                Column.words("what it lacks")),
            standings.stream().map(FinishedStudy::row).toList());
    List<Section> all = new ArrayList<>();
    all.add(Section.of("runs", "Runs", played));
    all.add(Section.of("thresholds", "Thresholds", thresholds));
    forecast.ifPresent(
        one ->
            all.add(
                Section.of(
                    "predicted", "Predicted beside measured",
                    new Block.Text(
                        Tone.PLAIN, "The predictions are simulated: " + one.words(runs) + "."),
                    one.table(runs))));
    return all;
  }

  private RunLanes lanes() {
    return new RunLanes(
        runs.stream().map(FinishedStudy::lane).toList(),
        reviews.isEmpty() ? "" : "alerts/alerts.html",
        "When each alert would have fired in these runs");
  }

  private static RunLanes.Lane lane(StudyResult result) {
    String name = result.run().number() + " " + result.run().mix();
    if (result.run().isTrial()) {
      // An hour, beside which the others would be a stroke each.
      return new RunLanes.Lane(
          name, List.of(),
          Formatted.of("%.0f min, in the table below", result.run().loadSeconds() / 60));
    }
    List<RunLanes.Span> spans = new ArrayList<>();
    double from = 0;
    for (StudyStep step : result.run().steps()) {
      String rate = RateFormat.text(step.perSecond());
      Optional<StudyResult.StepReading> read =
          result.readings().stream().filter(one -> one.step().equals(step)).findFirst();
      Tone users =
          read.isEmpty() || !result.trusted()
              ? Tone.MUTED
              : read.get().held() ? Tone.GOOD : Tone.BAD;
      String share =
          read.map(one -> Formatted.of(": %.1f %% good", 100 * one.goodShare()))
              .orElse("");
      double to = from + step.seconds() / 60;
      spans.add(
          new RunLanes.Span(
              from, to, users, rate, step.name() + ", " + rate + " requests/s" + share));
      from = to;
    }
    return new RunLanes.Lane(
        name, spans,
        result.run().isScout() ? "scout" : "");
  }

  private static Block.Row row(StudyResult result) {
    String steps =
        result.run().has(StudyStep.Kind.RAMP)
            ? "rises slowly around "
                + RateFormat.text(result.run().steps().getFirst().perSecond())
            : result.readings().stream()
                .map(
                    one ->
                        Formatted.of(
                            "%s %s: %.1f %%", one.step().name(),
                            RateFormat.text(one.step().perSecond()), 100 * one.goodShare()))
                .collect(Collectors.joining(", "));
    String reference =
        result.reference().requests() == 0
            ? "–"
            : Formatted.of(
                "%.3g s ± %.2g", result.reference().meanSeconds(),
                result.reference().errorSeconds());
    return Block.Row.words(
        "" + result.run().number(), result.run().mix(),
        result.elapsedSeconds() > 0
            ? Formatted.of("%.0f", result.elapsedSeconds())
            : Formatted.of("%.0f, virtual", result.run().loadSeconds()),
        result.trusted() ? steps : "not used: " + result.doubt(), reference);
  }

  private static Block.Row row(ThresholdProgress standing) {
    return Block.Row.words(
        standing.objective().name().toLowerCase(Locale.ROOT), standing.signal().code(),
        standing.state().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        standing.lacks().stream().map(lack -> lack.sentence()).collect(Collectors.joining("; ")));
  }
}
