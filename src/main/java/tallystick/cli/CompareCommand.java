package tallystick.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tallystick.analysis.Analyzer;
import tallystick.report.RunPair;
import tallystick.runrecord.RecordReader;

/** Lays two finished runs side by side, without a verdict. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = "Show two recorded runs side by side. Gives no verdict.")
final class CompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "A", description = "a run's folder")
  private Path first;

  @Parameters(index = "1", paramLabel = "B", description = "another run's folder")
  private Path second;

  @Option(
      names = "--markdown",
      paramLabel = "FILE",
      description = "also write the comparison as Markdown")
  private Path markdown;

  @Override
  public Integer call() throws IOException {
    RecordReader ours = RecordReader.open(first);
    RecordReader theirs = RecordReader.open(second);
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
