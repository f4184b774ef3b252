package tallystick.scenario;

import java.util.List;

/** How many tokens a prompt or an answer has, or how many turns a conversation. */
public sealed interface Lengths {

  /** The most tokens a length may be asked for. */
  int MOST = 10_000_000;

  /** The smallest number that can come out, at least 1. */
  int least();

  /** The largest number that can come out. */
  int most();

  /** Always the same. */
  record Fixed(int tokens) implements Lengths {
    public Fixed {
      check(tokens, tokens);
    }

    @Override
    public int least() {
      return tokens;
    }

    @Override
    public int most() {
      return tokens;
    }
  }

  /** Every whole number from {@code least} to {@code most}, both included, equally often. */
  record Uniform(int least, int most) implements Lengths {
    public Uniform {
      check(least, most);
    }
  }

  /**
   * A normal distribution, rounded to whole numbers and drawn again where it falls outside.
   *
   * @param mean mean before rounding and bounds
   * @param deviation standard deviation before rounding and bounds
   */
  record Normal(double mean, double deviation, int least, int most) implements Lengths {
    public Normal {
      check(least, most);
    }
  }

  /**
   * A lognormal distribution, rounded to whole numbers and drawn again where it falls outside.
   *
   * @param median median before rounding and bounds: e to the mean of the logarithm
   * @param sigma standard deviation of the natural logarithm
   */
  record Lognormal(double median, double sigma, int least, int most) implements Lengths {
    public Lognormal {
      check(least, most);
    }
  }

  /** Given numbers, each as often as its weight says. */
  record Empirical(List<Weighted> values) implements Lengths {
    public Empirical {
      values = List.copyOf(values);
      if (values.isEmpty()) {
        throw new IllegalArgumentException("an empirical length needs at least one value");
      }
    }

    @Override
    public int least() {
      return values.stream().mapToInt(Weighted::tokens).min().orElseThrow();
    }

    @Override
    public int most() {
      return values.stream().mapToInt(Weighted::tokens).max().orElseThrow();
    }
  }

  /** A number and how often it comes relative to the others, above 0. */
  record Weighted(int tokens, double weight) {
    public Weighted {
      check(tokens, tokens);
      if (!(weight > 0)) {
        throw new IllegalArgumentException("weight must be > 0, was " + weight);
      }
    }
  }

  private static void check(int least, int most) {
    if (least < 1 || most < least || most > MOST) {
      throw new IllegalArgumentException(
          "a length needs 1 <= least <= most <= " + MOST + ", was " + least + " and " + most);
    }
  }
}
