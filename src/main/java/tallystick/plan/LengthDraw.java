package tallystick.plan;

import java.util.function.DoubleUnaryOperator;
import tallystick.scenario.Lengths;

/** Draws numbers of tokens or turns, by a stream of random numbers of its own. */
interface LengthDraw {
  /** Draws outside the bounds before the nearest bound is taken. */
  int MOST_TRIES = 1000;

  int next();

  static LengthDraw of(Lengths lengths, RandomStream random) {
    return switch (lengths) {
      case Lengths.Fixed fixed -> fixed::tokens;
      case Lengths.Uniform uniform -> () ->
          uniform.least() + random.nextIndex(uniform.most() - uniform.least() + 1);
      case Lengths.Normal normal -> () ->
          bounded(normal, random, z -> normal.mean() + normal.deviation() * z);
      case Lengths.Lognormal lognormal -> () ->
          bounded(
              lognormal, random,
              z -> lognormal.median() * StrictMath.exp(lognormal.sigma() * z));
      case Lengths.Empirical empirical -> {
        WeightedChoice<Lengths.Weighted> choice =
            new WeightedChoice<>(empirical.values(), Lengths.Weighted::weight);
        yield () -> choice.next(random).tokens();
      }
    };
  }

  private static int bounded(Lengths bounds, RandomStream random, DoubleUnaryOperator shape) {
    double length = 0;
    for (int i = 0; i < MOST_TRIES; i++) {
      length = Math.rint(shape.applyAsDouble(random.nextGaussian()));
      if (length >= bounds.least() && length <= bounds.most()) {
        return (int) length;
      }
    }
    return (int) Math.max(bounds.least(), Math.min(bounds.most(), length));
  }
}
