package tallystick.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tallystick.analysis.Analyzer;
import tallystick.analysis.RunAnalysis;
import tallystick.report.RunPair;
import tallystick.runrecord.RecordReader;

/** Lays two finished runs side by side; it gives no verdict. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "Lay two finished runs side by side: settings that differ, ledgers, latencies, brackets.",
      "No verdict: one pair of runs cannot carry one."
    })
final class CompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "A", description = "a run's folder")
  private Path first;

  @Parameters(index = "1", paramLabel = "B", description = "another run's folder")
  private Path second;

  @Option(names = "--markdown", description = "print Markdown instead of text")
  private boolean isMarkdown;

  @Override
  public Integer call() throws IOException {
    RunPair pair = new RunPair(analysis(first), analysis(second));
    String text =
        isMarkdown ? pair.markdown() : pair.text(Boolean.getBoolean("tally.terminal"));
    spec.commandLine().getOut().println(text);
    spec.commandLine().getOut().flush();
    return ExitCode.GOOD.number();
  }

  private static RunAnalysis analysis(Path folder) throws IOException {
    return Analyzer.analyze(RecordReader.open(folder));
  }
}
