package tallystick.cli.alerting;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.derivation.Spelling;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.EarnedAlerts;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Usability;
import tallystick.answer.Answer;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.cli.run.AnswerOptions;
import tallystick.cli.run.RunFolder;
import tallystick.runrecord.RecordReader;
import tallystick.scenario.Objective;

/** Derives alert rules from recorded runs. */
@Command(
    name = "alerts",
    description = "Derive Prometheus alert rules with evidence from recorded runs of stepped load.")
public final class AlertsCommand extends ShellCommand {
  @Parameters(paramLabel = "RUN", arity = "1..*", description = "run folders, best from two"
      + " traffic mixes")
  private List<Path> folders;

  @Mixin private SloOption slo;

  @Mixin private AnswerOptions options;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "alerts",
      description = "where to write (default: ${DEFAULT-VALUE})")
  private Path out;

  @Option(
      names = "--group-by",
      paramLabel = "LABELS",
      split = ",",
      defaultValue = "cluster,model_name",
      description = "labels to group by (default: ${DEFAULT-VALUE})")
  private List<String> grouping;

  @Option(
      names = "--runbook-url",
      defaultValue = AlertRequest.RUNBOOK,
      description =
          "URL of your copy of docs/runbook.md, for example https://wiki/vllm; each alert links"
              + " to its entry there (default: ${DEFAULT-VALUE})")
  private String runbookUrl;

  @Option(
      names = "--job",
      defaultValue = "vllm",
      description = "name of the scrape job (default: ${DEFAULT-VALUE})")
  private String job;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      converter = GivenTime.class,
      defaultValue = "0",
      description = "length of a window; 0 chooses one automatically")
  private double windowSeconds;

  @Option(
      names = "--skip",
      paramLabel = "TIME",
      converter = GivenTime.class,
      defaultValue = "60s",
      description = "time left out at the start of each step (default: ${DEFAULT-VALUE})")
  private double skipSeconds;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      converter = GivenTime.class,
      defaultValue = "30s",
      description = "evaluation interval of the rules (default: ${DEFAULT-VALUE})")
  private double intervalSeconds;

  @Option(
      names = "--availability",
      paramLabel = "SHARE",
      defaultValue = "0",
      description = "wanted share of HTTP requests without a server error, for example 0.999; 0:"
          + " no such alert")
  private double availability;

  @Option(
      names = "--keep-firing",
      paramLabel = "TIME",
      converter = GivenTime.class,
      defaultValue = "2m",
      description =
          "keep_firing_for of alerts on a threshold (default: ${DEFAULT-VALUE}); 0 leaves it out,"
              + " for Prometheus before 2.42")
  private double keepFiringSeconds;

  @Option(
      names = "--spelling",
      defaultValue = "recorded",
      description =
          "metric names in the rules: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}); colon"
              + " is vllm:x, underscore vllm_x")
  private Spelling spelling;

  @Option(
      names = "--selector",
      paramLabel = "MATCHERS",
      defaultValue = "",
      description = "matchers for every metric of the engine besides the model, for example"
          + " 'namespace=\"prod\"'")
  private String selector;

  @Override
  public Integer call() throws IOException {
    List<RecordReader> records = RunFolder.open(folders);
    List<Objective> objectives = slo.objectives(records);
    List<String> cautions =
        new ArrayList<>(slo.leftOut(records).stream().map(AlertsCommand::leftOut).toList());
    List<DerivationRun> runs = new ArrayList<>();
    List<String> comparedInPart = new ArrayList<>();
    for (RecordReader record : records) {
      Usability usability = Usability.of(Analyzer.analyze(record));
      runs.add(DerivationRun.of(record, usability.isForLatencies()));
      if (usability.isForLatencies() && !usability.isComparedInFull()) {
        comparedInPart.add(record.manifest().runId());
      }
    }
    if (!comparedInPart.isEmpty()) {
      // Others' traffic can hide where an engine does not tell all that both sides should count.
      cautions.add(
          "Used, although the engine's metrics do not allow comparing every count: "
              + String.join(", ", comparedInPart));
    }
    List<AlertReview> reviews = reviews(runs, objectives);
    List<String> files = AlertFiles.write(out, reviews, records.getFirst().manifest().model());
    EarnedAlerts earned = new EarnedAlerts(reviews, out.toString(), files, cautions);
    Answer answer = options.show(earned, out.toString());
    return ExitCode.of(answer.outcome()).number();
  }

  private static String leftOut(Objective objective) {
    return "Left out: " + RuleWords.objective(objective)
        + "; alerts need a histogram of the engine, and take one class of requests for each"
        + " metric";
  }

  private List<AlertReview> reviews(List<DerivationRun> runs, List<Objective> objectives) {
    long seed = runs.getFirst().rows().manifest().seed();
    return Mistake.orSay(
        () ->
            objectives.stream()
                .map(objective -> request(objective, seed))
                .map(
                    request ->
                        AlertReview.of(runs, List.of(), request.among(objectives), objectives))
                .toList());
  }

  private AlertRequest request(Objective objective, long seed) {
    return new AlertRequest(
        objective, grouping, runbookUrl, job, millis("--window", windowSeconds),
        millis("--skip", skipSeconds), millis("--interval", intervalSeconds), seed, availability,
        millis("--keep-firing", keepFiringSeconds), spelling, selector, "");
  }

  private static long millis(String option, double seconds) {
    if (!(seconds >= 0)) {
      throw new Mistake(
          option + " must be >= 0, was " + seconds + " s: write for example 30s");
    }
    return Math.round(seconds * 1000);
  }
}
