package tallystick.cli.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tallystick.alerting.FirstRules;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.AlertSections;
import tallystick.alerting.review.SteppedRun;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Answer;
import tallystick.answer.Section;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.exit.FailureWords;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.StrengthOption;
import tallystick.cli.option.Verbosity;
import tallystick.cli.terminal.TerminalWriter;
import tallystick.report.Reports;
import tallystick.report.RunPair;
import tallystick.report.RunsPage;
import tallystick.runrecord.RecordReader;

/** From a record on disk to the reports beside it. */
final class RunReport {
  private final Path folder;
  private final PrintWriter console;
  private final boolean isVerbose;
  private final JsonOption json;
  private final StrengthOption strength;

  RunReport(
      Path folder, PrintWriter console, Verbosity verbosity, JsonOption json,
      StrengthOption strength) {
    this.folder = folder;
    this.console = console;
    this.isVerbose = verbosity.isVerbose();
    this.json = json;
    this.strength = strength;
  }

  /**
   * Analyses, writes every report, prints what was asked for; the code says how good it is.
   *
   * @param foreignTraffic whether the ledger need not close
   */
  ExitCode write(boolean foreignTraffic) throws IOException {
    return show(Analyzer.analyze(RecordReader.open(folder)), foreignTraffic);
  }

  /** The same with a run that was healthy, against which signals are called high or stable. */
  ExitCode writeAgainst(Path baseline, boolean foreignTraffic) throws IOException {
    RecordReader healthy = RecordReader.open(baseline);
    RecordReader record = RecordReader.open(folder);
    RunAnalysis analysis = Analyzer.analyze(record, healthy);
    ExitCode code = show(analysis, foreignTraffic);
    RunPair pair =
        new RunPair(
            new RunPair.Side(
                baseline.toString(), Analyzer.analyze(healthy), healthy.settings()),
            new RunPair.Side(folder.toString(), analysis, record.settings()));
    TerminalWriter.show(console, pair.changed(), false);
    return code;
  }

  private ExitCode show(RunAnalysis analysis, boolean foreignTraffic) throws IOException {
    Optional<AlertReview> review = SteppedRun.review(RecordReader.open(folder), analysis);
    Section alerts = review.map(AlertSections::of).orElseGet(() -> FirstRules.section(analysis));
    List<Path> files = List.of();
    Optional<String> unwritten = Optional.empty();
    try {
      files = Reports.writeAll(analysis, alerts, folder);
      list();
    } catch (IOException e) {
      unwritten = Optional.of(FailureWords.of(e));
    }
    List<Section> account =
        isVerbose
            ? Reports.account(
                analysis,
                review.map(found -> SteppedRun.onTerminal(found, alerts)).orElse(alerts))
            : List.of();
    Answer answer = Reports.answer(analysis, account, folder, foreignTraffic);
    TerminalWriter.show(console, answer, isVerbose);
    if (isVerbose) {
      if (!files.isEmpty()) {
        console.println("Written to " + folder + ":");
        files.forEach(file -> console.println("  " + folder.relativize(file)));
      }
      console.flush();
    }
    json.print(() -> Reports.json(analysis));
    return unwritten.isPresent()
        ? without(unwritten.get())
        : ExitCode.of(strength.outcome(answer));
  }

  /** The record is whole, and what it says is on the screen: a report can be written later. */
  private ExitCode without(String reason) {
    console.println(
        "The reports could not be written: " + reason + "\nThe record is not touched. To write"
            + " them later: ./tally report " + folder);
    console.flush();
    return ExitCode.WORLD_FAILED;
  }

  /** Renews the list of the runs beside this one; a run is no worse without it. */
  private void list() {
    try {
      RunsPage.renew(folder);
    } catch (IOException e) {
      console.println("The list of runs could not be written: " + FailureWords.of(e));
    }
  }
}
