package tallystick.analysis.result;

import java.util.List;

/**
 * What became of a mean between two stretches, part by part; the waterfall of a change. The rises
 * of the parts add up to that of the whole.
 *
 * @param quantity ttft, e2e, or decode, which is taken apart into more tokens and slower tokens
 * @param whole the mean itself
 * @param parts in the order of time
 */
public record Change(String quantity, Part whole, List<Part> parts) {

  /**
   * One part of the wait in both stretches; seconds.
   *
   * @param name lateness, connect, tls, write, outside, api_server, queue, prefill or decode; of
   *     decode answer_length and token_pace
   * @param reference mean in the reference
   * @param judged mean in the judged stretch
   * @param rise judged less reference, with a 95 % interval over batches of time
   * @param share of the rise of the whole; missing where the whole did not rise
   * @param grew whether it rose beyond its interval; where the load surely differs, as after one
   *     burst that no spread over time can show, beyond three standard errors of the reference
   */
  public record Part(
      String name, Figure reference, Figure judged, Interval rise, Figure share, boolean grew) {}

  public Change {
    parts = List.copyOf(parts);
  }

  /** A part's name as people write it. */
  public static String words(String part) {
    return switch (part) {
      case "tls" -> "TLS";
      case "outside" -> "outside the engine";
      case "api_server" -> "API server and the wait for the core's current step";
      case "answer_length" -> "more tokens";
      case "token_pace" -> "slower tokens";
      case "after_written" -> "after the request was written";
      default -> part.replace('_', ' ');
    };
  }
}
