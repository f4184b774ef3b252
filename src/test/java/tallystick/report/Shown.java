package tallystick.report;

import java.nio.file.Path;
import java.util.List;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Section;
import tallystick.report.screen.RunOutcome;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;
import tallystick.report.writing.ConsoleWriter;

/** What a terminal shows of a run. */
public final class Shown {
  private static final int WIDTH = 100;

  private Shown() {}

  /** Its first screen. */
  public static String firstScreen(RunAnalysis analysis, Path folder, Terminal terminal) {
    return ScreenWriter.text(
        Reports.answer(analysis, List.of(), folder, false),
        terminal);
  }

  /** Its account, in lines of 100 columns. */
  public static String console(RunAnalysis analysis, Section alerts, boolean colour) {
    return ConsoleWriter.text(RunDocument.of(analysis, alerts), WIDTH, colour);
  }
}
