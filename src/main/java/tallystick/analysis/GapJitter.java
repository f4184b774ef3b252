package tallystick.analysis;

/**
 * What the way from the engine to the client may do to gaps between tokens.
 *
 * @param seconds so much shorter a long gap may become
 * @param share of the gap itself, where that is more than {@code leastSeconds}
 * @param leastSeconds least of that part
 * @param keptShare so large a share of the engine's long gaps must still be there
 * @param mostAbove gaps above an edge are judged if they are at most this share of all
 */
record GapJitter(
    double seconds, double share, double leastSeconds, double keptShare, double mostAbove) {

  /** Where one constant overhead, at most this long, explains TTFT and E2E at every edge. */
  static GapJitter constant(double highestSeconds) {
    return new GapJitter(highestSeconds, 0, 0, 0.9, 0.5);
  }

  /** Where the overhead varies and is so long on average: only rare long gaps can be told. */
  static GapJitter varying(double meanSeconds) {
    return new GapJitter(meanSeconds, 0.05, 0.002, 0.5, 0.05);
  }

  /** How much shorter a gap as long as an edge may become. */
  double shift(double edge) {
    return seconds + Math.max(leastSeconds, share * edge);
  }
}
