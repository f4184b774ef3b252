package tallystick.plan;

import tallystick.scenario.Workload.ThinkTime;

/** Draws how long a user thinks, or a tool runs. */
interface PauseDraw {
  long nanos(RandomStream random);

  static PauseDraw of(ThinkTime time) {
    return switch (time) {
      case ThinkTime.Fixed fixed -> random -> fixed.nanos();
      case ThinkTime.Uniform uniform -> random ->
          uniform.leastNanos() + Math.round(
              random.nextDouble() * (uniform.mostNanos() - uniform.leastNanos()));
      case ThinkTime.Exponential exponential -> random ->
          Math.round(exponential.meanNanos() * random.nextExponential());
    };
  }
}
