package tallystick.report.picture;

import java.util.Arrays;
import tallystick.analysis.result.Timeline.Track;

/**
 * A long track with fewer points that draws the same: of the points that share a column of the
 * screen the first, the last, the lowest and the highest stay, and so does every hole.
 */
final class Thinning {
  private static final int MOST_POINTS_OF_COLUMN = 4; // first, last, lowest, highest

  private Thinning() {}

  /**
   * The track itself where it is short enough.
   *
   * @param columns how many columns of the screen its points share
   */
  static Track of(Track track, Scale time, int columns) {
    int size = track.seconds().length;
    if (size <= MOST_POINTS_OF_COLUMN * columns) {
      return track;
    }
    boolean[] kept = new boolean[size];
    int start = 0;
    for (int i = 1; i <= size; i++) {
      if (i == size || column(track, time, columns, i) != column(track, time, columns, start)) {
        keep(track, start, i, kept);
        start = i;
      }
    }
    int[] indices = java.util.stream.IntStream.range(0, size).filter(i -> kept[i]).toArray();
    return new Track(
        track.name(),
        track.unit(),
        track.owner(),
        Arrays.stream(indices).mapToDouble(i -> track.seconds()[i]).toArray(),
        Arrays.stream(indices).mapToDouble(i -> track.values()[i]).toArray());
  }

  private static int column(Track track, Scale time, int columns, int index) {
    return (int) (time.position(track.seconds()[index]) * columns);
  }

  private static void keep(Track track, int from, int to, boolean[] kept) {
    int lowest = -1;
    int highest = -1;
    for (int i = from; i < to; i++) {
      double value = track.values()[i];
      if (Double.isNaN(value)) {
        // One hole of a column is enough to part the line there.
        kept[i] = i == from || !Double.isNaN(track.values()[i - 1]);
        continue;
      }
      lowest = lowest < 0 || value < track.values()[lowest] ? i : lowest;
      highest = highest < 0 || value > track.values()[highest] ? i : highest;
    }
    for (int i : new int[] {from, to - 1, lowest, highest}) {
      if (i >= 0) {
        kept[i] = true;
      }
    }
  }
}
