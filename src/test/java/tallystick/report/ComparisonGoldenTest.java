package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.Golden;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Invocation;
import tallystick.experiment.regress.ComparisonAnswer;
import tallystick.experiment.regress.Purpose;
import tallystick.experiment.regress.RegressReport;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;

/** What a comparison of each kind says, on the terminal and in each of its files. */
class ComparisonGoldenTest {
  @TempDir private Path top;

  static Stream<String> kinds() {
    return MadeComparisons.all().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void saysWhatItSaid(String kind) throws IOException {
    Answer answer = MadeComparisons.answer(kind);
    AgreedAnswer.check(answer);
    Path folder = Files.createDirectory(top.resolve("made-regress-1"));
    AnswerFiles.write(answer, folder, "2026-01-01T01:00:00Z", "regress.html");
    String golden = "compare/" + kind;
    Golden.assertSame(golden + ".txt", ScreenWriter.text(answer, Terminal.PLAIN));
    Golden.assertSame(golden + ".md", read(folder, "summary.md"));
    Golden.assertSame(golden + ".html", read(folder, "regress.html"));
    Golden.assertSame(golden + ".junit.xml", read(folder, "junit.xml"));
    Golden.assertSame(golden + ".answers.json", read(folder, "answers.json"));
    Golden.assertSame(golden + ".json", read(folder, "comparison.json"));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void comesToWhatItsNameSays(String kind) {
    RegressReport report = MadeComparisons.all().get(kind);
    AnswerStatus outcome = MadeComparisons.answer(kind).outcome();
    AnswerStatus ofEqualRuns =
        new ComparisonAnswer(calibrated(report)).answer(new Invocation(List.of(), "")).outcome();
    String begins = kind.split("-")[0];
    assertThat(outcome)
        .isEqualTo(
            switch (begins) {
              case "passed", "closed", "unpaired", "both" -> AnswerStatus.GOOD;
              case "regressed", "overloaded", "lost", "died" -> AnswerStatus.FAILS;
              case "likely", "too", "with" -> AnswerStatus.TOO_CLOSE;
              case "unlike" -> AnswerStatus.NOT_TRUSTED;
              default -> kind.equals("base-alone") ? AnswerStatus.GOOD : AnswerStatus.NOT_TRUSTED;
            });
    assertThat(ofEqualRuns)
        .isEqualTo(
            outcome == AnswerStatus.GOOD || outcome == AnswerStatus.TOO_CLOSE
                ? AnswerStatus.GOOD
                : AnswerStatus.NOT_TRUSTED);
  }

  private static RegressReport calibrated(RegressReport report) {
    return new RegressReport(
        report.command(), report.title(), report.base(), report.candidate(), report.repeats(),
        report.time(), report.pairSeconds(), report.regression(), report.noise(),
        report.cautions(), report.baseRuns(), report.candidateRuns(), Purpose.CALIBRATE,
        report.died());
  }

  private static String read(Path folder, String file) throws IOException {
    return Files.readString(folder.resolve(file));
  }
}
