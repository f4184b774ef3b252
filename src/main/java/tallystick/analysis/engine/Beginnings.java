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
  private final List<SeriesTrack> wentOn = new ArrayList<>();
  private final Set<String> keptBirth = new HashSet<>();

  /** Begins the next scrape. */
  void clear() {
    fallen.clear();
    reborn.clear();
    anew.clear();
    wentOn.clear();
    keptBirth.clear();
  }

  /** A counter that stands below its value before. */
  void fell(SeriesTrack track) {
    fallen.add(track);
    anew.add(track.root());
  }

  /** A counter that was above 0 and did not fall. */
  void wentOn(SeriesTrack track) {
    wentOn.add(track);
  }

  /** A time of birth, and whether it is another one than before. */
  void birth(SeriesTrack track, boolean isOther) {
    if (isOther) {
      reborn.add(track);
      anew.add(track.root());
    } else {
      keptBirth.add(track.root());
    }
  }

  /** Whether the process, or one behind the same address, began anew. */
  boolean areOfAProcess() {
    if (anew.size() != 1) {
      return !anew.isEmpty();
    }
    Set<String> others = new HashSet<>(keptBirth);
    // What an exporter reads of several devices may begin anew for one of them.
    boolean isOfAnEngine = fallen.stream().allMatch(track -> track.engineFamily().isPresent());
    if (reborn.isEmpty() && isOfAnEngine) {
      wentOn.forEach(track -> others.add(track.root()));
    }
    others.removeAll(anew);
    return others.isEmpty();
  }

  List<SeriesTrack> fallen() {
    return fallen;
  }

  List<SeriesTrack> reborn() {
    return reborn;
  }
}
