package tallystick.simengine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;

/**
 * How long an engine step takes, and how long the API server in front of the engine is busy.
 *
 * <p>A step: {@code base + prefillToken * p + prefillPair * q + decodeSequence * d + kvToken * k},
 * for p prefill tokens that attend to q tokens in all, d decoding sequences and k tokens in the
 * cache of everything scheduled; scattered, see {@link Noise}. The step that wakes an idle engine
 * takes a little more. The API server: see {@link ApiServerTime}.
 *
 * @param name the profile's name
 * @param baseNanos cost of any step that computes something
 * @param prefillTokenNanos cost of each prompt token computed
 * @param prefillPairNanos cost of each pair of a prompt token computed and a token it attends to
 * @param decodeSequenceNanos cost of each sequence that decodes one token
 * @param kvTokenNanos cost of each token of context of a scheduled sequence
 * @param apiServer what the API server takes
 * @param wakeNanos what a step takes on top that meets an idle engine
 * @param noise how steps scatter
 */
public record StepTimeProfile(
    String name,
    double baseNanos,
    double prefillTokenNanos,
    double prefillPairNanos,
    double decodeSequenceNanos,
    double kvTokenNanos,
    ApiServerTime apiServer,
    double wakeNanos,
    Noise noise) {

  /** The profiles that come with the engine. */
  public static final List<String> NAMES =
      List.of("llama-3.1-8b-h100", "tiny-cpu", "invented-mid-gpu", "zero");

  /**
   * What the API server, one thread that does one thing at a time, is busy with.
   *
   * <p>A request is parsed and later put to the engine: two turns of the server's event loop, so
   * that the first of many requests that come together waits until all are parsed.
   *
   * @param parseNanos for each request, first turn
   * @param submitNanos for each request, second turn; further choices come along with the first
   * @param outputNanos for each token sent; it delays the requests that come meanwhile
   * @param outputsWait whether in virtual time the token, too, waits for that turn
   */
  public record ApiServerTime(
      double parseNanos, double submitNanos, double outputNanos, boolean outputsWait) {
    /** A server that takes no time. */
    public static final ApiServerTime NONE = new ApiServerTime(0, 0, 0, false);
  }

  /**
   * How steps scatter. Each part is the standard deviation of the logarithm of a factor with mean
   * 1; 0 means none.
   *
   * @param ofStep of all of a step's time
   * @param ofBase of its base alone: what a long step has no more of than a short one
   */
  public record Noise(double ofStep, double ofBase) {
    private double step(double mean, double base, SplittableRandom random) {
      return (mean - base + base * factor(ofBase, random)) * factor(ofStep, random);
    }

    private static double factor(double sigma, SplittableRandom random) {
      return sigma == 0 ? 1 : Math.exp(sigma * random.nextGaussian() - sigma * sigma / 2);
    }
  }

  /** An engine whose whole steps scatter, and that wakes in no time. */
  public StepTimeProfile(
      String name, double baseNanos, double prefillTokenNanos, double prefillPairNanos,
      double decodeSequenceNanos, double kvTokenNanos, ApiServerTime apiServer, double noise) {
    this(
        name, baseNanos, prefillTokenNanos, prefillPairNanos, decodeSequenceNanos, kvTokenNanos,
        apiServer, 0, new Noise(noise, 0));
  }

  public StepTimeProfile {
    for (double cost :
        new double[] {
          baseNanos, prefillTokenNanos, prefillPairNanos, decodeSequenceNanos, kvTokenNanos,
          apiServer.parseNanos(), apiServer.submitNanos(), apiServer.outputNanos(), wakeNanos,
          noise.ofStep(), noise.ofBase()
        }) {
      if (!(cost >= 0)) {
        throw new IllegalArgumentException(
            "profile " + name + ": a cost must be >= 0, was " + cost);
      }
    }
  }

  /**
   * Reads one of {@link #NAMES}, or a file of the same keys: a name with a dot or a slash in it.
   *
   * @throws IllegalArgumentException if there is no such profile, or the file is none
   */
  public static StepTimeProfile named(String name) {
    boolean isOurs = NAMES.contains(name);
    if (!isOurs && !name.contains(".") && !name.contains("/")) {
      throw new IllegalArgumentException(
          "profile must be one of " + String.join(", ", NAMES)
              + ", or a file that ./tally fit wrote, was " + name);
    }
    Properties file = new Properties();
    try (InputStream in = isOurs ? resource(name) : Files.newInputStream(Path.of(name))) {
      file.load(in);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("there is no profile " + name, e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "profile " + name + " cannot be read: " + e.getMessage(), e);
    }
    return new StepTimeProfile(
        name,
        1000 * number(name, file, "base_us"),
        1000 * number(name, file, "prefill_token_us"),
        1000 * number(name, file, "prefill_pair_us"),
        1000 * number(name, file, "decode_sequence_us"),
        1000 * number(name, file, "kv_token_us"),
        new ApiServerTime(
            1000 * number(name, file, "request_parse_us"),
            1000 * number(name, file, "request_submit_us"),
            1000 * number(name, file, "output_us"),
            Boolean.parseBoolean(file.getProperty("outputs_wait"))),
        1000 * numberOr0(name, file, "wake_us"),
        new Noise(number(name, file, "noise"), numberOr0(name, file, "base_noise")));
  }

  /** An engine whose every step takes so many times as long. */
  public StepTimeProfile times(double factor) {
    return new StepTimeProfile(
        name, factor * baseNanos, factor * prefillTokenNanos, factor * prefillPairNanos,
        factor * decodeSequenceNanos, factor * kvTokenNanos, apiServer,
        factor * wakeNanos, noise);
  }

  private static InputStream resource(String name) {
    return StepTimeProfile.class.getResourceAsStream("profiles/" + name + ".properties");
  }

  /** Mean duration of a step before noise, in nanoseconds. */
  double meanNanos(StepWork work) {
    return baseNanos
        + prefillTokenNanos * work.prefillTokens()
        + prefillPairNanos * work.prefillPairs()
        + decodeSequenceNanos * work.decodeSequences()
        + kvTokenNanos * work.kvTokens();
  }

  /**
   * Duration of a step, in nanoseconds.
   *
   * @param wakes whether the engine was idle before
   */
  long nanos(StepWork work, boolean wakes, SplittableRandom random) {
    return Math.round(
        noise.step(meanNanos(work), baseNanos, random) + (wakes ? wakeNanos : 0));
  }

  /** Of profiles that were written before there was such a key. */
  private static double numberOr0(String name, Properties file, String key) {
    return file.containsKey(key) ? number(name, file, key) : 0;
  }

  private static double number(String name, Properties file, String key) {
    try {
      return Double.parseDouble(file.getProperty(key, ""));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "profile " + name + ": " + key + " must be a number, was \""
              + file.getProperty(key, "") + "\"",
          e);
    }
  }
}
