package tallystick.reach;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Takes the secrets that a server was shown out of what it says: a refusal may repeat the key that
 * it refuses, and neither the record nor a message must hold it. What begins as a secret does is
 * taken out too, because the server or a bound on its answer may have cut it.
 */
public final class Redaction {
  /** For a server that is shown no secret. */
  public static final Redaction NONE = new Redaction(List.of());

  private static final String INSTEAD = "(the key)";

  /** A shorter part of a secret tells nothing. */
  private static final int LEAST_PART = 8;

  private final List<String> secrets;

  private Redaction(Collection<String> secrets) {
    this.secrets =
        secrets.stream()
            .filter(secret -> !secret.isEmpty())
            .flatMap(Redaction::spellings)
            .distinct()
            .toList();
  }

  /** The redaction of secrets, of which an empty one is none. */
  public static Redaction of(Collection<String> secrets) {
    return new Redaction(secrets);
  }

  /** As it is, as in JSON, and as in a URL. */
  private static Stream<String> spellings(String secret) {
    String json = secret.replace("\\", "\\\\").replace("\"", "\\\"");
    return Stream.of(
        secret, json, json.replace("/", "\\/"), URLEncoder.encode(secret, StandardCharsets.UTF_8));
  }

  /** A text without the secrets. */
  public String of(String text) {
    String clean = text;
    for (String secret : secrets) {
      clean = without(secret, clean);
    }
    return clean;
  }

  /** The beginning of a text without the secrets, at most so long. */
  public String excerpt(String text, int mostChars) {
    String clean = of(text);
    return clean.length() <= mostChars ? clean : clean.substring(0, mostChars) + "…";
  }

  private static String without(String secret, String text) {
    String part = secret.substring(0, Math.min(LEAST_PART, secret.length()));
    int found = text.indexOf(part);
    if (found < 0) {
      return text;
    }
    StringBuilder clean = new StringBuilder();
    int done = 0;
    while (found >= 0) {
      clean.append(text, done, found).append(INSTEAD);
      done = found + sameChars(secret, text, found);
      found = text.indexOf(part, done);
    }
    return clean.append(text, done, text.length()).toString();
  }

  private static int sameChars(String secret, String text, int from) {
    int end = Math.min(text.length(), from + secret.length());
    int difference = Arrays.mismatch(secret.toCharArray(), text.substring(from, end).toCharArray());
    return difference < 0 ? secret.length() : difference;
  }

  /** The secrets stay out of logs and messages. */
  @Override
  public String toString() {
    return secrets.isEmpty() ? "no redaction" : "redaction";
  }
}
