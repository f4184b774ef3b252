package tallystick.reach;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether the name of a header, a field or a URL's parameter says that its value is a secret. A
 * name is taken apart into words at signs and capitals, so that {@code max_tokens}, {@code author}
 * and {@code keyword} say nothing of the kind.
 */
public final class SecretName {
  private static final Pattern BETWEEN_WORDS =
      Pattern.compile(
          "[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");
  private static final Pattern SURE =
      Pattern.compile(
          "secrets?|passwords?|passwd|pwd|passcode|passphrase|jwts?|sas|sig|signatures?"
              + "|cookies?|bearer|auth|[a-z]*auth|[a-z]*(authorization|authentication)"
              + "|credentials?|[a-z]+(secret|password|passwd|credential|signature|cookie|jwt)s?");

  /** Words that other words beside them make harmless: a stop token, a cache key. */
  private static final Pattern LIKELY =
      Pattern.compile(
          "keys?|[a-z]*token|(api|access|auth|account|admin|app|client|encryption|functions?"
              + "|master|private|secret|security|service|session|shared|signing|storage"
              + "|subscription|user|x)keys?");

  private static final Set<String> HARMLESS_AFTER =
      Set.of(
          "max", "min", "num", "prompt", "completion", "stop", "eos", "bos", "pad", "unk", "mask",
          "special", "image", "audio", "video", "start", "end", "begin", "per", "first", "last",
          "next", "cache", "idempotency", "sort", "group", "partition", "routing", "primary",
          "foreign", "hash", "public");
  private static final Set<String> ABOUT_A_TOKEN =
      Set.of(
          "id", "ids", "budget", "limit", "limits", "count", "counts", "length", "index", "usage",
          "rate", "healing");
  private static final Set<String> ABOUT_A_SECRET =
      Set.of(
          "type", "name", "names", "method", "mode", "scheme", "version", "algorithm", "policy",
          "required", "enabled", "alias", "hash");

  private SecretName() {}

  /** Whether a value of this name is to be kept out of every file. */
  public static boolean is(String name) {
    List<String> words = words(name);
    for (int at = 0; at < words.size(); at++) {
      String before = at > 0 ? words.get(at - 1) : "";
      String after = at + 1 < words.size() ? words.get(at + 1) : "";
      boolean isLikely =
          LIKELY.matcher(words.get(at)).matches()
              && !HARMLESS_AFTER.contains(before)
              && !ABOUT_A_TOKEN.contains(after);
      boolean isSure = SURE.matcher(words.get(at)).matches();
      if ((isLikely || isSure) && !ABOUT_A_SECRET.contains(after)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a field of this name says something of a secret beside it: its type, its method. */
  public static boolean describes(String name) {
    List<String> words = words(name);
    return !words.isEmpty() && ABOUT_A_SECRET.contains(words.getLast());
  }

  /** In small letters, without the number that a second one of a kind has. */
  private static List<String> words(String name) {
    return BETWEEN_WORDS
        .splitAsStream(name)
        .map(word -> word.toLowerCase(Locale.ROOT).replaceFirst("(?<=[a-z])\\d+$", ""))
        .filter(word -> !word.isEmpty())
        .toList();
  }
}
