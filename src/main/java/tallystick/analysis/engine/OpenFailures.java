package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tallystick.runrecord.ScrapeRow;

/**
 * Failed scrapes whose meaning the next good one decides.
 *
 * <p>A target that fails to answer has a hole. A store that fails to answer has none if it scraped
 * all the while and hands the scrapes over later: only where two of its scrapes lie further apart
 * than usual is something missing.
 */
final class OpenFailures {
  /** Scrapes of a store come in step; more than half a step too late is one left out. */
  private static final double MISSED_STEP = 1.5;

  private final Set<Integer> stores;
  private final Map<Integer, List<ScrapeRow>> open = new HashMap<>();
  private final Map<Integer, Long> lastGood = new HashMap<>();
  private final Map<Integer, Long> smallestStep = new HashMap<>();

  /** Nothing failed so far; these targets are read from a store. */
  OpenFailures(Set<Integer> stores) {
    this.stores = Set.copyOf(stores);
  }

  void add(ScrapeRow failed) {
    open.computeIfAbsent(failed.target(), any -> new ArrayList<>()).add(failed);
  }

  /** The failures before a good scrape that are holes, in order. */
  List<ScrapeRow> holesBefore(ScrapeRow good) {
    int target = good.target();
    Long previous = lastGood.put(target, good.startedNanos());
    boolean isHole = true;
    if (previous != null) {
      long step = good.startedNanos() - previous;
      long smallest = smallestStep.merge(target, step, Math::min);
      isHole = !stores.contains(target) || step > MISSED_STEP * smallest;
    }
    List<ScrapeRow> passed = new ArrayList<>();
    List<ScrapeRow> waiting = open.computeIfAbsent(target, any -> new ArrayList<>());
    for (ScrapeRow failed : waiting) {
      if (failed.startedNanos() < good.startedNanos()) {
        passed.add(failed);
      }
    }
    waiting.removeAll(passed);
    return isHole ? passed : List.of();
  }

  /** The failures that no good scrape followed. */
  List<ScrapeRow> rest() {
    List<ScrapeRow> rest = new ArrayList<>();
    open.values().forEach(rest::addAll);
    open.clear();
    return rest;
  }
}
