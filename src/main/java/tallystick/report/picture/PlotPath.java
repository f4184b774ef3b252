package tallystick.report.picture;

import tallystick.analysis.result.Timeline.Track;

/** A track as an SVG path in a box of {@link #WIDTH} by {@link #HEIGHT}. A hole stays a hole. */
final class PlotPath {
  static final int WIDTH = 1000;
  static final int HEIGHT = 100;

  private final Scale time;
  private final Scale scale;
  private final StringBuilder path = new StringBuilder();

  private PlotPath(Scale time, Scale scale) {
    this.time = time;
    this.scale = scale;
  }

  /** Neighbouring points joined. */
  static String line(Track track, Scale time, Scale scale) {
    PlotPath plot = new PlotPath(time, scale);
    for (int i = 0; i < track.values().length; i++) {
      if (Double.isFinite(track.values()[i]) && !(begins(track, i) && ends(track, i))) {
        plot.point(begins(track, i) ? 'M' : 'L', track.seconds()[i], track.values()[i]);
      }
    }
    return plot.path.toString();
  }

  /** Points between two holes, which no line shows; with round caps no length draws a dot. */
  static String dots(Track track, Scale time, Scale scale) {
    PlotPath plot = new PlotPath(time, scale);
    for (int i = 0; i < track.values().length; i++) {
      if (Double.isFinite(track.values()[i]) && begins(track, i) && ends(track, i)) {
        plot.point('M', track.seconds()[i], track.values()[i]);
        plot.path.append("h0");
      }
    }
    return plot.path.toString();
  }

  /** The area under {@link #line}, closed at the axis. */
  static String area(Track track, Scale time, Scale scale) {
    PlotPath plot = new PlotPath(time, scale);
    for (int i = 0; i < track.values().length; i++) {
      if (!Double.isFinite(track.values()[i])) {
        continue;
      }
      if (begins(track, i)) {
        plot.point('M', track.seconds()[i], scale.low());
      }
      plot.point('L', track.seconds()[i], track.values()[i]);
      if (ends(track, i)) {
        plot.point('L', track.seconds()[i], scale.low());
        plot.path.append('Z');
      }
    }
    return plot.path.toString();
  }

  /** A bar from the sample before to each sample: a delta belongs to the time between. */
  static String bars(Track track, Scale time, Scale scale) {
    PlotPath plot = new PlotPath(time, scale);
    double[] values = track.values();
    for (int i = 1; i < values.length; i++) {
      if (Double.isFinite(values[i]) && values[i] > 0) {
        plot.point('M', track.seconds()[i - 1], scale.low());
        plot.point('L', track.seconds()[i - 1], values[i]);
        plot.point('L', track.seconds()[i], values[i]);
        plot.point('L', track.seconds()[i], scale.low());
        plot.path.append('Z');
      }
    }
    return plot.path.toString();
  }

  /** A stroke over the whole height at each sample above zero. */
  static String marks(Track track, Scale time) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < track.values().length; i++) {
      if (track.values()[i] > 0) {
        path.append('M').append(Scale.css(time.position(track.seconds()[i]) * WIDTH));
        path.append(" 0V").append(HEIGHT);
      }
    }
    return path.toString();
  }

  private static boolean begins(Track track, int i) {
    return i == 0 || !Double.isFinite(track.values()[i - 1]);
  }

  private static boolean ends(Track track, int i) {
    return i == track.values().length - 1 || !Double.isFinite(track.values()[i + 1]);
  }

  private void point(char command, double seconds, double value) {
    path.append(command)
        .append(Scale.css(time.position(seconds) * WIDTH))
        .append(' ')
        .append(Scale.css((1 - scale.position(value)) * HEIGHT));
  }
}
