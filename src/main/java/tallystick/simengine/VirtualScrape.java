package tallystick.simengine;

/**
 * What a scrape of the engine in virtual time reads.
 *
 * @param values in the order of {@link VirtualEngine#series()}; none where the families come with
 *     the first request only, or where it failed
 * @param error why it failed; empty for a good one
 */
public record VirtualScrape(double[] values, String error) {
  static final double[] NONE = {};

  /** One that nobody waits for any longer. */
  public static final VirtualScrape LATE = new VirtualScrape(NONE, "no whole answer within 5.0 s");
}
