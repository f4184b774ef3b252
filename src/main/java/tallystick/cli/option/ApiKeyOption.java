package tallystick.cli.option;

import picocli.CommandLine.Option;
import tallystick.reach.ApiAccess;
import tallystick.reach.SecretPlace;
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
   * What the load target is shown, the key empty where none is asked for.
   *
   * @param access where the scenario says that it is
   */
  public ApiAccess resolve(Scenario.Access access) {
    return Mistake.orSay(() -> access.shown(key(access), System.getenv()));
  }

  private String key(Scenario.Access access) {
    if (!variable.isEmpty()) {
      return key("--api-key-env " + variable, new SecretPlace(variable, ""));
    }
    if (!access.apiKeyEnv().isEmpty()) {
      return key("api_key_env " + access.apiKeyEnv(), new SecretPlace(access.apiKeyEnv(), ""));
    }
    return access.apiKeyFile().isEmpty()
        ? ""
        : key("api_key_file " + access.apiKeyFile(), new SecretPlace("", access.apiKeyFile()));
  }

  /** What was typed of it, to be typed again, with a blank before it; empty for nothing. */
  String typed() {
    return variable.isEmpty() ? "" : " --api-key-env " + PlainText.argument(variable);
  }

  /** A header holds printable ASCII. The message does not repeat the key. */
  private static String key(String said, SecretPlace place) {
    String key = place.read(said, System.getenv());
    if (!key.matches("[\\x21-\\x7E]+")) {
      throw new IllegalArgumentException(
          said + ": what it holds cannot be sent as a key: a key is one word of ASCII letters,"
              + " digits and signs");
    }
    return key;
  }
}
