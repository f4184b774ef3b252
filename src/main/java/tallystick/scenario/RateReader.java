package tallystick.scenario;

import tallystick.scenario.Scenario.Extent;

/** Reads requests per second over time. */
final class RateReader {
  private static final String EXAMPLE = "rate: 8 (requests per second)";

  private RateReader() {}

  static Rate read(Value value, Extent extent) {
    return new Rate.Steady(perSecond(value));
  }

  private static double perSecond(Value value) {
    double rate = value.positive(EXAMPLE);
    if (rate > 1e6) {
      throw value.wrong("at most 1000000", EXAMPLE);
    }
    return rate;
  }
}
