package tallystick.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import tallystick.cli.exit.Interruption;
import tallystick.cli.option.Mistake;
import tallystick.cli.terminal.TerminalWriter;
import tallystick.runrecord.RecordFiles;

/**
 * One command, as a user would type it, run in this JVM.
 *
 * @param code exit code
 * @param output what it printed, errors included
 */
public record CommandRun(int code, String output) {
  private static final long MOST_SECONDS = 120;

  public static CommandRun of(String... arguments) {
    StringWriter text = new StringWriter();
    PrintWriter writer = new TerminalWriter(text);
    CommandLine line = Tally.commandLine(new Interruption(), List.of(arguments));
    line.setOut(writer).setErr(writer);
    int code = line.execute(arguments);
    return new CommandRun(code, text.toString());
  }

  /** The command line with all its commands. */
  public static CommandLine line() {
    return Tally.commandLine(new Interruption());
  }

  /** One command alone, which answers to a mistake of the user's as the whole command line does. */
  public static CommandLine alone(Object command) {
    return new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (failure, line, parsed) -> {
              if (failure instanceof Mistake) {
                return Tally.explain(failure, line);
              }
              throw failure;
            });
  }

  /** The only run folder below {@code parent}. */
  public static Path onlyRun(Path parent) throws IOException {
    try (Stream<Path> folders = Files.list(parent)) {
      return folders.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  /** The analysis of the only run below {@code parent}. */
  public static JsonNode analysis(Path parent) throws IOException {
    return new ObjectMapper().readTree(onlyRun(parent).resolve("analysis.json").toFile());
  }

  /** The rows of {@code requests.ndjson} of the only run below {@code parent}, as they ended. */
  public static List<JsonNode> requests(Path parent) throws IOException {
    return Files.readAllLines(RecordFiles.ofRun(onlyRun(parent)).requests()).stream()
        .map(CommandRun::json)
        .toList();
  }

  /** The same of a run that was killed: a last line that is half a line is no row. */
  public static List<JsonNode> wholeRows(Path parent) throws IOException {
    Path file = RecordFiles.ofRun(onlyRun(parent)).requests();
    String text = Files.exists(file) ? Files.readString(file) : "";
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(CommandRun::json).toList();
  }

  /** Text that must be JSON. */
  public static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }

  /**
   * Waits until the only run below {@code parent} has so many rows on disk.
   *
   * @return where they are
   */
  public static Path awaitRows(Path parent, int rows, BooleanSupplier isOn) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    while (isOn.getAsBoolean() && System.nanoTime() < deadline) {
      Optional<Path> file = rowsBelow(parent);
      if (file.isPresent() && Files.readAllLines(file.get()).size() >= rows) {
        return file.get();
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new AssertionError("no " + rows + " rows were written");
  }

  private static Optional<Path> rowsBelow(Path parent) throws IOException {
    if (!Files.isDirectory(parent)) {
      return Optional.empty();
    }
    try (Stream<Path> runs = Files.list(parent)) {
      return runs.map(run -> RecordFiles.ofRun(run).requests())
          .filter(Files::isRegularFile)
          .findFirst();
    }
  }

  /** The ledger row with this id. */
  public static JsonNode row(JsonNode analysis, String id) {
    for (JsonNode row : analysis.path("reconciliation").path("rows")) {
      if (row.path("id").asText().equals(id)) {
        return row;
      }
    }
    throw new AssertionError("no row " + id);
  }
}
