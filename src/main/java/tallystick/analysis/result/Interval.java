package tallystick.analysis.result;

/**
 * An estimate with a confidence interval; each end may be missing with its reason.
 *
 * @param value the estimate
 * @param low lower end
 * @param high upper end
 */
public record Interval(Figure value, Figure low, Figure high) {

  /** An interval nothing is known of. */
  public static Interval missing(String reason) {
    Figure figure = Figure.missing(reason);
    return new Interval(figure, figure, figure);
  }

  /** An interval of three known ends. */
  public static Interval of(double value, double low, double high) {
    return new Interval(Figure.of(value), Figure.of(low), Figure.of(high));
  }
}
