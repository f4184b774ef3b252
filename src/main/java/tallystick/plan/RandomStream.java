package tallystick.plan;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * A stream of random numbers for one purpose.
 *
 * <p>The generator is SplitMix64, which is {@link SplittableRandom#nextLong}. Everything above it
 * is written here, with {@link StrictMath}, because the other methods of {@code SplittableRandom}
 * may change between JDKs, and a plan must not.
 *
 * <p>Every purpose has a stream of its own, so that changed lengths leave the starts alone.
 */
final class RandomStream {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
  private static final double UNIT = 0x1.0p-53;

  private final SplittableRandom numbers;

  RandomStream(long state) {
    this.numbers = new SplittableRandom(state);
  }

  /** The stream of a purpose, for example {@code main/arrivals}. */
  static RandomStream of(long seed, String purpose) {
    long hash = 0xCBF29CE484222325L;
    for (byte b : purpose.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xFF)) * 0x100000001B3L;
    }
    long mixed = new SplittableRandom(seed).nextLong() ^ hash;
    // It adds the constant before it mixes, and this hash is mixed as it is.
    return new RandomStream(new SplittableRandom(mixed - GOLDEN_GAMMA).nextLong());
  }

  long nextLong() {
    return numbers.nextLong();
  }

  /** Uniform in [0, 1). */
  double nextDouble() {
    return (nextLong() >>> 11) * UNIT;
  }

  /** Uniform in (0, 1). */
  double nextOpenDouble() {
    return ((nextLong() >>> 11) + 0.5) * UNIT;
  }

  /** Uniform in 0 … bound − 1; the bias is below bound / 2^64. */
  int nextIndex(int bound) {
    return (int) Math.unsignedMultiplyHigh(nextLong(), bound);
  }

  /** Exponential with mean 1. */
  double nextExponential() {
    return -StrictMath.log(nextOpenDouble());
  }

  /** Normal with mean 0 and deviation 1, by Box and Muller; always takes two numbers. */
  double nextGaussian() {
    double radius = StrictMath.sqrt(-2 * StrictMath.log(nextOpenDouble()));
    return radius * StrictMath.cos(2 * Math.PI * nextDouble());
  }

  /** Gamma with the given shape and mean 1, by Marsaglia and Tsang (2000). */
  double nextGamma(double shape) {
    if (shape == 1) {
      return nextExponential();
    }
    if (shape < 1) {
      double boost = StrictMath.pow(nextOpenDouble(), 1 / shape);
      return marsagliaTsang(shape + 1) * boost / shape;
    }
    return marsagliaTsang(shape) / shape;
  }

  private double marsagliaTsang(double shape) {
    double d = shape - 1.0 / 3;
    double c = 1 / StrictMath.sqrt(9 * d);
    while (true) {
      double x = nextGaussian();
      double v = (1 + c * x) * (1 + c * x) * (1 + c * x);
      double u = nextOpenDouble();
      if (v > 0 && StrictMath.log(u) < 0.5 * x * x + d - d * v + d * StrictMath.log(v)) {
        return d * v;
      }
    }
  }
}
