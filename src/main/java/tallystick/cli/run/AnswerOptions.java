package tallystick.cli.run;

import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tallystick.answer.Answer;
import tallystick.answer.Decision;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.TypedCommand;
import tallystick.cli.option.Verbosity;
import tallystick.cli.terminal.TerminalWriter;
import tallystick.report.Reports;

/** How a command shows its answer: how much of it to people, and its figures to programs. */
public final class AnswerOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private Verbosity verbosity;

  @Mixin private JsonOption json;

  /** Whether the whole account is asked for. */
  public boolean isVerbose() {
    return verbosity.isVerbose();
  }

  /** Where words for people go. */
  PrintWriter console() {
    return spec.commandLine().getOut();
  }

  /**
   * Shows what was decided, and its figures.
   *
   * @param folder where its files lie; empty where there is none
   */
  public Answer show(Decision decision, String folder) {
    Answer answer = decision.answer(TypedCommand.invocation(spec, folder));
    show(answer, () -> Reports.json(answer.figures().record()));
    return answer;
  }

  /** Shows an answer, or another document of it to programs. */
  public void show(Answer answer, Supplier<String> asJson) {
    TerminalWriter.show(console(), answer, isVerbose());
    json.print(asJson);
  }

  /** Prints what programs asked for. */
  void print(Supplier<String> asJson) {
    json.print(asJson);
  }
}
