package tallystick.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
import tallystick.report.RunPair;
import tallystick.runrecord.RecordReader;

/** Lays two finished runs side by side, or judges repeats of one side by those of another. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "Show two recorded runs side by side, without a verdict.",
      "With -- between them, judge the runs after it by those before it: passed (0),",
      "regressed (1), not proven (5), or not to be compared (4). Five runs each are usual."
    })
final class CompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "2..*",
      paramLabel = "RUN",
      description = "runs' folders: A B, or A1 A2 A3 -- B1 B2 B3")
  private List<Path> folders;

  @Mixin private CompareVerdict verdict;

  @Option(
      names = "--markdown",
      paramLabel = "FILE",
      description = "also write the comparison as Markdown")
  private Path markdown;

  @Override
  public Integer call() throws IOException {
    Optional<Integer> border = verdict.border(folders);
    if (border.isPresent()) {
      int before = border.get();
      if (before == 0 || before == folders.size()) {
        throw new ParameterException(spec.commandLine(), "name runs on both sides of --");
      }
      return verdict
          .judge(
              folders.subList(0, before), folders.subList(before, folders.size()),
              Optional.ofNullable(markdown))
          .number();
    }
    if (folders.size() > 2) {
      throw new ParameterException(
          spec.commandLine(), "which are repeats of one side? Write A1 A2 A3 -- B1 B2 B3");
    }
    RecordReader ours = RecordReader.open(folders.getFirst());
    RecordReader theirs = RecordReader.open(folders.getLast());
    RunPair pair =
        new RunPair(
            Analyzer.analyze(ours), ours.settings(), Analyzer.analyze(theirs), theirs.settings());
    PrintWriter out = spec.commandLine().getOut();
    out.println(pair.text(Boolean.getBoolean("tally.terminal")));
    out.flush();
    if (markdown != null) {
      Files.writeString(markdown, pair.markdown());
    }
    return ExitCode.GOOD.number();
  }
}
