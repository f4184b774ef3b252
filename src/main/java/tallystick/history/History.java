package tallystick.history;

import java.util.List;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.Regression;

/**
 * Runs in order of time, in series of like ones.
 *
 * @param series each with its changes, the longest first
 * @param leftOut runs that are in none
 * @param level how often a series without a change may show one, over all metrics
 */
public record History(List<Series> series, List<LeftOut> leftOut, double level) {
  public History {
    series = List.copyOf(series);
    leftOut = List.copyOf(leftOut);
  }

  /**
   * Runs of one machine, one mix and the same engine settings.
   *
   * @param number counts them from 1
   * @param scenario of the latest run
   * @param engineKind what answered: real, embedded, simulated or virtual
   * @param unlike what keeps it apart from the first series; empty for that one
   * @param runs the earliest first
   * @param tracks one for each metric
   */
  public record Series(
      int number,
      String scenario,
      String engineKind,
      List<Regression.Unlike> unlike,
      List<Run> runs,
      List<Track> tracks) {
    public Series {
      unlike = List.copyOf(unlike);
      runs = List.copyOf(runs);
      tracks = List.copyOf(tracks);
    }
  }

  /**
   * A run.
   *
   * @param folder below the one that was asked for
   * @param began to the second
   * @param version of the engine; empty where it does not say
   */
  public record Run(String folder, String began, String version) {}

  /**
   * One metric over the runs of a series.
   *
   * @param values one for each run
   * @param needed fewest runs that can show a change
   * @param couldSee the change half way through such runs that is seen in about four of
   *     five tries with one metric, as a share; 0 where there are too few
   * @param changes the earliest first; empty where none was found, or there are too few runs
   * @param unclear places that runs which follow one another too closely may make as well
   */
  public record Track(
      ComparedMetric metric,
      List<Double> values,
      int needed,
      double couldSee,
      List<Change> changes,
      List<Change> unclear) {
    public Track {
      values = List.copyOf(values);
      changes = List.copyOf(changes);
      unclear = List.copyOf(unclear);
    }

    /** Whether there are enough runs to tell. */
    public boolean isTold() {
      return values.size() >= needed;
    }
  }

  /**
   * A place where a metric changed its level.
   *
   * @param at which run is the first after it
   * @param before mean from the change before it on (geometric)
   * @param after mean up to the next change
   * @param worse by how much it became worse, as a share; below 0 where it became better
   * @param pValue how often runs without a change show as much
   * @param differences versions and labels that changed with it
   */
  public record Change(
      int at,
      double before,
      double after,
      double worse,
      double pValue,
      List<Regression.Difference> differences) {
    public Change {
      differences = List.copyOf(differences);
    }
  }

  /**
   * A run that is in no series.
   *
   * @param why in one word, for example {@code unreconciled}
   * @param text one sentence
   */
  public record LeftOut(String folder, String why, String text) {}
}
