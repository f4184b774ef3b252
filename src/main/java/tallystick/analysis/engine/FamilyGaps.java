package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Known families that a target stopped to expose between two good scrapes that did answer. */
public final class FamilyGaps {
  private final Map<String, Long> lastSeen = new HashMap<>();

  /** The family of the series before: those of one family lie side by side. */
  private String newest = "";

  private final Map<String, Long> missed = new TreeMap<>();
  private final Set<String> counting = new HashSet<>();
  private long index;

  /** Takes a series of the scrape with this number; a number is one more than the last one. */
  void note(SeriesTrack track, long scrapeIndex) {
    boolean isNoted = scrapeIndex == index && track.family().equals(newest);
    index = Math.max(index, scrapeIndex);
    if (track.concept().isEmpty() || isNoted) {
      return;
    }
    newest = track.family();
    Long before = lastSeen.put(track.family(), scrapeIndex);
    if (before == null && track.isCumulative()) {
      counting.add(track.family());
    }
    if (before != null && scrapeIndex - before > 1) {
      missed.merge(track.family(), scrapeIndex - before - 1, Long::sum);
    }
  }

  /** The newest scrape is of another process: what it does not show, it may show later. */
  void beginAnew() {
    lastSeen.values().removeIf(seen -> seen < index);
  }

  /** Families with holes, and in how many scrapes; a gauge's may last to the end. */
  public List<String> holes() {
    Map<String, Long> all = new TreeMap<>(missed);
    lastSeen.forEach(
        (family, seen) -> {
          if (seen < index && !counting.contains(family)) {
            all.merge(family, index - seen, Long::sum);
          }
        });
    List<String> lines = new ArrayList<>();
    all.forEach((family, scrapes) -> lines.add(family + ": " + scrapes + " of " + index));
    return lines;
  }

  /** What is wrong with a family that counts and that the newest scrape does not show any more. */
  Optional<String> whyGone(String family) {
    boolean isGone = counting.contains(family) && lastSeen.getOrDefault(family, index) < index;
    return isGone ? Optional.of("is not shown any more at the end") : Optional.empty();
  }

  /** Families that count and that the newest scrape does not show any more. */
  public List<String> gone() {
    return lastSeen.entrySet().stream()
        .filter(entry -> entry.getValue() < index && counting.contains(entry.getKey()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
