package tallystick.answer.chart;

import java.util.List;

/**
 * What fresh runs carried of what they were offered.
 *
 * @param unit what a rate counts: {@code requests/s}, or {@code sessions/s}
 * @param objective what a good request keeps, and how many must, in words
 * @param points one for each run whose figures may be used
 * @param low least rate at which the capacity may lie; 0 where nothing bounds it
 * @param high largest such rate; infinite where nothing bounds it
 * @param isProven whether these rates are an interval; else what single runs showed
 */
public record GoodputCurve(
    String unit,
    String objective,
    List<Point> points,
    double low,
    double high,
    boolean isProven)
    implements Chart {

  /**
   * One run.
   *
   * @param offered rate that came
   * @param good the same times the share of requests that kept every limit
   * @param holds whether as many were good as the objective asks for
   */
  public record Point(double offered, double good, boolean holds) {}

  public GoodputCurve {
    points = List.copyOf(points);
  }
}
