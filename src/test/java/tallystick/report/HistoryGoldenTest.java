package tallystick.report;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.Golden;
import tallystick.answer.Answer;
import tallystick.answer.Invocation;
import tallystick.history.History;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;

/** What a history of each kind says, on the terminal, as a page and for programs. */
class HistoryGoldenTest {
  private static final String FOLDER = "my reports";

  static Stream<String> kinds() {
    return MadeHistories.all().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void saysWhatItSaid(String kind) {
    History history = MadeHistories.all().get(kind);
    Answer answer = history.answer(new Invocation(List.of(), FOLDER));
    String golden = "history/" + kind;
    Golden.assertSame(golden + ".txt", ScreenWriter.text(answer, Terminal.PLAIN));
    Golden.assertSame(
        golden + ".account.txt", ScreenWriter.withAccount(answer, new Terminal(false, 100)));
    Golden.assertSame(
        golden + ".html", AnswerFiles.page(answer, "One run is one observation."));
    Golden.assertSame(golden + ".json", Reports.json(history));
  }
}
