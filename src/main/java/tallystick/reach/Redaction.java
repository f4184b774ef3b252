package tallystick.reach;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Takes the secrets that a server was shown out of what it says: a refusal may repeat the key that
 * it refuses, and neither the record nor a message must hold it. What begins as a secret does is
 * taken out too, because the server or a bound on its answer may have cut it.
 *
 * <p>A secret is known as it is, as JSON and URLs write it, each letter in its own way, and in
 * base64, alone or inside a longer text.
 */
public final class Redaction {
  /** For a server that is shown no secret. */
  public static final Redaction NONE = new Redaction(List.of());

  private static final String INSTEAD = "(the key)";

  /** A shorter part of a secret tells nothing. */
  private static final int LEAST_PART = 8;

  /** Before it in a header's value stands no secret. */
  private static final String SCHEME = "(?i)Bearer|Basic|Token|ApiKey|Key|Digest";

  private final Set<String> secrets;
  private final List<Spelling> spellings;
  private final List<Spelling> longSpellings;

  private Redaction(Collection<String> given) {
    secrets = new HashSet<>(given);
    given.forEach(text -> secrets.addAll(inner(text)));
    secrets.remove("");
    spellings = secrets.stream().flatMap(Redaction::spellings).distinct().toList();
    longSpellings = spellings.stream().filter(Spelling::isLong).toList();
  }

  /** The redaction of secrets, of which an empty one is none. */
  public static Redaction of(Collection<String> secrets) {
    return new Redaction(secrets);
  }

  /** This one with more secrets. */
  public Redaction with(Collection<String> more) {
    List<String> all = new ArrayList<>(secrets);
    all.addAll(more);
    return new Redaction(all);
  }

  /** What is secret inside a header's value: its part after the scheme, a password, a cookie. */
  private static List<String> inner(String value) {
    List<String> parts = new ArrayList<>();
    String[] words = value.split(" ", 2);
    if (words.length == 2 && words[0].matches(SCHEME)) {
      parts.add(words[1]);
      if (words[0].equalsIgnoreCase("Basic")) {
        parts.add(passwordOf(words[1]));
      }
    }
    for (String cookie : value.split(";\\s*")) {
      String part = cookie.substring(cookie.indexOf('=') + 1);
      if (part.length() >= LEAST_PART && value.contains("=")) {
        parts.add(part);
      }
    }
    return parts;
  }

  private static String passwordOf(String basic) {
    try {
      String both = new String(Base64.getDecoder().decode(basic), StandardCharsets.UTF_8);
      return both.substring(both.indexOf(':') + 1);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private static Stream<Spelling> spellings(String secret) {
    Stream<Spelling> plain = Stream.of(new Spelling(secret, Math.min(LEAST_PART, secret.length())));
    return secret.length() < LEAST_PART
        ? plain
        : Stream.concat(
            plain,
            Stream.of(Base64.getEncoder(), Base64.getUrlEncoder())
                .flatMap(base64 -> Stream.of(0, 1, 2).map(at -> inBase64(secret, at, base64)))
                .map(text -> new Spelling(text, LEAST_PART)));
  }

  /**
   * The letters of base64 that a secret alone decides, where so many bytes of a longer text stand
   * before its first whole group of three.
   */
  private static String inBase64(String secret, int before, Base64.Encoder base64) {
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    byte[] shifted = new byte[before + bytes.length];
    System.arraycopy(bytes, 0, shifted, before, bytes.length);
    String text = base64.withoutPadding().encodeToString(shifted);
    int end = text.length() - (shifted.length % 3 == 0 ? 0 : 1);
    return text.substring(before == 0 ? 0 : before + 1, end);
  }

  /** A text without the secrets. */
  public String of(String text) {
    return without(spellings, text);
  }

  /**
   * A name without the secrets: a label's value, a model. One of fewer than eight letters stays in
   * names, which would else lose words that are no secret: a key {@code test} in {@code test-7b}.
   */
  public String ofName(String text) {
    return without(longSpellings, text);
  }

  /** The beginning of a text without the secrets, at most so long. */
  public String excerpt(String text, int mostChars) {
    String clean = of(text);
    return clean.length() <= mostChars ? clean : clean.substring(0, mostChars) + "…";
  }

  private static String without(List<Spelling> all, String text) {
    if (all.isEmpty()) {
      return text;
    }
    StringBuilder clean = new StringBuilder();
    int done = 0;
    for (int at = 0; at < text.length(); at++) {
      int end = at;
      for (Spelling one : all) {
        end = Math.max(end, one.endIn(text, at));
      }
      if (end > at) {
        clean.append(text, done, at).append(INSTEAD);
        done = end;
        at = end - 1;
      }
    }
    return done == 0 ? text : clean.append(text, done, text.length()).toString();
  }

  /**
   * A way in which a secret is written.
   *
   * @param least so many letters of it give it away
   */
  private record Spelling(String text, int least) {
    boolean isLong() {
      return text.length() >= LEAST_PART;
    }

    /** Where it ends in a text that has it from here on, or its beginning; else here. */
    int endIn(String written, int from) {
      int at = from;
      int letters = 0;
      while (letters < text.length()) {
        int after = WrittenLetter.endOf(text.codePointAt(letters), written, at);
        if (after == at) {
          break;
        }
        at = after;
        letters += Character.charCount(text.codePointAt(letters));
      }
      return letters >= least ? at : from;
    }
  }

  /** The secrets stay out of logs and messages. */
  @Override
  public String toString() {
    return spellings.isEmpty() ? "no redaction" : "redaction";
  }
}
