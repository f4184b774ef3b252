package tallystick.analysis.statistics;

/**
 * One counter series between two scrapes: its raw growth, corrected for resets and never
 * extrapolated, so that whole numbers stay whole.
 */
public final class CounterGrowth {
  private final double base;
  private double last;
  private double lostToResets;
  private int resets;

  private CounterGrowth(double base) {
    this.base = base;
    this.last = base;
  }

  /** A series whose value at the first scrape was this. */
  public static CounterGrowth from(double base) {
    return new CounterGrowth(base);
  }

  /** A series that was not there at the first scrape: a counter begins at 0. */
  public static CounterGrowth born() {
    return new CounterGrowth(0);
  }

  /** Takes the next value and returns its growth; NaN over a reset. */
  public double next(double value) {
    boolean reset = value < last;
    if (reset) {
      lostToResets += last;
      resets++;
    }
    double growth = reset ? Double.NaN : value - last;
    last = value;
    return growth;
  }

  /** Growth since the first scrape; after a reset only a lower bound. */
  public double delta() {
    return last - base + lostToResets;
  }

  public int resets() {
    return resets;
  }
}
