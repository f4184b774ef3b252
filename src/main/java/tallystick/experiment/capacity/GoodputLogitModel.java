package tallystick.experiment.capacity;

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/**
 * The share of bad requests as a curve over the rate, from fresh runs near the capacity: the
 * logarithm of its odds rises in proportion to the logarithm of the rate. Each run is one
 * observation. Runs at one rate differ more than independent requests would, because bursts strike
 * many requests at once: how much more is read from how far the runs lie off the curve.
 */
final class GoodputLogitModel {
  /** Two parameters take two runs: with fewer than three more, their scatter is a guess. */
  static final int FEWEST = 5;

  /** Standard deviation of the slope's logarithm, from which 8 and 53 follow; seen: 10 to 36. */
  private static final double USUAL_SPREAD = 0.5;

  /** Ends between which slopes are looked for, far outside of all that were seen. */
  private static final double FLATTEST = 0.5;

  private static final double STEEPEST = 400;

  /** Drop a confidence limit that is more than twice or less than half the rate: it is no use. */
  private static final double FARTHEST = 2;

  /** A curve is no closer to an engine: without it 14 of 16 held the truth with TPOT alone. */
  private static final double EXACT = 0.01;

  /**
   * How exactly the logarithm of the slope is found. A hundred times as much moved 3 of 1,800 rates
   * of made curves in their fourth digit, which is the last one told.
   */
  private static final double CLOSE = 1e-6;

  /** Adds nothing to the other: the logarithm is at most 6. */
  private static final double RELATIVELY_CLOSE = 1e-10;

  /** Of an interval of at most one octave: its end is exact to the last bit. */
  private static final int HALVINGS = 50;

  /** Of slope and spread in turn; a fifth moved 33 of 1,800 rates of made curves, by 0.2 % most. */
  private static final int ROUNDS = 4;

  /** Odds of e to the thirtieth: all good, or all bad. */
  private static final double MOST_OFFSET = 30;

  private final List<Point> points;
  private final double centre;
  private final double slope;
  private final double offset;
  private final double leastDeviance;
  private final double spread;
  private final double weight;
  private final EngineSpeedDrift pace;
  private final LogOddsTransform scale;

  /**
   * How far apart runs lie before any is seen, for each request of one: at one bad request in a
   * hundred a spread of 0.15 is 1.2 times the mean of their number. A few runs by themselves often
   * miss the rare bad one.
   *
   * @param usual spread
   * @param least runs that agree better do so by chance: intervals from them missed too often
   * @param weight so many runs seen before the usual spread counts like
   */
  record Spread(double usual, double least, double weight) {
    /** Runs whose schedules differ by chance; without it eight that agreed gave 0.1 % width. */
    static final Spread OF_FRESH_RUNS = new Spread(0.15, 0.05, 6);

    /** Runs whose crowding is taken out; twice the spread was wider and held no more often. */
    static final Spread OF_THE_ENGINE = new Spread(0.03, 0.02, 4);

    /** A usual spread is no less than twice what counting alone spreads runs by. */
    private static final double OF_COUNTS = 2;

    /**
     * Where the odds of a bad request rise slowly, what crowds a run changes its share less: the
     * variance falls with the square of the slope, to that of counting.
     *
     * @param stretch the slope over the {@link LogOddsTransform#USUAL_SLOPE}
     * @param counted spread of runs whose requests are bad independently of one another
     */
    private Spread where(double stretch, double counted) {
      double part = stretch * stretch;
      return new Spread(
          Math.min(usual, Math.max(OF_COUNTS * counted, part * usual)),
          Math.min(least, Math.max(counted, part * least)), weight);
    }
  }

  /**
   * What is known beside the runs.
   *
   * @param usually how far such runs lie apart
   * @param pace how fast the engine was in them; their rates are those of the middle speed
   * @param scale on which the odds rise evenly
   */
  record Footing(Spread usually, EngineSpeedDrift pace, LogOddsTransform scale) {
    /** Nothing but how fresh runs usually differ. */
    static final Footing OF_FRESH_RUNS =
        new Footing(Spread.OF_FRESH_RUNS, EngineSpeedDrift.STEADY, LogOddsTransform.PLAIN);
  }

  /**
   * One run.
   *
   * @param judged requests, above 0
   * @param bad those of them that broke a limit
   */
  record Point(double perSecond, long judged, long bad) {}

  /** The slope, and how far apart the runs lie, depend on one another: a few rounds settle both. */
  private GoodputLogitModel(List<Point> points, double centre, Footing footing) {
    this.pace = footing.pace();
    this.scale = footing.scale();
    this.points =
        points.stream()
            .map(one -> new Point(scale.even(one.perSecond()), one.judged(), one.bad()))
            .toList();
    this.centre = scale.even(centre);
    double requests = points.stream().mapToLong(Point::judged).average().orElse(0);
    double badShare = points.stream().mapToLong(Point::bad).average().orElse(0) / requests;
    Spread usually =
        footing.usually().where(scale.stretch(centre), 1 / (Math.sqrt(badShare) * requests));
    double usual = usually.usual() * requests;
    this.weight = usually.weight();
    double seen = usual;
    double steep = LogOddsTransform.USUAL_SLOPE;
    double height = 0;
    for (int i = 0; i < ROUNDS; i++) {
      double before = seen;
      steep = best(s -> deviance(s, bestOffset(s)) + before * surprise(s));
      height = bestOffset(steep);
      double off = Math.max(pearson(steep, height), deviance(steep, height));
      seen = Math.max(usually.least() * requests, (weight * usual + off) / freedom());
    }
    this.slope = steep;
    this.offset = height;
    this.spread = seen;
    this.leastDeviance = deviance(slope, offset) + spread * surprise(slope);
  }

  /** The curve through runs; none where all requests were good, or all bad. */
  static Optional<GoodputLogitModel> through(List<Point> points, double centre, Footing footing) {
    long bad = points.stream().mapToLong(Point::bad).sum();
    long judged = points.stream().mapToLong(Point::judged).sum();
    return bad == 0 || bad == judged
        ? Optional.empty()
        : Optional.of(new GoodputLogitModel(points, centre, footing));
  }

  /** The rate at which a share of the requests is bad, over runs of all speeds. */
  double rateAt(double badShare) {
    return scale.perSecond(even(badShare)) * Math.exp(-pace.shift(steepness(badShare)));
  }

  /** The slope over the rates themselves. */
  private double steepness(double badShare) {
    return slope * scale.stretch(scale.perSecond(even(badShare)));
  }

  private double even(double badShare) {
    return centre * Math.exp((logit(badShare) - offset) / slope);
  }

  /**
   * The rates that the runs do not contradict as the one at which a share of the requests is bad:
   * curves through it fit hardly worse than the best.
   */
  RateInterval span(double badShare, double confidence) {
    if (points.size() < FEWEST) {
      return RateInterval.UNBOUNDED;
    }
    double student =
        new TDistribution(null, freedom())
            .inverseCumulativeProbability((1 + confidence) / 2);
    double allowed = leastDeviance + student * student * spread;
    double best = even(badShare);
    double low = edge(badShare, best, best / FARTHEST, allowed);
    double high = edge(badShare, best, best * FARTHEST, allowed);
    double apart = Math.hypot(pace.apart(confidence), EXACT);
    double shifted = rateAt(badShare);
    return new RateInterval(
        low <= best / FARTHEST ? 0 : shifted / Math.exp(Math.hypot(between(low, best), apart)),
        high >= best * FARTHEST
            ? Double.POSITIVE_INFINITY
            : shifted * Math.exp(Math.hypot(between(best, high), apart)));
  }

  /** How far two places lie apart in rates, as a logarithm. */
  private double between(double low, double high) {
    return Math.log(scale.perSecond(high) / scale.perSecond(low));
  }

  private double freedom() {
    return weight + Math.max(0, points.size() - 2);
  }

  /** How far a slope lies from the usual ones, as a deviance. */
  private static double surprise(double slope) {
    double off = Math.log(slope / LogOddsTransform.USUAL_SLOPE) / USUAL_SPREAD;
    return off * off;
  }

  private static double best(DoubleUnaryOperator ofSlope) {
    double log =
        new BrentOptimizer(RELATIVELY_CLOSE, CLOSE)
            .optimize(
                GoalType.MINIMIZE,
                new UnivariateObjectiveFunction(l -> ofSlope.applyAsDouble(Math.exp(l))),
                new SearchInterval(Math.log(FLATTEST), Math.log(STEEPEST)),
                MaxEval.unlimited())
            .getPoint();
    return Math.exp(log);
  }

  private double edge(double badShare, double inside, double outside, double allowed) {
    if (devianceThrough(outside, badShare) <= allowed) {
      return outside;
    }
    double in = inside;
    double out = outside;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = Math.sqrt(in * out);
      if (devianceThrough(middle, badShare) <= allowed) {
        in = middle;
      } else {
        out = middle;
      }
    }
    return in;
  }

  /** How far the runs lie off the best curve that has a share of bad requests at a rate. */
  private double devianceThrough(double perSecond, double badShare) {
    double at = Math.log(perSecond / centre);
    DoubleUnaryOperator ofSlope =
        s -> deviance(s, logit(badShare) - s * at) + spread * surprise(s);
    return ofSlope.applyAsDouble(best(ofSlope));
  }

  /** The offset with which a slope's curve fits best. */
  private double bestOffset(double ofSlope) {
    double low = -MOST_OFFSET;
    double high = MOST_OFFSET;
    for (int i = 0; i < 2 * HALVINGS; i++) {
      double middle = (low + high) / 2;
      double lacking = 0;
      for (Point point : points) {
        double share = share(point, ofSlope, middle);
        lacking += point.judged() * (badShare(point) - share) * (1 - share) / Math.sqrt(share);
      }
      if (lacking > 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /**
   * How far the runs lie off a curve. Bad requests come in bursts, and more load brings both more
   * bursts and larger ones: the variance of their number grows with the power 1.5 of its mean, as
   * that of a compound Poisson variable does (Tweedie).
   */
  private double deviance(double ofSlope, double ofOffset) {
    double sum = 0;
    for (Point point : points) {
      double root = Math.sqrt(share(point, ofSlope, ofOffset));
      double off = Math.sqrt(badShare(point)) - root;
      sum += 4 * point.judged() * off * off / root;
    }
    return sum;
  }

  private double pearson(double ofSlope, double ofOffset) {
    double sum = 0;
    for (Point point : points) {
      double share = share(point, ofSlope, ofOffset);
      double off = badShare(point) - share;
      sum += point.judged() * off * off / Math.pow(share, 1.5);
    }
    return sum;
  }

  private static double badShare(Point point) {
    return (double) point.bad() / point.judged();
  }

  private double share(Point point, double ofSlope, double ofOffset) {
    double odds = ofOffset + ofSlope * Math.log(point.perSecond() / centre);
    return Math.max(1e-9, Math.min(1 - 1e-9, 1 / (1 + Math.exp(-odds))));
  }

  private static double logit(double share) {
    return Math.log(share / (1 - share));
  }
}
