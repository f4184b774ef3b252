package tallystick.answer.chart;

import java.util.List;
import tallystick.answer.Tone;

/** Effects with their intervals, each beside what is allowed; a forest plot. */
public record Effects(List<Effect> effects) implements Chart {
  /**
   * One effect.
   *
   * @param value where the point stands, between {@code low} and {@code high}; NaN if not known
   * @param margin what is allowed
   * @param tone of its verdict
   * @param text the same in words
   */
  public record Effect(
      String name, double low, double value, double high, double margin, Tone tone, String text) {
    /** Whether there is anything to draw. */
    public boolean isKnown() {
      return Double.isFinite(low) && Double.isFinite(value) && Double.isFinite(high);
    }
  }

  public Effects {
    effects = List.copyOf(effects);
  }
}
