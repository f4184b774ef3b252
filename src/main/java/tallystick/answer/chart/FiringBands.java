package tallystick.answer.chart;

import java.util.List;

/** When users suffered and when each alert fired, run by run. Times are minutes of the run. */
public record FiringBands(List<Run> runs) implements Chart {
  /**
   * One run.
   *
   * @param source which runs its alerts come from
   * @param minutes how long it was
   * @param steps of offered load
   * @param suffering when users suffered
   */
  public record Run(
      String name,
      String source,
      double minutes,
      List<Step> steps,
      List<Band> suffering,
      List<Alert> alerts) {
    public Run {
      steps = List.copyOf(steps);
      suffering = List.copyOf(suffering);
      alerts = List.copyOf(alerts);
    }
  }

  /**
   * One step of offered load.
   *
   * @param perSecond requests offered; 0 where nobody says
   */
  public record Step(String name, double perSecond, double from, double to) {}

  /**
   * A stretch of time.
   *
   * @param isRight whether users suffered in it or near it
   */
  public record Band(double from, double to, boolean isRight) {}

  /**
   * When one alert fired.
   *
   * @param isReplayed whether it was there to fire
   */
  public record Alert(String name, boolean isReplayed, List<Band> firings) {
    public Alert {
      firings = List.copyOf(firings);
    }
  }

  public FiringBands {
    runs = List.copyOf(runs);
  }
}
