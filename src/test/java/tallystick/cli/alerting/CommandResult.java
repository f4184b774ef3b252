package tallystick.cli.alerting;

import java.io.PrintWriter;
import java.io.StringWriter;
import tallystick.cli.CommandRun;

/** What a command said and returned when it was called inside the test. */
record CommandResult(int code, String out, String err) {

  static CommandResult of(Object command, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        CommandRun.alone(command)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    return new CommandResult(code, out.toString(), err.toString());
  }
}
