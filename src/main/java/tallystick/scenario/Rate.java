package tallystick.scenario;

/** Requests per second over the time of the measured window. */
public sealed interface Rate {

  /**
   * The same rate throughout.
   *
   * @param perSecond requests per second, above 0
   */
  record Steady(double perSecond) implements Rate {
    public Steady {
      if (!(perSecond > 0)) {
        throw new IllegalArgumentException("rate must be > 0, was " + perSecond);
      }
    }
  }
}
