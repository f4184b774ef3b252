package tallystick.plan;

import tallystick.scenario.Lengths;

/** Draws numbers of tokens. */
final class LengthDraw {
  private LengthDraw() {}

  static int tokens(Lengths lengths, RandomStream random) {
    return switch (lengths) {
      case Lengths.Fixed fixed -> fixed.tokens();
      case Lengths.Uniform uniform ->
          uniform.least() + random.nextIndex(uniform.most() - uniform.least() + 1);
    };
  }
}
