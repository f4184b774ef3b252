package tallystick.answer.chart;

import java.util.List;
import tallystick.answer.Tone;

/** From one mean to another, part by part; a waterfall. */
public record ChangeSteps(String title, End from, List<Step> steps, End to) implements Chart {
  /**
   * What one part added.
   *
   * @param rise seconds; below zero it became shorter; NaN if not known
   * @param tone its colour
   * @param text the same in words
   */
  public record Step(String name, double rise, Tone tone, String text) {}

  /**
   * One of the two ends.
   *
   * @param mean seconds
   * @param text the same in words
   */
  public record End(String name, double mean, String text) {}

  public ChangeSteps {
    steps = List.copyOf(steps);
  }
}
