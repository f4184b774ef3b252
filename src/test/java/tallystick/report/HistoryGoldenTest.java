package tallystick.report;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.Golden;
import tallystick.history.History;
import tallystick.report.screen.Screen;
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
    String golden = "history/" + kind;
    Golden.assertSame(
        golden + ".txt",
        Screen.text(room -> HistoryScreen.of(history, FOLDER, room), Terminal.PLAIN));
    Golden.assertSame(golden + ".account.txt", HistoryScreen.whole(history, FOLDER, false));
    Golden.assertSame(
        golden + ".html", ComparisonGoldenTest.bare(HistoryScreen.page(history, FOLDER)));
    Golden.assertSame(golden + ".json", Reports.json(history));
  }
}
