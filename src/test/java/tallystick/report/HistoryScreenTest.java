package tallystick.report;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.answer.Invocation;
import tallystick.cli.NextLines;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;

class HistoryScreenTest {
  @Test
  void whatFollowsAHistoryCanBeTyped() {
    NextLines.check(
        ScreenWriter.text(
            EveryPage.history().answer(new Invocation(List.of(), "my reports")), Terminal.PLAIN));
  }
}
