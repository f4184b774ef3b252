package tallystick.experiment.capacity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.Golden;
import tallystick.answer.Answer;
import tallystick.cli.exit.ExitCode;
import tallystick.report.AgreedAnswer;
import tallystick.report.AnswerFiles;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;

/** What every end of a search says: screen, files, and exit code. */
class CapacityGoldenTest {
  private static Map<String, CapacityEnd> ends;

  @TempDir private Path top;

  @BeforeAll
  static void makeEnds() {
    ends = MadeEnds.all();
  }

  static Set<String> names() {
    return MadeEnds.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyEndSaysTheSameAsBefore(String name) throws IOException {
    Answer answer = ends.get(name).answer(MadeEnds.TYPED);
    AgreedAnswer.check(answer);
    Golden.assertSame("capacity/" + name + ".txt", ScreenWriter.text(answer, Terminal.PLAIN));
    Path folder = Files.createDirectories(top.resolve("chat-capacity-1"));
    AnswerFiles.write(answer, folder, "2026-01-01T12:00:00Z");
    Map<String, String> files =
        Map.of(
            "capacity.html", ".html", "answers.json", ".answers.json", "capacity.json", ".json",
            "summary.md", ".md", "junit.xml", ".junit.xml");
    for (Map.Entry<String, String> file : files.entrySet()) {
      Golden.assertSame(
          "capacity/" + name + file.getValue(), Files.readString(folder.resolve(file.getKey())));
    }
  }

  @Test
  void everyEndHasItsExitCode() {
    StringBuilder codes = new StringBuilder();
    ends.forEach(
        (name, end) ->
            codes.append(name).append(' ')
                .append(ExitCode.of(end.answer(MadeEnds.TYPED).outcome()).number()).append('\n'));
    Golden.assertSame("capacity/exit-codes.txt", codes.toString());
  }
}
