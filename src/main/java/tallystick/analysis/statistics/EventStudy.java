package tallystick.analysis.statistics;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.StallAnalysis;

/** Mean of a series around events, and far from them. */
public final class EventStudy {
  static final int FIRST_OFFSET = -2; // Two intervals before an event show what was usual

  /** A request that was interrupted ends within three intervals as a rule. */
  static final int LAST_OFFSET = 3;

  /** Events closer than this to the one before belong to it: its offsets reach as far. */
  private static final int MERGE_DISTANCE = 4;

  private EventStudy() {}

  /** Intervals in which something happened. */
  public static List<Integer> events(double[] series) {
    List<Integer> events = new ArrayList<>();
    for (int i = 0; i < series.length; i++) {
      if (series[i] > 0) {
        events.add(i);
      }
    }
    return events;
  }

  /** The first of every cluster of events. */
  public static List<Integer> merged(List<Integer> events) {
    List<Integer> merged = new ArrayList<>();
    int previous = Integer.MIN_VALUE / 2;
    for (int event : events) {
      if (event - previous >= MERGE_DISTANCE) {
        merged.add(event);
      }
      previous = event;
    }
    return merged;
  }

  /** Mean at one offset from each event; NaN if every such place lies outside the series. */
  public static double meanAt(double[] series, List<Integer> events, int offset) {
    double sum = 0;
    int count = 0;
    for (int event : events) {
      int at = event + offset;
      if (at >= 0 && at < series.length) {
        sum += series[at];
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  /** Mean of what no event's surroundings cover; NaN if everything is covered. */
  public static double baseline(double[] series, List<Integer> events) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < series.length; i++) {
      int at = i;
      boolean covered =
          events.stream()
              .anyMatch(event -> at >= event + FIRST_OFFSET && at <= event + LAST_OFFSET);
      if (!covered) {
        sum += series[i];
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  /** The means at every offset with 95 % intervals from resampling the events. */
  public static List<StallAnalysis.Offset> offsets(double[] series, List<Integer> events) {
    List<StallAnalysis.Offset> offsets = new ArrayList<>();
    for (int offset = FIRST_OFFSET; offset <= LAST_OFFSET; offset++) {
      offsets.add(new StallAnalysis.Offset(offset, interval(series, events, offset)));
    }
    return offsets;
  }

  private static Interval interval(double[] series, List<Integer> events, int offset) {
    double mean = meanAt(series, events, offset);
    if (Double.isNaN(mean)) {
      return Interval.missing("outside the window");
    }
    double[] sorted =
        new BlockBootstrap(BlockBootstrap.SEED)
            .distribution(
                events.size(),
                1,
                positions -> {
                  List<Integer> resampled = new ArrayList<>();
                  for (int position : positions) {
                    resampled.add(events.get(position));
                  }
                  double value = meanAt(series, resampled, offset);
                  return Double.isNaN(value) ? mean : value;
                });
    return Interval.of(
        mean, BlockBootstrap.quantile(sorted, 0.025), BlockBootstrap.quantile(sorted, 0.975));
  }
}
