package tallystick.experiment.fit;

import java.util.List;

/**
 * How fast a run's machine was: what its steps and its requests took over what a profile says. An
 * engine and the API server in front of it may run on cores of their own, so there are two.
 *
 * @param steps of the engine; NaN where no step can be read
 * @param requests of the API server; the same where too few requests tell
 */
public record RunSpeedFactor(double steps, double requests) {
  /** Fewer starts of requests tell nothing of the server. */
  static final int FEWEST_STARTS = 20;

  private static final int ROUNDS = 8; // each sorts stalls out by the speed of the one before

  /** That of a run, on an engine whose steps compute so many tokens at most. */
  public static RunSpeedFactor of(MeasuredRun run, int budget, FittedProfile profile) {
    List<StepReading> read =
        run.byTarget().stream().map(rows -> new StepReading(rows, budget)).toList();
    double[] terms = profile.terms();
    List<ObservedStep> steps = read.stream().flatMap(one -> one.steps().stream()).toList();
    if (steps.isEmpty()) {
      return new RunSpeedFactor(Double.NaN, Double.NaN);
    }
    double ofSteps = ofSteps(steps, terms);
    for (int i = 0; i < terms.length; i++) {
      terms[i] *= ofSteps;
    }
    List<RequestStart> starts = read.stream().flatMap(one -> one.starts().stream()).toList();
    double apart =
        RequestStart.WAY_NANOS
            + ofSteps * FittedProfile.MICRO * profile.of(StepCostTerm.OUTPUT).micros();
    return new RunSpeedFactor(ofSteps, ofSteps * ofRequests(starts, terms, apart));
  }

  /** An engine as fast as that. */
  public FittedProfile of(FittedProfile profile) {
    return profile.with(
        profile.costs().stream()
            .mapToDouble(one -> one.micros() * (one.cost().isOfEngine() ? steps : requests))
            .toArray());
  }

  /** A stall is one at the run's own speed: a fast run's short steps are none. */
  static double ofSteps(List<ObservedStep> steps, double[] costs) {
    double speed = 1;
    for (int round = 0; round < ROUNDS; round++) {
      List<ObservedStep> calm = OutlierFreeSteps.of(steps, costs, speed);
      speed = calm.isEmpty() ? speed : OutlierFreeSteps.meanRatio(calm, costs);
    }
    return speed;
  }

  /** What requests took over their cost, apart from what the engine took of their time. */
  private static double ofRequests(List<RequestStart> starts, double[] costs, double apart) {
    int request = StepCostTerm.REQUEST.ordinal();
    double cost = costs[request];
    double[] now = costs.clone();
    double speed = 1;
    for (int round = 0; round < ROUNDS && cost > 0; round++) {
      now[request] = speed * cost;
      List<RequestStart> plain =
          starts.stream().filter(start -> start.isPlausible(now, apart)).toList();
      if (plain.size() < FEWEST_STARTS) {
        return 1;
      }
      double weights = 0;
      double sum = 0;
      for (RequestStart start : plain) {
        double weight = Math.pow(start.scale(now), -2);
        weights += weight;
        sum += weight * (start.off(now, apart) * start.scale(now) + now[request]);
      }
      speed = Math.max(0, sum / weights) / cost;
    }
    return speed;
  }
}
