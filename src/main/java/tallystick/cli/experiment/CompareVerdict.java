package tallystick.cli.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tallystick.answer.Answer;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.GivenFile;
import tallystick.cli.option.StrengthOption;
import tallystick.cli.option.TypedCommand;
import tallystick.experiment.regress.BaselineVariance;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.ComparisonAnswer;
import tallystick.experiment.regress.JsonInputFile;
import tallystick.experiment.regress.KeptFigures;
import tallystick.experiment.regress.Purpose;
import tallystick.experiment.regress.RegressReport;
import tallystick.experiment.regress.RegressionJudge;
import tallystick.report.AnswerFiles;
import tallystick.runrecord.HowFar;

/** The verdict on recorded repeats: those named before {@code --} against those after it. */
final class CompareVerdict {
  private static final String BORDER = "--";

  /** Of a verdict, whichever command gave it. */
  private static final String PAGE = "regress.html";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private MarginOptions margins;

  @Mixin private StrengthOption strength;

  @Option(
      names = "--save",
      paramLabel = "FOLDER",
      description = "write comparison.json, summary.md, junit.xml and the page of a verdict there")
  private Path folder = Path.of("");

  /** How many of the folders stand before the border; empty where there is none. */
  Optional<Integer> border(List<Path> folders) {
    List<String> typed = spec.commandLine().getParseResult().originalArgs();
    int border = typed.indexOf(BORDER);
    return border < 0
        ? Optional.empty()
        : Optional.of(folders.size() - (typed.size() - border - 1));
  }

  /** Judges runs of one side by runs of the other. */
  Answer judge(List<Path> base, List<Path> candidate) throws IOException {
    HowFar.ofRuns((isBaseline(base) ? 0 : base.size()) + candidate.size());
    RegressionJudge.Runs runs =
        RegressionJudge.Runs.recorded(
            isBaseline(base)
                ? GivenFile.read(base.getFirst(), JsonInputFile::baseline).runs()
                : figures(base),
            figures(candidate));
    Optional<BaselineVariance> noise =
        margins.noise().filter(one -> one.likeness().equals(runs.base().getFirst().likeness()));
    RegressReport report =
        new RegressReport(
            "compare", runs.base().getFirst().scenario(), names(base), names(candidate), 0, "", 0,
            RegressionJudge.judge(runs, margins.margins(), noise),
            noise.map(one -> one.pairs() + " A/A pairs of " + one.measuredUtc()).orElse(""),
            cautions(isBaseline(base), runs), runs.base(), runs.candidate(),
            Purpose.COMPARE, "");
    return new ComparisonAnswer(report)
        .answer(TypedCommand.invocation(spec, folder.toString()));
  }

  /** What it comes to. */
  int code(Answer answer) {
    return ExitCode.of(strength.outcome(answer)).number();
  }

  /** Keeps a verdict in the folder that was asked for, if one was. */
  void save(Answer answer) throws IOException {
    if (!folder.toString().isEmpty()) {
      Files.createDirectories(folder);
      AnswerFiles.write(answer, folder, Clock.systemUTC().instant().toString(), PAGE);
    }
  }

  /** Nobody took turns: the verdict cannot tell an engine from a machine that changed. */
  private static List<String> cautions(boolean isFile, RegressionJudge.Runs runs) {
    if (isFile) {
      return List.of(RegressReport.BASE_OF_A_FILE);
    }
    return runs.isOneAfterTheOther()
        ? List.of(
            "one side was over before the other began: a change of the machine in between is part"
                + " of the difference; ./tally regress plays both in turn")
        : List.of();
  }

  /** Whether the base is a file of figures, and not folders of runs. */
  private static boolean isBaseline(List<Path> base) {
    return base.size() == 1 && Files.isRegularFile(base.getFirst());
  }

  private static List<ComparedRun> figures(List<Path> folders) throws IOException {
    List<ComparedRun> all = new ArrayList<>();
    for (Path folder : folders) {
      all.add(KeptFigures.of(folder));
    }
    return all;
  }

  private static String names(List<Path> folders) {
    String first = folders.getFirst().getFileName().toString();
    return folders.size() == 1 ? first : first + " and " + (folders.size() - 1) + " more";
  }
}
