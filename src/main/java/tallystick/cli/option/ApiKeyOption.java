package tallystick.cli.option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine;
import tallystick.scenario.PlainText;
import tallystick.scenario.Scenario;

/** Finds the API key where the user says it is; the key itself is never an argument. */
public final class ApiKeyOption {
  @Option(
      names = "--api-key-env",
      paramLabel = "NAME",
      description = "environment variable that holds the API key")
  private String variable = "";

  /**
   * The key, empty where none is asked for.
   *
   * @param access where the scenario says that it is
   */
  public String resolve(Scenario.Access access, CommandLine line) {
    if (!variable.isEmpty()) {
      return ofVariable(variable, "--api-key-env", line);
    }
    if (!access.apiKeyEnv().isEmpty()) {
      return ofVariable(access.apiKeyEnv(), "api_key_env", line);
    }
    return access.apiKeyFile().isEmpty() ? "" : ofFile(Path.of(access.apiKeyFile()), line);
  }

  /** What was typed of it, to be typed again, with a blank before it; empty for nothing. */
  String typed() {
    return variable.isEmpty() ? "" : " --api-key-env " + PlainText.argument(variable);
  }

  private static String ofVariable(String variable, String where, CommandLine line) {
    String key = System.getenv(variable);
    if (key == null || key.isBlank()) {
      throw new ParameterException(
          line,
          where + " " + variable + ": there is no such environment variable, or it is empty;"
              + " export it before the run");
    }
    return sendable(key.strip(), where + " " + variable, line);
  }

  /** A header holds printable ASCII. The message does not repeat the key. */
  private static String sendable(String key, String where, CommandLine line) {
    if (!key.matches("[\\x21-\\x7E]+")) {
      throw new ParameterException(
          line,
          where + ": what it holds cannot be sent as a key: a key is one word of ASCII letters,"
              + " digits and signs");
    }
    return key;
  }

  private static String ofFile(Path file, CommandLine line) {
    try {
      return sendable(Files.readString(file).strip(), "api_key_file " + file, line);
    } catch (IOException e) {
      throw new ParameterException(
          line, "api_key_file " + file + " cannot be read: name a file that holds the key", e);
    }
  }
}
