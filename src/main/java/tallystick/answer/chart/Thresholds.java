package tallystick.answer.chart;

import java.util.List;
import tallystick.analysis.result.Judgement.Verdict;

/** Why thresholds stand where they do: the windows that each of them sorts. */
public record Thresholds(List<Threshold> all) implements Chart {
  /**
   * One threshold.
   *
   * @param name what it is a threshold of
   * @param unit of its value
   * @param low least value that it may have
   * @param high largest such value
   * @param badAllowed share of bad requests that the objective allows
   * @param words how it sorts the windows
   * @param windows by rising value
   */
  public record Threshold(
      String name,
      String unit,
      double value,
      double low,
      double high,
      double badAllowed,
      String words,
      List<Window> windows) {
    public Threshold {
      windows = List.copyOf(windows);
    }
  }

  /**
   * What was seen in one stretch of time.
   *
   * @param value what the engine showed
   * @param badShare share of bad requests that the client measured
   * @param users whether they got what the objective promises
   */
  public record Window(double value, double badShare, Verdict users) {}

  public Thresholds {
    all = List.copyOf(all);
  }
}
