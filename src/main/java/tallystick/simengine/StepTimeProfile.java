package tallystick.simengine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;

/**
 * How long an engine step takes: {@code base + prefillToken * p + decodeSequence * d + kvToken *
 * k}, times a noise factor, for p prefill tokens, d decoding sequences and k KV tokens read.
 *
 * @param name the profile's name
 * @param baseNanos cost of any step that computes something
 * @param prefillTokenNanos cost of each prompt token computed
 * @param decodeSequenceNanos cost of each sequence that decodes one token
 * @param kvTokenNanos cost of each token of context a decoding sequence attends to
 * @param frontendNanos how long the API server holds a request before the engine takes it in
 * @param noise standard deviation of the logarithm of the noise factor; 0 means none
 */
public record StepTimeProfile(
    String name,
    double baseNanos,
    double prefillTokenNanos,
    double decodeSequenceNanos,
    double kvTokenNanos,
    double frontendNanos,
    double noise) {

  /** The profiles that come with the engine. */
  public static final List<String> NAMES =
      List.of("llama-3.1-8b-h100", "tiny-cpu", "invented-mid-gpu", "zero");

  public StepTimeProfile {
    for (double cost :
        new double[] {
          baseNanos, prefillTokenNanos, decodeSequenceNanos, kvTokenNanos, frontendNanos, noise
        }) {
      if (!(cost >= 0)) {
        throw new IllegalArgumentException(
            "profile " + name + ": a cost must be >= 0, was " + cost);
      }
    }
  }

  /**
   * Reads one of {@link #NAMES}.
   *
   * @throws IllegalArgumentException if there is no such profile
   */
  public static StepTimeProfile named(String name) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(
          "profile must be one of " + String.join(", ", NAMES) + ", was " + name);
    }
    Properties file = new Properties();
    try (InputStream in =
        StepTimeProfile.class.getResourceAsStream("profiles/" + name + ".properties")) {
      file.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new StepTimeProfile(
        name,
        1000 * number(file, "base_us"),
        1000 * number(file, "prefill_token_us"),
        1000 * number(file, "decode_sequence_us"),
        1000 * number(file, "kv_token_us"),
        1000 * number(file, "frontend_us"),
        number(file, "noise"));
  }

  /** Mean duration of a step before noise, in nanoseconds. */
  double meanNanos(long prefillTokens, long decodeSequences, long kvTokens) {
    return baseNanos
        + prefillTokenNanos * prefillTokens
        + decodeSequenceNanos * decodeSequences
        + kvTokenNanos * kvTokens;
  }

  private static double number(Properties file, String key) {
    return Double.parseDouble(file.getProperty(key));
  }
}
