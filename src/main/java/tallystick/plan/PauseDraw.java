package tallystick.plan;

import tallystick.scenario.ThinkTime;

/** Draws how long a user thinks, or a tool runs, by a stream of random numbers of its own. */
interface PauseDraw {
  long nanos();

  static PauseDraw of(ThinkTime time, RandomStream random) {
    return switch (time) {
      case ThinkTime.Fixed fixed -> fixed::nanos;
      case ThinkTime.Uniform uniform -> () ->
          uniform.leastNanos() + Math.round(
              random.nextDouble() * (uniform.mostNanos() - uniform.leastNanos()));
      case ThinkTime.Exponential exponential -> () ->
          Math.round(exponential.meanNanos() * random.nextExponential());
    };
  }
}
