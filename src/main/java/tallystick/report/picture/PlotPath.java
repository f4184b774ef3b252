package tallystick.report.picture;

import tallystick.analysis.result.Timeline.Track;

/**
 * A track as an SVG path in a box of {@link #WIDTH} by {@link #HEIGHT}. Each value is drawn over
 * the time that it stands for, and is read out there; a hole stays a hole.
 */
final class PlotPath {
  static final int WIDTH = 1000; // units of the drawing
  static final int HEIGHT = 100; // units of the drawing

  /** So long stands a value that is alone in its track, to either side. */
  private static final double ALONE_SECONDS = 0.25;

  private final Track track;
  private final boolean isGrowth;
  private final Scale time;
  private final Scale scale;
  private final StringBuilder path = new StringBuilder();

  /**
   * A path to be drawn.
   *
   * @param isGrowth whether a value is what grew since the value before it
   */
  PlotPath(Track track, boolean isGrowth, Scale time, Scale scale) {
    this.track = track;
    this.isGrowth = isGrowth;
    this.time = time;
    this.scale = scale;
  }

  /** A step for each value; neighbouring ones are joined. */
  String line() {
    return steps(false);
  }

  /** The area under {@link #line}, closed at the axis. */
  String area() {
    return steps(true);
  }

  private String steps(boolean isArea) {
    String bottom = y(scale.low());
    String end = "";
    for (int i = 0; i < track.values().length; i++) {
      if (!isKnown(i)) {
        continue;
      }
      String start = x(from(i));
      if (!start.equals(end)) {
        path.append(isArea && !end.isEmpty() ? "V" + bottom + "Z" : "");
        path.append('M').append(start).append(' ').append(isArea ? bottom + "V" : "");
      } else {
        path.append('V');
      }
      end = x(to(i));
      path.append(y(track.values()[i])).append('H').append(end);
    }
    return path.append(isArea && !end.isEmpty() ? "V" + bottom + "Z" : "").toString();
  }

  /** A bar for each value above zero. */
  String bars() {
    String bottom = y(scale.low());
    for (int i = 0; i < track.values().length; i++) {
      if (track.values()[i] > 0) {
        path.append('M').append(x(from(i))).append(' ').append(bottom);
        path.append('V').append(y(track.values()[i])).append('H').append(x(to(i)));
        path.append('V').append(bottom).append('Z');
      }
    }
    return path.toString();
  }

  /** A dot for each value. */
  String dots() {
    for (int i = 0; i < track.values().length; i++) {
      if (isKnown(i)) {
        path.append('M').append(x(track.seconds()[i])).append(' ').append(y(track.values()[i]));
        path.append("h0");
      }
    }
    return path.toString();
  }

  /** A stroke over the whole height at each sample above zero. */
  String marks() {
    for (int i = 0; i < track.values().length; i++) {
      if (track.values()[i] > 0) {
        path.append('M').append(x(track.seconds()[i])).append(" 0V").append(HEIGHT);
      }
    }
    return path.toString();
  }

  private boolean isKnown(int i) {
    return Double.isFinite(track.values()[i]);
  }

  /** Where the time begins that a value stands for; a failed scrape does not end a growth. */
  private double from(int i) {
    int before = i - 1;
    while (isGrowth && before >= 0 && !isKnown(before)) {
      before--;
    }
    double[] at = track.seconds();
    if (isGrowth && before < 0) {
      return i > 0 ? at[i - 1] : at[0] - 2 * half(1);
    }
    return isGrowth ? at[before] : i > 0 ? at[i] - half(i) : at[i] - half(1);
  }

  private double to(int i) {
    return isGrowth ? track.seconds()[i] : track.seconds()[i] + half(i + 1);
  }

  /** Half of what lies between a sample and the one before it, or as at the track's end. */
  private double half(int i) {
    double[] at = track.seconds();
    int place = Math.min(i, at.length - 1);
    return place < 1 ? ALONE_SECONDS : (at[place] - at[place - 1]) / 2;
  }

  private String x(double seconds) {
    return Scale.css(time.position(seconds) * WIDTH);
  }

  private String y(double value) {
    return Scale.css((1 - scale.position(value)) * HEIGHT);
  }
}
