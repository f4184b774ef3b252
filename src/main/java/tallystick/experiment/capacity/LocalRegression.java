package tallystick.experiment.capacity;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The curve through the runs near the capacity. Each counts at the rate whose usual schedule is as
 * crowded as the one that it had, as long as that is known of all.
 *
 * @param runs that may be used
 */
record LocalRegression(List<ProbeResult> runs) {
  /** Of the crossing: at the usual slope the odds change 38 times over a fifth of the rate. */
  private static final double NEAR = 1.2;

  /** Straight between 0.1 and 20 % bad on every simulated engine; beyond, the engine drowns. */
  private static final double STRAIGHT = 0.2;

  /** So many times the allowed odds of a bad request are still near, whatever share is asked. */
  private static final double NEAR_ODDS = 3;

  /** Moves of the centre by a fifth at most: three lead farther than the bracket is wide. */
  private static final int ROUNDS = 3;

  /**
   * The curve, found by moving to where it crosses the allowed share of bad requests.
   *
   * @param first rate to begin at
   */
  Optional<GoodputLogitModel> curve(double badShare, double first) {
    double nearOdds = NEAR_ODDS * badShare / (1 - badShare);
    double straight = Math.max(STRAIGHT, nearOdds / (1 + nearOdds));
    double centre = first;
    Optional<GoodputLogitModel> curve = Optional.empty();
    for (int i = 0; i < ROUNDS; i++) {
      double about = centre;
      double end = curve.map(known -> known.rateAt(straight)).orElse(Double.POSITIVE_INFINITY);
      Optional<GoodputLogitModel> next =
          through(
              runs.stream()
                  .filter(one -> one.judged() > 0 && one.probe().perSecond() <= end)
                  .filter(one -> isNear(one.probe().perSecond(), about))
                  .toList(),
              about);
      if (next.isEmpty()) {
        return curve;
      }
      curve = next;
      centre = Math.max(about / NEAR, Math.min(about * NEAR, next.get().rateAt(badShare)));
    }
    return curve;
  }

  private static boolean isNear(double rate, double centre) {
    return rate <= centre * NEAR && rate >= centre / NEAR;
  }

  private static Optional<GoodputLogitModel> through(List<ProbeResult> near, double about) {
    List<ArrivalBurstinessCorrection> crowding = near.stream().map(ProbeResult::crowding).toList();
    boolean isKnown = crowding.stream().allMatch(ArrivalBurstinessCorrection::isKnown);
    GoodputLogitModel.Footing footing =
        isKnown && !near.isEmpty()
            ? new GoodputLogitModel.Footing(
                GoodputLogitModel.Spread.OF_THE_ENGINE,
                EngineSpeedDrift.of(crowding),
                LogOddsTransform.of(near))
            : GoodputLogitModel.Footing.OF_FRESH_RUNS;
    List<GoodputLogitModel.Point> points =
        IntStream.range(0, near.size())
            .mapToObj(
                i ->
                    new GoodputLogitModel.Point(
                        near.get(i).probe().perSecond()
                            * (isKnown ? crowding.get(i).factor() * footing.pace().factor(i) : 1),
                        near.get(i).judged(), near.get(i).judged() - near.get(i).good()))
            .toList();
    return GoodputLogitModel.through(points, about, footing);
  }
}
