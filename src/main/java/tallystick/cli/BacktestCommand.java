package tallystick.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.Backtest;
import tallystick.alerting.backtest.BacktestText;
import tallystick.alerting.backtest.RunTimeline;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.Judgement;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.PromqlException;
import tallystick.report.Reports;
import tallystick.runrecord.RecordReader;
import tallystick.scenario.Objective;

/** Says when rules the user has would have fired in recorded runs. */
@Command(
    name = "backtest",
    mixinStandardHelpOptions = true,
    description = "Replay Prometheus rules over recorded runs, against when users suffered.")
final class BacktestCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RULES", description = "a rule file")
  private Path rules;

  @Parameters(index = "1..*", paramLabel = "RUN", arity = "1..*", description = "run folders")
  private List<Path> folders;

  @Mixin private SloOption slo;

  @Option(
      names = "--scrape-interval",
      paramLabel = "SECONDS",
      defaultValue = "15",
      description = "of the Prometheus in question (default: ${DEFAULT-VALUE})")
  private int scrapeSeconds;

  @Option(
      names = "--evaluation-interval",
      paramLabel = "SECONDS",
      defaultValue = "15",
      description = "of groups that name none (default: ${DEFAULT-VALUE})")
  private int evaluationSeconds;

  @Option(names = "--alone", description = "do not derive alerts from the runs to set beside yours")
  private boolean alone;

  @Mixin private JsonOption json;

  private final List<Replay> replays = new ArrayList<>();

  /** How the rules did by one Prometheus, for programs. */
  private record Replay(String prometheus, List<AlertScore> scores) {}

  @Override
  public Integer call() throws IOException {
    RuleFile file = GivenFile.read(spec, rules, RuleFile::read);
    PrintWriter out = spec.commandLine().getOut();
    leftOut(out, file);
    List<RecordReader> runs = RunFolder.open(folders);
    Objective objective = slo.objective(spec, runs);
    for (PrometheusVersion version : PrometheusVersion.values()) {
      out.println();
      out.println("As Prometheus " + version.text() + " would have fired:");
      show(out, file, runs, conditions(objective, version));
    }
    if (!alone) {
      out.println();
      beside(out, runs, objective);
    }
    out.flush();
    json.print(() -> Reports.json(Map.of("rules", rules.toString(), "replays", replays)));
    return ExitCode.GOOD.number();
  }

  /** Names the rules that cannot be replayed; a file of nothing else is the user's mistake. */
  private void leftOut(PrintWriter out, RuleFile file) {
    for (RuleSource rule : file.rules()) {
      rule.fault()
          .ifPresent(
              fault ->
                  out.println(
                      file.file() + ":" + rule.lineOf(fault.offset()) + ": " + rule.name()
                          + " is left out: " + fault.message()));
    }
    if (file.rules().stream().allMatch(rule -> rule.rule().isEmpty())) {
      out.flush();
      throw new ParameterException(
          spec.commandLine(), file.file() + ": no rule of it can be evaluated");
    }
  }

  /** What the same runs give: alerts judged on runs left out where there are enough of them. */
  private static void beside(PrintWriter out, List<RecordReader> runs, Objective objective) {
    AlertReview review;
    try {
      review =
          AlertReview.of(
              runs.stream().map(AlertsCommand::derivationRun).toList(),
              AlertRequest.usual(objective));
    } catch (IllegalArgumentException e) {
      out.println("Beside yours: nothing can be derived, " + e.getMessage());
      return;
    }
    Judgement judgement =
        review.judgements().stream()
            .filter(each -> each.words().equals(AlertReview.RUN_LEFT_OUT))
            .findFirst()
            .orElse(review.judgements().getFirst());
    out.println(
        "Beside yours, alerts derived from these runs, replayed " + judgement.words() + ":");
    out.print(BacktestText.scores(judgement.scores()));
    judgement.notes().forEach(note -> out.println("  " + note));
    for (RefusedAlert refused : review.rules().refusals()) {
      out.println(
          "  refused: %s, %s: %s"
              .formatted(refused.alertName(), refused.code().word(), refused.missing()));
    }
  }

  private Backtest.Conditions conditions(Objective objective, PrometheusVersion version) {
    return new Backtest.Conditions(
        objective, scrapeSeconds * 1000L, evaluationSeconds * 1000L, 0, version, Map.of());
  }

  private void show(
      PrintWriter out, RuleFile file, List<RecordReader> runs, Backtest.Conditions conditions) {
    try {
      List<RunTimeline> timelines =
          runs.stream()
              .map(run -> Backtest.replay(file.evaluable(), run, conditions))
              .toList();
      out.print(BacktestText.withoutSeries(timelines));
      out.print(BacktestText.timelines(timelines));
      out.println();
      List<AlertScore> scores = Backtest.scores(file.evaluable(), timelines);
      replays.add(new Replay(conditions.version().text(), scores));
      out.print(BacktestText.scores(scores));
    } catch (PromqlException e) {
      throw new ParameterException(
          spec.commandLine(), file.file() + ": a rule cannot be evaluated: " + e.getMessage());
    }
  }
}
