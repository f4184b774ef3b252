package tallystick.cli.experiment;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.RunAnalysis;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Verbosity;
import tallystick.cli.terminal.TerminalWriter;
import tallystick.report.Reports;
import tallystick.report.RunPair;
import tallystick.runrecord.RecordReader;

/** Lays two finished runs side by side, or judges repeats of one side by those of another. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "Show two recorded runs side by side, without a verdict.",
      "With -- between them, judge the runs after it by those before it: passed (0),",
      "regressed (1), not proven (5), or not to be compared (4). Five runs each are usual.",
      "Instead of runs, a baseline that regress saved may stand before it."
    })
public final class CompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN",
      description = "runs' folders: A B, or A1 A2 A3 -- B1 B2 B3")
  private List<Path> folders;

  @Mixin private CompareVerdict verdict;

  @Mixin private Verbosity verbosity;

  @Mixin private JsonOption json;

  @Option(
      names = "--markdown",
      paramLabel = "FILE",
      description = "also write the comparison as Markdown")
  private Path markdown;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "also write the comparison as a page")
  private Path page;

  @Override
  public Integer call() throws IOException {
    Optional<Integer> border = verdict.border(folders);
    if (border.isPresent()) {
      int before = border.get();
      requireRuns(folders.subList(before, folders.size()));
      if (before == 0 || before == folders.size()) {
        throw new ParameterException(spec.commandLine(), "name runs on both sides of --");
      }
      return verdict
          .judge(
              folders.subList(0, before), folders.subList(before, folders.size()),
              files(), json)
          .number();
    }
    if (folders.size() != 2) {
      throw new ParameterException(
          spec.commandLine(), "name two runs, or repeats of two sides: A1 A2 A3 -- B1 B2 B3");
    }
    RecordReader ours = RecordReader.open(folders.getFirst());
    RecordReader theirs = RecordReader.open(folders.getLast());
    RunAnalysis first = Analyzer.analyze(ours);
    RunAnalysis second = Analyzer.analyze(theirs);
    RunPair pair = new RunPair(first, ours.settings(), second, theirs.settings());
    List<String> named = folders.stream().map(Path::toString).toList();
    PrintWriter out = spec.commandLine().getOut();
    if (verbosity.isVerbose()) {
      out.println(pair.text(Boolean.getBoolean("tally.terminal")));
      out.flush();
    } else {
      TerminalWriter.show(out, room -> pair.screen(named, room));
    }
    json.print(() -> Reports.json(Map.of("a", first, "b", second)));
    files().write(pair::markdown, () -> pair.page(named));
    return ExitCode.GOOD.number();
  }

  /** What a shell hands over after {@code --} is taken as it stands. */
  private void requireRuns(List<Path> named) {
    for (Path one : named) {
      if (one.toString().startsWith("--") && !Files.exists(one)) {
        String option = one.toString().split("=", 2)[0];
        if (spec.findOption(option) == null) {
          throw new ParameterException(spec.commandLine(), "Unknown option: '" + option + "'");
        }
        throw new ParameterException(
            spec.commandLine(), "write " + one + " before the runs: after -- stand runs alone");
      }
    }
  }

  private CompareVerdict.Renderings files() {
    return new CompareVerdict.Renderings(
        Optional.ofNullable(markdown), Optional.ofNullable(page));
  }
}
