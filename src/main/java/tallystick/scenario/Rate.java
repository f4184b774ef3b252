package tallystick.scenario;

import java.util.List;

/** Requests per second over the time of the measured window. */
public sealed interface Rate {

  /** Expected number of requests in the first {@code seconds}: the integral of the rate. */
  double requestsBy(double seconds);

  /**
   * The same rate throughout.
   *
   * @param perSecond requests per second, above 0
   */
  record Steady(double perSecond) implements Rate {
    public Steady {
      checkRate(perSecond);
    }

    @Override
    public double requestsBy(double seconds) {
      return perSecond * seconds;
    }
  }

  /**
   * A straight line over the window.
   *
   * @param from requests per second at the start, at least 0
   * @param to requests per second at the end, at least 0; one of the two is above 0
   * @param seconds length of the window
   */
  record Ramp(double from, double to, double seconds) implements Rate {
    public Ramp {
      if (!(from >= 0 && to >= 0 && from + to > 0 && seconds > 0)) {
        throw new IllegalArgumentException("ramp from " + from + " to " + to);
      }
    }

    @Override
    public double requestsBy(double t) {
      return from * t + (to - from) * t * t / (2 * seconds);
    }
  }

  /**
   * Named stretches of a steady rate, one after another.
   *
   * @param steps in order of time, at least one
   */
  record Steps(List<Step> steps) implements Rate {
    public Steps {
      steps = List.copyOf(steps);
      if (steps.isEmpty()) {
        throw new IllegalArgumentException("steps need at least one step");
      }
    }

    @Override
    public double requestsBy(double seconds) {
      double requests = 0;
      double left = seconds;
      for (Step step : steps) {
        double stay = Math.max(0, Math.min(left, step.nanos() / 1e9));
        requests += step.perSecond() * stay;
        left -= stay;
      }
      return requests;
    }
  }

  /**
   * One stretch.
   *
   * @param name name of its phase
   * @param perSecond requests per second, above 0
   * @param nanos how long it lasts
   */
  record Step(String name, double perSecond, long nanos) {
    public Step {
      checkRate(perSecond);
      if (nanos <= 0) {
        throw new IllegalArgumentException("a step must last > 0 ns, was " + nanos);
      }
    }
  }

  /**
   * A wave that begins at its mean and rises first.
   *
   * @param mean mean requests per second
   * @param amplitude largest distance from the mean, at most the mean
   * @param periodSeconds length of one wave
   */
  record Sine(double mean, double amplitude, double periodSeconds) implements Rate {
    public Sine {
      checkRate(mean);
      if (!(amplitude >= 0 && amplitude <= mean && periodSeconds > 0)) {
        throw new IllegalArgumentException("sine of " + mean + " +- " + amplitude);
      }
    }

    @Override
    public double requestsBy(double seconds) {
      double angle = 2 * Math.PI / periodSeconds;
      return mean * seconds + amplitude / angle * (1 - StrictMath.cos(angle * seconds));
    }
  }

  private static void checkRate(double perSecond) {
    if (!(perSecond > 0)) {
      throw new IllegalArgumentException("rate must be > 0, was " + perSecond);
    }
  }
}
