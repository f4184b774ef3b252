package tallystick.scenario;

/** How many tokens a prompt or an answer has. */
public sealed interface Lengths {

  /** The smallest number of tokens that can come out, at least 1. */
  int least();

  /** The largest number of tokens that can come out. */
  int most();

  /** Always the same. */
  record Fixed(int tokens) implements Lengths {
    public Fixed {
      if (tokens < 1) {
        throw new IllegalArgumentException("length must be >= 1, was " + tokens);
      }
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
      if (least < 1 || most < least) {
        throw new IllegalArgumentException(
            "uniform length needs 1 <= least <= most, was " + least + " and " + most);
      }
    }
  }
}
