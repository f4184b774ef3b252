package tallystick.experiment.tune;

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
import tallystick.report.screen.ScreenWriter;

/** All that a tuning says, in each of its ends. */
class TuneGoldenTest {
  @TempDir private Path folder;

  private static Set<String> ends() {
    return MadeTuning.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("ends")
  void saysWhatItSaid(String name) throws Exception {
    Answer answer = SaidTuning.of(MadeTuning.all().get(name));
    AgreedAnswer.check(answer);
    NextLines.check(ScreenWriter.text(answer, SaidTuning.TERMINAL).strip() + "\n");
    Path here = Files.createDirectory(folder.resolve("chat-tune"));
    AnswerFiles.write(answer, here, "2026-01-01T12:00:00Z");

    keep(name + ".code.txt", "" + ExitCode.of(answer.outcome()).number());
    keep(name + ".txt", ScreenWriter.text(answer, SaidTuning.TERMINAL));
    keep(name + ".account.txt", ScreenWriter.withAccount(answer, SaidTuning.TERMINAL));
    keep(name + ".page.txt", words(read("tune.html")));
    keep(name + ".json", read("tune.json"));
    keep(name + ".answers.json", read("answers.json"));
  }

  private String read(String file) throws IOException {
    return Files.readString(folder.resolve("chat-tune").resolve(file));
  }

  private static void keep(String file, String said) {
    Golden.assertSame("tune/" + file, said);
  }

  /** A page without its style, its scripts and its tags, one sentence or cell in a line. */
  private static String words(String html) {
    return html
        .replaceAll("(?s)<(style|script)\\b.*?</\\1>", " ")
        .replaceAll("<[^>]*>", "\n")
        .replaceAll("\\s*\n\\s*", "\n");
  }
}
