package tallystick.analysis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tallystick.analysis.EngineStalls.Standstill;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.scenario.Formatted;

/** Says when the engine stood still, and what it did to those who waited. */
final class StandstillFindings {
  private StandstillFindings() {}

  /** One finding for all engines together, and one for each that stood still alone. */
  static List<Finding> of(List<Standstill> standstills) {
    Map<String, List<Standstill>> byEngine =
        standstills.stream()
            .collect(Collectors.groupingBy(Standstill::engine, TreeMap::new, Collectors.toList()));
    return byEngine.entrySet().stream()
        .map(entry -> finding(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static Finding finding(String engine, List<Standstill> all) {
    String length = length(all);
    Standstill longest = Collections.max(all, Comparator.comparingDouble(Standstill::seconds));
    List<String> evidence = new ArrayList<>();
    for (Standstill one : all) {
      evidence.add(Formatted.of(
          "from %.1f s to %.1f s: no token, and requests in the engine",
          one.fromSeconds(), one.toSeconds()));
    }
    evidence.add("The scrapes tell the ends; each may lie up to one scrape interval further out.");
    String when =
        all.size() == 1
            ? Formatted.of(
                "from %.1f s to %.1f s, for %s", longest.fromSeconds(), longest.toSeconds(), length)
            : Formatted.of(
                "%d times, for %s together, the longest from %.1f s to %.1f s",
                all.size(), length, longest.fromSeconds(), longest.toSeconds());
    String text =
        "%s stood still %s: it made no token while requests were in it.%s"
            .formatted(
                engine.isEmpty() ? "The engine" : sentence(engine), when,
                engine.isEmpty() ? "" : " The other engines went on.");
    return new Finding(Code.ENGINE_STOOD_STILL, text, evidence,
        "Look in the engine's log and the machine's log at that time. Requests that arrived then"
            + " waited before vLLM counted them as queued: that wait is in the part \"API server"
            + " + wait for next scheduler step\".");
  }

  /** The scrapes bound it: it was no shorter than they show, nor longer than those around it. */
  private static String length(List<Standstill> all) {
    double least = all.stream().mapToDouble(Standstill::seconds).sum();
    double most = all.stream().mapToDouble(Standstill::mostSeconds).sum();
    return Double.isFinite(most)
        ? Formatted.of("between %.1f and %.1f s", least, most)
        : Formatted.of("at least %.1f s", least);
  }

  private static String sentence(String engine) {
    return Character.toUpperCase(engine.charAt(0)) + engine.substring(1);
  }
}
