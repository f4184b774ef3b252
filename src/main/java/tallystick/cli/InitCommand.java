package tallystick.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;

/** Prints a scenario to begin with, or the schema that editors check it by. */
@Command(
    name = "init",
    description = "Print a scenario to begin with, with a comment on each key.")
final class InitCommand extends ShellCommand {
  @Parameters(
      paramLabel = "KIND",
      arity = "0..1",
      description = {
        "one of ${COMPLETION-CANDIDATES}; schema is for editors that check scenarios:",
        "./tally init schema > scenario.schema.json"
      })
  private Kind kind;

  /** What there is; lower case because users write them. */
  enum Kind {
    chat("chat.yaml"),
    closed("closed.yaml"),
    ramp("ramp.yaml"),
    conversation("conversation.yaml"),
    agents("agents.yaml"),
    schema("scenario.schema.json");

    private final String resource;

    Kind(String resource) {
      this.resource = resource;
    }

    String text() throws IOException {
      try (InputStream in = InitCommand.class.getResourceAsStream("init/" + resource)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }

  @Override
  public Integer call() throws IOException {
    if (kind == null) {
      String all = Stream.of(Kind.values()).map(Kind::name).collect(Collectors.joining(", "));
      throw new Mistake("Name one of: " + all);
    }
    console().print(kind.text());
    return ExitCode.GOOD.number();
  }
}
