package tallystick.cli.alerting;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.alerting.backtest.Backtest;
import tallystick.alerting.backtest.Backtested;
import tallystick.alerting.backtest.Backtested.Replay;
import tallystick.alerting.backtest.RunTimeline;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.review.AlertSections;
import tallystick.analysis.Analyzer;
import tallystick.answer.Section;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.GivenFile;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.cli.run.AnswerOptions;
import tallystick.cli.run.RunFolder;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.PromqlException;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RecordReader;
import tallystick.scenario.Objective;
import tallystick.scenario.PlainText;

/** Says when rules the user has would have fired in recorded runs. */
@Command(
    name = "backtest",
    description = "Replay Prometheus rules over recorded runs, and compare with when users"
        + " suffered. Ends with 0 whatever it finds: watch is the gate.")
public final class BacktestCommand extends ShellCommand {
  private static final double SHORTEST = 0.1;

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
      description = "scrape interval of that Prometheus (default: ${DEFAULT-VALUE})")
  private double scrapeSeconds;

  @Option(
      names = "--evaluation-interval",
      paramLabel = "TIME",
      converter = GivenTime.class,
      defaultValue = "15s",
      description = "evaluation interval of groups that set none (default: ${DEFAULT-VALUE})")
  private double evaluationSeconds;

  @Option(
      names = "--alone",
      description = "with --verbose: do not also derive alerts from the runs for comparison")
  private boolean alone;

  @Mixin private AnswerOptions options;

  @Override
  public Integer call() throws IOException {
    if (!(scrapeSeconds >= SHORTEST && evaluationSeconds >= SHORTEST)) {
      throw new Mistake("an interval must be " + SHORTEST + " s or longer");
    }
    checkOrder();
    RuleFile file = GivenFile.read(rules, RuleFile::read);
    List<String> leftOut = leftOut(file);
    List<RecordReader> runs = RunFolder.open(folders);
    Objective objective = slo.objectives(runs).getFirst();
    List<Replay> replays = new ArrayList<>();
    for (PrometheusVersion version : PrometheusVersion.values()) {
      replays.add(replay(file, runs, conditions(objective, version)));
    }
    boolean isBeside = options.isVerbose() && !alone;
    Backtested backtested =
        new Backtested(
            rules.toString(), folders.getFirst().toString(), leftOut,
            runs.stream().anyMatch(run -> run.manifest().source().isSimulated()),
            runs.stream()
                .map(RecordReader::manifest)
                .filter(manifest -> !manifest.isComplete())
                .map(Manifest::runId)
                .collect(Collectors.toSet()),
            replays, isBeside ? List.of(beside(runs, objective)) : List.of());
    return ExitCode.of(options.show(backtested, "").outcome()).number();
  }

  private static Section beside(List<RecordReader> runs, Objective objective) {
    return AlertSections.beside(
        runs.stream().map(run -> DerivationRun.of(run, Analyzer.analyze(run))).toList(),
        objective);
  }

  /** The other commands take the run first; what was meant is then plain. */
  private void checkOrder() {
    Path last = folders.getLast();
    if (Files.isDirectory(rules) && Files.isRegularFile(last)) {
      throw new Mistake(
          rules + " is a folder: the rules come first: ./tally backtest "
              + PlainText.argument(last) + " " + PlainText.argument(rules));
    }
  }

  /** The rules that cannot be evaluated; a file of nothing else is the user's mistake. */
  static List<String> leftOut(RuleFile file) {
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
      throw new Mistake(String.join("\n", faults));
    }
    return faults;
  }

  private Backtest.Conditions conditions(Objective objective, PrometheusVersion version) {
    return new Backtest.Conditions(
        objective, Math.round(scrapeSeconds * 1000), Math.round(evaluationSeconds * 1000),
        version, Map.of());
  }

  private Replay replay(
      RuleFile file, List<RecordReader> runs, Backtest.Conditions conditions) {
    try {
      List<RunTimeline> timelines =
          runs.stream()
              .map(run -> Backtest.replay(file.evaluable(), run, conditions))
              .toList();
      return new Replay(
          conditions.version(), timelines, Backtest.scores(file.evaluable(), timelines));
    } catch (PromqlException e) {
      throw new Mistake(file.file() + ": a rule cannot be evaluated: " + e.getMessage());
    }
  }
}
