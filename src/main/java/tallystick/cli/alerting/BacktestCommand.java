package tallystick.cli.alerting;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
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
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.Judgement;
import tallystick.analysis.Analyzer;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.GivenFile;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Verbosity;
import tallystick.cli.run.RunFolder;
import tallystick.cli.terminal.TerminalWriter;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.PromqlException;
import tallystick.report.Reports;
import tallystick.report.screen.BacktestScreen;
import tallystick.runrecord.RecordReader;
import tallystick.scenario.LengthOfTime;
import tallystick.scenario.Objective;
import tallystick.scenario.PlainText;

/** Says when rules the user has would have fired in recorded runs. */
@Command(
    name = "backtest",
    mixinStandardHelpOptions = true,
    description = "Replay Prometheus rules over recorded runs, against when users suffered.")
public final class BacktestCommand implements Callable<Integer> {
  private static final double SHORTEST = 0.1;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "RULES", description = "a rule file")
  private Path rules;

  @Parameters(index = "1..*", paramLabel = "RUN", arity = "1..*", description = "run folders")
  private List<Path> folders;

  @Mixin private SloOption slo;

  @Option(
      names = "--scrape-interval",
      paramLabel = "TIME",
      converter = GivenTime.class,
      defaultValue = "15s",
      description = "of the Prometheus in question (default: ${DEFAULT-VALUE})")
  private double scrapeSeconds;

  @Option(
      names = "--evaluation-interval",
      paramLabel = "TIME",
      converter = GivenTime.class,
      defaultValue = "15s",
      description = "of groups that name none (default: ${DEFAULT-VALUE})")
  private double evaluationSeconds;

  @Option(
      names = "--alone",
      description = "with --verbose: do not derive alerts from the runs to set beside yours")
  private boolean alone;

  @Mixin private Verbosity verbosity;

  @Mixin private JsonOption json;

  /** What one version of Prometheus would have done. */
  private record Replayed(
      PrometheusVersion version, List<RunTimeline> runs, List<AlertScore> scores) {}

  /** The same for programs. */
  private record Replay(String prometheus, List<AlertScore> scores) {}

  @Override
  public Integer call() throws IOException {
    if (!(scrapeSeconds >= SHORTEST && evaluationSeconds >= SHORTEST)) {
      throw new ParameterException(
          spec.commandLine(), "an interval must be " + SHORTEST + " s or longer");
    }
    checkOrder();
    RuleFile file = GivenFile.read(spec, rules, RuleFile::read);
    List<String> leftOut = leftOut(file);
    List<RecordReader> runs = RunFolder.open(folders);
    Objective objective = slo.objectives(spec, runs).getFirst();
    List<Replayed> replayed = new ArrayList<>();
    for (PrometheusVersion version : PrometheusVersion.values()) {
      replayed.add(replay(file, runs, conditions(objective, version)));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (verbosity.isVerbose()) {
      leftOut.forEach(out::println);
      replayed.forEach(each -> show(out, each));
      if (!alone) {
        out.println();
        beside(out, runs, objective);
      }
    } else {
      screen(out, replayed, cautions(leftOut, runs, replayed));
    }
    out.flush();
    json.print(() -> document(leftOut, replayed));
    return ExitCode.GOOD.number();
  }

  private String document(List<String> leftOut, List<Replayed> replayed) {
    List<Replay> replays =
        replayed.stream().map(each -> new Replay(each.version().text(), each.scores())).toList();
    return Reports.json(
        Map.of("rules", rules.toString(), "left_out", leftOut, "replays", replays));
  }

  /** The other commands take the run first; what was meant is then plain. */
  private void checkOrder() {
    Path last = folders.getLast();
    if (Files.isDirectory(rules) && Files.isRegularFile(last)) {
      throw new ParameterException(
          spec.commandLine(),
          rules + " is a folder: the rules come first: ./tally backtest "
              + PlainText.argument(last) + " " + PlainText.argument(rules));
    }
  }

  /** The rules that cannot be replayed; a file of nothing else is the user's mistake. */
  private List<String> leftOut(RuleFile file) {
    List<String> faults = new ArrayList<>();
    for (RuleSource rule : file.rules()) {
      rule.fault()
          .ifPresent(
              fault ->
                  faults.add(
                      file.file() + ":" + rule.lineOf(fault.offset()) + ": " + rule.name()
                          + " is left out: " + fault.message()));
    }
    if (file.rules().stream().allMatch(rule -> rule.rule().isEmpty())) {
      faults.add(file.file() + ": no rule of it can be evaluated");
      throw new ParameterException(spec.commandLine(), String.join("\n", faults));
    }
    return faults;
  }

  private void screen(PrintWriter out, List<Replayed> replayed, List<String> cautions) {
    Replayed newest = replayed.getLast();
    BacktestScreen screen = new BacktestScreen(newest.runs(), newest.scores());
    String file = rules.toString();
    TerminalWriter.show(
        out,
        room ->
            screen
                .of(file, cautions, room)
                .next(
                    "./tally backtest " + PlainText.argument(file) + " "
                        + PlainText.argument(folders.getFirst())
                        + " --verbose  # every firing",
                    "./tally lint " + PlainText.argument(file) + " --run "
                        + PlainText.argument(folders.getFirst())));
  }

  private static List<String> cautions(
      List<String> leftOut, List<RecordReader> runs, List<Replayed> replayed) {
    List<String> cautions = new ArrayList<>();
    if (runs.stream().anyMatch(run -> run.manifest().source().isSimulated())) {
      cautions.add("simulated engine: a rehearsal, no figure is a real server's");
    }
    for (int i = 0; i < runs.size(); i++) {
      if (!runs.get(i).manifest().isComplete()) {
        RunTimeline told = replayed.getLast().runs().get(i);
        cautions.add(
            runs.get(i).manifest().runId() + " did not reach its planned end: told of its first "
                + LengthOfTime.words((told.endMillis() - told.startMillis()) / 1e3));
      }
    }
    List<AlertScore> older = replayed.getFirst().scores();
    List<String> unlike =
        replayed.getLast().scores().stream()
            .filter(score -> !older.contains(score))
            .map(AlertScore::alert)
            .toList();
    if (!unlike.isEmpty()) {
      cautions.add(
          "below is Prometheus " + replayed.getLast().version().text() + "; "
              + replayed.getFirst().version().text() + " would fire otherwise: "
              + String.join(", ", unlike));
    }
    cautions.addAll(leftOut);
    return cautions;
  }

  /** What the same runs give: alerts judged on runs left out where there are enough of them. */
  private static void beside(PrintWriter out, List<RecordReader> runs, Objective objective) {
    AlertReview review;
    try {
      review =
          AlertReview.of(
              runs.stream()
                  .map(run -> DerivationRun.of(run, Analyzer.analyze(run)))
                  .toList(),
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
              .formatted(refused.alertName(), refused.code().full(), refused.missing()));
    }
  }

  private Backtest.Conditions conditions(Objective objective, PrometheusVersion version) {
    return new Backtest.Conditions(
        objective, Math.round(scrapeSeconds * 1000), Math.round(evaluationSeconds * 1000), 0,
        version, Map.of());
  }

  private Replayed replay(
      RuleFile file, List<RecordReader> runs, Backtest.Conditions conditions) {
    try {
      List<RunTimeline> timelines =
          runs.stream()
              .map(run -> Backtest.replay(file.evaluable(), run, conditions))
              .toList();
      return new Replayed(
          conditions.version(), timelines, Backtest.scores(file.evaluable(), timelines));
    } catch (PromqlException e) {
      throw new ParameterException(
          spec.commandLine(), file.file() + ": a rule cannot be evaluated: " + e.getMessage());
    }
  }

  private static void show(PrintWriter out, Replayed replayed) {
    out.println();
    out.println("As Prometheus " + replayed.version().text() + " would have fired:");
    out.print(BacktestText.withoutSeries(replayed.runs()));
    out.print(BacktestText.timelines(replayed.runs()));
    out.println();
    out.print(BacktestText.scores(replayed.scores()));
  }
}
