package tallystick.experiment.fit;

/**
 * A cost as measured runs tell it.
 *
 * @param cost which
 * @param micros best value; a simulation uses it even where it is not known well
 * @param low lower end of the 95 % interval
 * @param high upper end of the 95 % interval
 * @param standing how well it is known
 * @param needs what would tell it, where it is not known
 */
public record FittedCost(
    StepCostTerm cost, double micros, double low, double high, Standing standing, String needs) {

  /** Whether the runs bound it: of what none of them holds every draw says the same. */
  public boolean isBounded() {
    return standing != Standing.NOT_IDENTIFIABLE || high > low;
  }

  /** The same with another value. */
  FittedCost with(double other) {
    return new FittedCost(cost, other, low, high, standing, needs);
  }

  /** How well a cost is known. */
  public enum Standing {
    /** The interval lies within 10 % of the value. */
    KNOWN,
    /** So small that even its upper end is below 2 % of a step; of waking, of a first token. */
    NEGLIGIBLE,
    /** These runs do not tell it. */
    NOT_IDENTIFIABLE
  }
}
