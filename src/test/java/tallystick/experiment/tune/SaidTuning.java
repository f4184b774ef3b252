package tallystick.experiment.tune;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import tallystick.answer.Answer;
import tallystick.answer.Invocation;
import tallystick.report.AnswerFiles;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;

/** What a tuning says to somebody who typed a short command. */
final class SaidTuning {
  static final Terminal TERMINAL = new Terminal(false, Terminal.USUAL_COLUMNS);

  private static final Invocation ASKED =
      new Invocation(
          List.of(
              new Invocation.Word("", "tune"), new Invocation.Word("", "chat.yaml"),
              new Invocation.Word("--seed", "--seed 5")),
          "FOLDER");

  private SaidTuning() {}

  static Answer of(TuneEnd end) {
    return end.answer(ASKED);
  }

  static String screen(TuneEnd end) {
    return ScreenWriter.text(of(end), TERMINAL);
  }

  /** The first screen in one line. */
  static String words(TuneEnd end) {
    return screen(end).replaceAll("\\s+", " ");
  }

  /** The first screen and the whole account in one line. */
  static String account(TuneEnd end) {
    return ScreenWriter.withAccount(of(end), TERMINAL).replaceAll("\\s+", " ");
  }

  static String figures(TuneEnd end) {
    try {
      return AnswerFiles.json(of(end));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
