package tallystick.simengine;

import java.util.Locale;
import java.util.Optional;

/**
 * A request put to the engine in virtual time.
 *
 * @param prompt token ids, at least one and fewer than the engine's longest sequence
 * @param maxTokens most output tokens, at least 1; cut to the room the prompt leaves
 * @param choices how many continuations, at least 1
 * @param ignoreEos whether the model may not end its text before {@code maxTokens}
 */
public record VirtualRequest(int[] prompt, int maxTokens, int choices, boolean ignoreEos) {
  public VirtualRequest {
    if (prompt.length < 1 || maxTokens < 1 || choices < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a request needs a prompt, max_tokens and n of at least 1, was %d, %d, %d",
              prompt.length, maxTokens, choices));
    }
  }

  /** A request whose output is as long as it may be. */
  public VirtualRequest(int[] prompt, int maxTokens, int choices) {
    this(prompt, maxTokens, choices, true);
  }

  /** Is told what the server sends, at the virtual time it sends it. */
  public interface Observer {
    /** Called when tokens of a choice leave the server in one chunk. */
    void tokens(long nanos, int choice, int[] tokens);

    /** Called after a choice's last token. */
    void ended(long nanos, int choice, Ending ending);

    /** Called when the server died with the request in it; by default nobody cares. */
    default void lost(long nanos) {}
  }

  /**
   * How a choice ended, in the server's words.
   *
   * @param finishReason {@code length} or {@code stop}
   * @param generatedTokens output tokens
   * @param cachedTokens prompt tokens found in the prefix cache
   * @param queueSeconds from queued to first scheduled
   * @param prefillSeconds from first scheduled to first token
   * @param decodeSeconds from first to last token
   */
  public record Ending(
      String finishReason,
      int generatedTokens,
      int cachedTokens,
      double queueSeconds,
      double prefillSeconds,
      double decodeSeconds) {
    private static final double NANOS = 1e9;

    static Ending of(Delivery.Ending ending, int cachedTokens) {
      RequestTimes times = ending.times();
      return new Ending(
          ending.reason().label(),
          ending.generatedTokens(),
          cachedTokens,
          times.queueNanos() / NANOS,
          times.prefillNanos() / NANOS,
          times.decodeNanos() / NANOS);
    }
  }

  /** The server's refusal of a request, which the engine never sees. */
  public static final class Refusal extends IllegalArgumentException {
    /** In the place of a status: nobody listens. */
    public static final int NOBODY = 0;

    private final int status;

    Refusal(int status, String why) {
      super(why);
      this.status = status;
    }

    /** The HTTP status a client gets. */
    public int status() {
      return status;
    }
  }

  /** By which a request is cancelled. */
  public interface Handle {
    /** Ends the request as a client does that goes away; no effect after its end. */
    void cancel();

    /** What goes wrong with its stream, if anything does. */
    Optional<Fault.Stream> harm();
  }
}
