package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the series of one scrape tell of a process that began anew. It takes all of its families
 * along: where one family alone fell or was born again and others went on, it is this family that
 * cannot be right.
 */
final class Beginnings {
  private final List<SeriesTrack> fallen = new ArrayList<>();
  private final List<SeriesTrack> reborn = new ArrayList<>();
  private final Set<String> anew = new HashSet<>();

  /** Begins the next scrape. */
  void clear() {
    fallen.clear();
    reborn.clear();
    anew.clear();
  }

  /** A counter that stands below its value before. */
  void fell(SeriesTrack track) {
    fallen.add(track);
    anew.add(track.root());
  }

  /** A time of birth that is another one than before. */
  void reborn(SeriesTrack track) {
    reborn.add(track);
    anew.add(track.root());
  }

  /**
   * Whether the process, or one behind the same address, began anew.
   *
   * @param shown the tracks of the scrape
   */
  boolean areOfAProcess(List<SeriesTrack> shown) {
    if (anew.size() != 1) {
      return !anew.isEmpty();
    }
    // What an exporter reads of several devices may begin anew for one of them.
    boolean isOfAnEngine = fallen.stream().allMatch(track -> track.engineFamily().isPresent());
    boolean countersTell = reborn.isEmpty() && isOfAnEngine;
    return shown.stream()
        .filter(track -> keptBirth(track) || countersTell && wentOn(track))
        .allMatch(track -> anew.contains(track.root()));
  }

  private static boolean keptBirth(SeriesTrack track) {
    return track.kind() == SeriesTrack.Kind.BIRTH && track.value() == track.previous();
  }

  /** A counter that was above 0 and is there still. */
  private static boolean wentOn(SeriesTrack track) {
    return track.isCumulative() && track.previous() > 0 && track.isReadable();
  }

  List<SeriesTrack> fallen() {
    return fallen;
  }

  List<SeriesTrack> reborn() {
    return reborn;
  }
}
