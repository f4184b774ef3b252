package tallystick.report;

import org.junit.jupiter.api.Test;
import tallystick.cli.NextLines;
import tallystick.report.screen.Screen;
import tallystick.report.screen.Terminal;

class HistoryScreenTest {
  @Test
  void whatFollowsAHistoryCanBeTyped() {
    NextLines.check(
        Screen.text(
            room -> HistoryScreen.of(EveryPage.history(), "my reports", room), Terminal.PLAIN));
  }
}
