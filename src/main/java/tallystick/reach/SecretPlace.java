package tallystick.reach;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where a secret is. The place stands in plans and records, the secret in none of them: whoever
 * sends it reads it then.
 *
 * @param env variable of the environment that holds it; empty where a file does
 * @param file file that holds it; empty where a variable does
 */
public record SecretPlace(String env, String file) {
  /** A name of a variable of the environment. */
  public static final String ENV_NAME = "[A-Za-z_][A-Za-z0-9_]{0,99}";

  /**
   * The secret, without the line feed that files and variables often end in.
   *
   * @param environment the process's variables
   * @throws IllegalArgumentException if there is none; its message says what to do
   */
  public String read(Map<String, String> environment) {
    return read(toString(), environment);
  }

  /** The same for who says the place in words of his own. */
  public String read(String said, Map<String, String> environment) {
    String text = env.isEmpty() ? ofFile(said) : environment.getOrDefault(env, "");
    if (text.isBlank()) {
      throw new IllegalArgumentException(
          said
              + (env.isEmpty()
                  ? " is empty: write the secret into it"
                  : ": there is no such environment variable, or it is empty; export it before the"
                      + " run"));
    }
    return text.strip();
  }

  private String ofFile(String said) {
    try {
      return Files.readString(Path.of(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          said + " cannot be read: name a file of text that holds the secret", e);
    }
  }

  /** The place in a sentence. */
  @Override
  public String toString() {
    return env.isEmpty() ? "file " + file : "env " + env;
  }
}
