package tallystick.experiment.study;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.alerting.derivation.Shortfall;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.Earned;
import tallystick.experiment.Journal;
import tallystick.experiment.ScreenLines;
import tallystick.runrecord.WholeFile;

/** What a finished study says: on the screen, in files, and by its exit code. */
public final class StudyReport {
  private static final int FORMAT = 1;

  private final FinishedStudy study;
  private final List<AlertReview> reviews;

  /** How a study ends, for whoever only looks at that. */
  public enum Outcome {
    EARNED,
    NOT_PROVEN,
    NOT_TRUSTED,
    BUDGET_TOO_SMALL
  }

  StudyReport(FinishedStudy study, List<AlertReview> reviews) {
    this.study = study;
    this.reviews = List.copyOf(reviews);
  }

  /** How it ended; a threshold that no alert rests on is none for whoever waits for rules. */
  public Outcome outcome() {
    if (!Earned.alerts(reviews).isEmpty()) {
      return Outcome.EARNED;
    }
    return switch (study.end()) {
      case StudyEnd.Decided decided -> Outcome.NOT_PROVEN;
      case StudyEnd.OutOfTime late -> Outcome.NOT_PROVEN;
      case StudyEnd.CapacityLost lost -> Outcome.NOT_PROVEN;
      case StudyEnd.Untrusted untrusted -> Outcome.NOT_TRUSTED;
      case StudyEnd.BudgetTooSmall small -> Outcome.BUDGET_TOO_SMALL;
    };
  }

  /** The rules and how they did, for each objective; none where too few runs were played. */
  public List<AlertReview> reviews() {
    return reviews;
  }

  /** The model that the rules are about. */
  public String model() {
    return study.model();
  }

  /**
   * What a mix of requests completed under the latest overload; the most that it completed where
   * the engine kept up with every step.
   */
  public double capacityPerSecond(String mix) {
    return StudyResult.completedPerSecond(study.runs(), mix);
  }

  /** The first screen: 80 columns, at most 24 lines. */
  public String text() {
    return new StudyScreen(study, reviews).text();
  }

  /** Writes {@code study.json} and {@code summary.md} into the experiment's folder. */
  void write(Path folder) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("format_version", FORMAT);
    all.put("scenario", study.scenario());
    all.put("engine", study.engine());
    all.put("outcome", outcome().name().toLowerCase(Locale.ROOT));
    all.put("elapsed_seconds", study.elapsedSeconds());
    Map<String, Object> capacities = new LinkedHashMap<>();
    study.runs().stream()
        .map(one -> one.run().mix())
        .distinct()
        .forEach(mix -> capacities.put(mix, capacityPerSecond(mix)));
    all.put("completed_per_second", capacities);
    all.put("thresholds", study.standings().stream().map(StudyReport::threshold).toList());
    all.put("moved", study.moved());
    study.forecast().ifPresent(
        forecast -> all.put("predicted", forecast.figures(study.runs())));
    all.put("runs", study.runs());
    WholeFile.write(folder.resolve("study.json"), Journal.text(all));
    String screen = ScreenLines.in(
            folder.toString(), text().replace(ScreenLines.COMMAND, "./tally study SCENARIO"));
    WholeFile.write(folder.resolve("summary.md"), StudySummary.of(study, screen));
  }

  private static Map<String, Object> threshold(Standing standing) {
    Map<String, Object> words = new LinkedHashMap<>();
    words.put("objective", standing.objective().name().toLowerCase(Locale.ROOT));
    words.put("signal", standing.signal().word());
    words.put("state", standing.state().name().toLowerCase(Locale.ROOT));
    List<Map<String, Object>> lacks = new ArrayList<>();
    for (Shortfall lack : standing.lacks()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("need", lack.need().name().toLowerCase(Locale.ROOT));
      one.put("code", lack.need().code().word());
      one.put("sentence", lack.sentence());
      lacks.add(one);
    }
    words.put("lacks", lacks);
    return words;
  }
}
