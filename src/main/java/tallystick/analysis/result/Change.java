package tallystick.analysis.result;

import java.util.List;

/**
 * What became of a mean between two periods, part by part; the waterfall of a change. The rises
 * of the parts add up to that of the whole.
 *
 * @param quantity TTFT, E2E, or decode, which is taken apart into more tokens and slower tokens
 * @param whole the mean itself
 * @param parts in the order of time
 */
public record Change(Latency quantity, Part whole, List<Part> parts) {

  /**
   * One part of the wait in both periods; seconds.
   *
   * @param name which
   * @param reference mean in the reference
   * @param judged mean in the judged period
   * @param rise judged less reference, with a 95 % interval over batches of time
   * @param share of the rise of the whole; missing where the whole did not rise
   * @param grew whether it rose beyond its interval; where the load surely differs, as after one
   *     burst that no spread over time can show, beyond three standard errors of the reference
   */
  public record Part(
      WaitPart name, Figure reference, Figure judged, Interval rise, Figure share, boolean grew) {}

  public Change {
    parts = List.copyOf(parts);
  }
}
