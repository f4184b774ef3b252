package tallystick.experiment.study;

import java.util.List;
import tallystick.answer.Answer;
import tallystick.answer.Invocation;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;

/** What a study says to somebody who typed a short command. */
final class SaidStudy {
  private static final Invocation ASKED =
      new Invocation(
          List.of(
              new Invocation.Word("", "study"), new Invocation.Word("", "chat.yaml"),
              new Invocation.Word("--seed", "--seed 5")),
          "FOLDER");

  private SaidStudy() {}

  static Answer of(FinishedStudy study) {
    return study.answer(ASKED);
  }

  static String screen(FinishedStudy study) {
    return ScreenWriter.text(of(study), new Terminal(false, Terminal.USUAL_COLUMNS));
  }

  /** The first screen in one line. */
  static String words(FinishedStudy study) {
    return screen(study).replaceAll("\\s+", " ");
  }
}
