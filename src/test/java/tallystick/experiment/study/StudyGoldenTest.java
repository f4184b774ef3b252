package tallystick.experiment.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.Golden;
import tallystick.answer.Answer;
import tallystick.cli.NextLines;
import tallystick.cli.exit.ExitCode;
import tallystick.report.AgreedAnswer;
import tallystick.report.AnswerFiles;

/** All that a study says, in each of its ends. */
class StudyGoldenTest {
  @TempDir private Path folder;

  private static Set<String> ends() {
    return MadeStudies.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("ends")
  void saysWhatItSaid(String name) throws Exception {
    FinishedStudy study = MadeStudies.all().get(name);
    Answer answer = SaidStudy.of(study);
    AgreedAnswer.check(answer);
    NextLines.check(SaidStudy.screen(study).strip() + "\n");
    Path here = Files.createDirectory(folder.resolve("chat-study"));
    AnswerFiles.write(answer, here, "2026-01-01T12:00:00Z");

    keep(name + ".code.txt", "" + ExitCode.of(answer.outcome()).number());
    keep(name + ".txt", SaidStudy.screen(study));
    keep(name + ".summary.md", read("summary.md"));
    keep(name + ".page.txt", words(read("study.html")));
    keep(name + ".json", read("study.json"));
    keep(name + ".answers.json", read("answers.json"));
  }

  private String read(String file) throws IOException {
    return Files.readString(folder.resolve("chat-study").resolve(file));
  }

  private static void keep(String file, String said) {
    Golden.assertSame("study/" + file, said);
  }

  /** A page without its style, its scripts and its tags, one sentence or cell in a line. */
  private static String words(String html) {
    return html
        .replaceAll("(?s)<(style|script)\\b.*?</\\1>", " ")
        .replaceAll("<[^>]*>", "\n")
        .replaceAll("\\s*\n\\s*", "\n");
  }
}
