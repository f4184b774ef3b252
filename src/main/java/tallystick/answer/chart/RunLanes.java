package tallystick.answer.chart;

import java.util.List;
import tallystick.answer.Tone;

/**
 * What was offered in each of many runs, one below the other, and how users fared. Times are
 * minutes of the run.
 *
 * @param page beside this one, which tells more of the same runs; empty where there is none
 * @param tells what that page tells
 */
public record RunLanes(List<Lane> lanes, String page, String tells) implements Chart {
  /**
   * One run.
   *
   * @param note what stands behind it
   */
  public record Lane(String name, List<Span> spans, String note) {
    public Lane {
      spans = List.copyOf(spans);
    }
  }

  /**
   * One step.
   *
   * @param tone good where users were well, bad where they suffered, else muted
   * @param text stands in it where there is room
   * @param title told where one points at it
   */
  public record Span(double from, double to, Tone tone, String text, String title) {}

  public RunLanes {
    lanes = List.copyOf(lanes);
  }
}
