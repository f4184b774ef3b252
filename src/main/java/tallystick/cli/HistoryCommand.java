package tallystick.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tallystick.answer.Answer;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.cli.run.AnswerOptions;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.history.History;
import tallystick.history.HistoryAnswer;
import tallystick.history.HistoryReading;
import tallystick.report.AnswerFiles;
import tallystick.report.Reports;
import tallystick.runrecord.WholeFile;

/** Shows recorded runs in order of time, and where a metric changed its level. */
@Command(
    name = "history",
    description = {
      "List the runs below a folder and find where a metric's level changed and stayed changed.",
      "Runs with another machine, mix or engine setting form another series. Runs that cannot be"
          + " trusted are left out and counted. One run is one observation."
    })
final class HistoryCommand extends ShellCommand {
  private static final int MOST_METRICS = 4;

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      defaultValue = "reports",
      description = "a folder of runs (default: ${DEFAULT-VALUE})")
  private Path folder;

  @Option(
      names = "--metric",
      paramLabel = "METRIC",
      defaultValue = "ttft_p95",
      description = "what to follow, up to four (default: ${DEFAULT-VALUE})")
  private List<String> metrics;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "also write a page that draws each metric over the runs")
  private Path page;

  @Mixin private AnswerOptions options;

  @Override
  public Integer call() throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new Mistake(folder + " is not a folder; ./tally run leaves its runs in reports");
    }
    History history = HistoryReading.of(folder, metrics());
    if (history.series().isEmpty() && history.leftOut().isEmpty()) {
      throw new Mistake(
          "there is no run below " + folder + "; ./tally run scenarios/quickstart.yaml makes one");
    }
    Answer answer = new HistoryAnswer(history).answer(invocation(folder.toString()));
    options.show(answer, () -> Reports.json(history));
    if (page != null) {
      WholeFile.writeAsked(page, AnswerFiles.page(answer, "One run is one observation."));
    }
    return ExitCode.of(answer.outcome()).number();
  }

  private List<ComparedMetric> metrics() {
    List<ComparedMetric> all =
        Mistake.orSay(() -> metrics.stream().map(ComparedMetric::of).distinct().toList());
    if (all.size() > MOST_METRICS) {
      throw new Mistake("follow at most " + MOST_METRICS + " metrics, was " + all.size());
    }
    return all;
  }
}
