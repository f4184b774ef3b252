package tallystick.cli.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tallystick.analysis.Analyzer;
import tallystick.answer.Answer;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.cli.run.AnswerOptions;
import tallystick.report.AnswerFiles;
import tallystick.report.Reports;
import tallystick.report.RunPair;
import tallystick.runrecord.HowFar;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.WholeFile;

/** Lays two finished runs side by side, or judges repeats of one side by those of another. */
@Command(
    name = "compare",
    description = {
      "Show two recorded runs side by side, without a verdict.",
      "With -- between them, judge the runs after it against those before it: no worse (0),"
          + " regressed (1), too close or likely worse (5), not comparable (4). Five runs each"
          + " are usual.",
      "A baseline saved by regress can take the place of the runs before it."
    })
public final class CompareCommand extends ShellCommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "RUN",
      description = "runs' folders: A B, or A1 A2 A3 -- B1 B2 B3")
  private List<Path> folders;

  @Mixin private CompareVerdict verdict;

  @Mixin private AnswerOptions options;

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
    return border.isPresent() ? judged(border.get()) : sideBySide();
  }

  private int judged(int before) throws IOException {
    requireRuns(folders.subList(before, folders.size()));
    if (before == 0 || before == folders.size()) {
      throw new Mistake("name runs on both sides of --");
    }
    Answer answer =
        verdict.judge(folders.subList(0, before), folders.subList(before, folders.size()));
    String figures = AnswerFiles.json(answer);
    show(answer, AnswerFiles.page(answer), () -> figures);
    verdict.save(answer);
    return verdict.code(answer);
  }

  private int sideBySide() throws IOException {
    if (folders.size() != 2) {
      throw new Mistake("name two runs, or repeats of two sides: A1 A2 A3 -- B1 B2 B3");
    }
    HowFar.ofRuns(2);
    RunPair.Side first = side(folders.getFirst());
    RunPair.Side second = side(folders.getLast());
    Answer answer = new RunPair(first, second).answer(invocation(""));
    show(
        answer, AnswerFiles.page(answer, "Two runs, no verdict."),
        () -> Reports.json(Map.of("a", first.analysis(), "b", second.analysis())));
    return ExitCode.of(answer.outcome()).number();
  }

  private static RunPair.Side side(Path folder) throws IOException {
    RecordReader record = RecordReader.open(folder);
    return new RunPair.Side(folder.toString(), Analyzer.analyze(record), record.settings());
  }

  private void show(Answer answer, String asPage, Supplier<String> asJson) throws IOException {
    options.show(answer, asJson);
    if (markdown != null) {
      WholeFile.writeAsked(markdown, AnswerFiles.markdown(answer));
    }
    if (page != null) {
      WholeFile.writeAsked(page, asPage);
    }
  }

  /** What a shell hands over after {@code --} is taken as it stands. */
  private void requireRuns(List<Path> named) {
    for (Path one : named) {
      if (one.toString().startsWith("--") && !Files.exists(one)) {
        String option = one.toString().split("=", 2)[0];
        if (spec().findOption(option) == null) {
          throw new Mistake("Unknown option: '" + option + "'");
        }
        throw new Mistake("write " + one + " before the runs: only runs may follow --");
      }
    }
  }
}
