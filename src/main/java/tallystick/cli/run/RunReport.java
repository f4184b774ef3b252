package tallystick.cli.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tallystick.alerting.FirstRules;
import tallystick.alerting.review.AlertSections;
import tallystick.alerting.review.SteppedRun;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Answer;
import tallystick.answer.Section;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.exit.FailureWords;
import tallystick.cli.option.StrengthOption;
import tallystick.cli.terminal.TerminalWriter;
import tallystick.experiment.RunPlayer;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.FiguresReading;
import tallystick.experiment.regress.KeptFigures;
import tallystick.report.Reports;
import tallystick.report.RunPair;
import tallystick.report.RunsPage;
import tallystick.runrecord.HowFar;
import tallystick.runrecord.RecordReader;

/** From a record on disk to the reports beside it. */
record RunReport(AnswerOptions options, StrengthOption strength) {
  /**
   * Analyses, writes every report, prints what was asked for; the code says how good it is.
   *
   * @param foreignTraffic whether the ledger need not close
   */
  ExitCode write(Path folder, boolean foreignTraffic) throws IOException {
    RecordReader record = RecordReader.open(folder);
    RunPlayer.Read<ComparedRun> read = FiguresReading.analyze(record);
    ExitCode code = show(folder, read.analysis(), foreignTraffic);
    KeptFigures.keep(folder, record, read.result());
    return code;
  }

  /** The same with a run that was healthy, against which signals are called high or stable. */
  ExitCode writeAgainst(Path folder, Path baseline, boolean foreignTraffic)
      throws IOException {
    HowFar.ofRuns(2);
    RecordReader healthy = RecordReader.open(baseline);
    RecordReader record = RecordReader.open(folder);
    RunAnalysis analysis = Analyzer.analyze(record, healthy);
    ExitCode code = show(folder, analysis, foreignTraffic);
    RunPair pair =
        new RunPair(
            new RunPair.Side(
                baseline.toString(), Analyzer.analyze(healthy), healthy.settings()),
            new RunPair.Side(folder.toString(), analysis, record.settings()));
    TerminalWriter.show(options.console(), pair.changed(), false);
    return code;
  }

  private ExitCode show(Path folder, RunAnalysis analysis, boolean foreignTraffic)
      throws IOException {
    PrintWriter console = options.console();
    boolean isVerbose = options.isVerbose();
    Section alerts =
        SteppedRun.review(RecordReader.open(folder), analysis)
            .map(AlertSections::of)
            .orElseGet(() -> FirstRules.section(analysis));
    List<Path> files = List.of();
    Optional<String> unwritten = Optional.empty();
    try {
      files = Reports.writeAll(analysis, alerts, folder);
      list(folder);
    } catch (IOException e) {
      unwritten = Optional.of(FailureWords.of(e));
    }
    List<Section> account =
        isVerbose ? Reports.account(analysis, alerts) : List.of();
    Answer answer = Reports.answer(analysis, account, folder, foreignTraffic);
    TerminalWriter.show(console, answer, isVerbose);
    if (isVerbose && !files.isEmpty()) {
      console.println("Written to " + folder + ":");
      files.forEach(file -> console.println("  " + folder.relativize(file)));
    }
    options.print(() -> Reports.json(analysis));
    return unwritten.isPresent()
        ? without(folder, unwritten.get())
        : ExitCode.of(strength.outcome(answer));
  }

  /** The record is whole, and what it says is on the screen: a report can be written later. */
  private ExitCode without(Path folder, String reason) {
    options.console().println(
        "The reports could not be written: " + reason + "\nThe record is not touched. To write"
            + " them later: ./tally report " + folder);
    return ExitCode.WORLD_FAILED;
  }

  /** Renews the list of the runs beside this one; a run is no worse without it. */
  private void list(Path folder) {
    try {
      RunsPage.renew(folder);
    } catch (IOException e) {
      options.console().println("The list of runs could not be written: " + FailureWords.of(e));
    }
  }
}
