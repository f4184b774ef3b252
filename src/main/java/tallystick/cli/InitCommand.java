package tallystick.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.Mistake;

/** Prints a scenario to begin with, or the schema that editors check it by. */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    description = "Print a scenario to begin with, with a comment on each key.")
final class InitCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

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
    PrintWriter out = spec.commandLine().getOut();
    out.print(kind.text());
    out.flush();
    return ExitCode.GOOD.number();
  }
}
