package tallystick.experiment.regress;

/** How long the good answers of a run came out, beside what they were allowed. */
final class OutputLengths {
  private long count;
  private double produced;
  private double allowed;
  private double producedSquares;
  private double allowedSquares;
  private double products;

  void add(double tokens, double maxTokens) {
    count++;
    produced += tokens;
    allowed += maxTokens;
    producedSquares += tokens * tokens;
    allowedSquares += maxTokens * maxTokens;
    products += tokens * maxTokens;
  }

  boolean isKnown() {
    return allowed > 0;
  }

  /** Of all that they were allowed. */
  double share() {
    return produced / allowed;
  }

  /** Standard deviation of one answer from that share of its own, over the mean allowed. */
  double scatter() {
    double share = share();
    double squares =
        producedSquares - 2 * share * products + share * share * allowedSquares;
    return isKnown() ? Math.sqrt(Math.max(0, squares) / count) * count / allowed : Double.NaN;
  }
}
