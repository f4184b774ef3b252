package tallystick.analysis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tallystick.analysis.engine.SeriesTrack;
import tallystick.analysis.engine.TargetReading;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.scenario.Formatted;

/** Label values that change from scrape to scrape, so that a run shows ever more series. */
final class SeriesChurn {
  /** A model that is loaded, or a path that is asked for, adds series too. */
  private static final int SPARE = 1_000;

  private SeriesChurn() {}

  /** A finding for each target that did so, and one if the record could not hold them all. */
  static List<Finding> of(RunReading run) {
    List<Finding> findings = new ArrayList<>();
    run.reading()
        .targets()
        .forEach(
            (index, target) -> {
              if (target.tracks().size() > 2 * target.mostAtOnce() + SPARE) {
                findings.add(churn(index, target));
              }
            });
    List<String> full =
        run.harness().all(Mark.Kind.SERIES_LEFT_OUT).stream().map(Mark::detail).toList();
    if (!full.isEmpty()) {
      findings.add(new Finding(Code.SERIES_LEFT_OUT,
          "More series were shown than a record holds of one endpoint: "
              + String.join(", ", full)
              + ". Later ones were left out, so counts may be too low.",
          "Find the label whose values have no end, and drop it. If others' series are shown"
              + " there too, give --metrics-url of the engine alone."));
    }
    return findings;
  }

  private static Finding churn(int index, TargetReading target) {
    Collection<SeriesTrack> tracks = target.tracks();
    Map<String, Set<String>> values = new TreeMap<>();
    Set<String> families = new TreeSet<>();
    for (SeriesTrack track : tracks) {
      if (!target.isCurrent(track)) {
        families.add(track.family());
        track.series().labels().forEach(
            (label, value) -> values.computeIfAbsent(label, any -> new HashSet<>()).add(value));
      }
    }
    String label =
        values.entrySet().stream()
            .max(Map.Entry.comparingByValue((a, b) -> Integer.compare(a.size(), b.size())))
            .map(most -> most.getKey() + ": " + most.getValue().size() + " values that are gone")
            .orElse("");
    return new Finding(Code.SERIES_CHURN,
        Formatted.of(
            "Target %d showed %,d series in the window, and at most %,d at once: label values"
                + " change from scrape to scrape.",
            index, tracks.size(), target.mostAtOnce()),
        List.of(label, "in " + String.join(", ", families.stream().limit(5).toList())),
        "Drop that label: it costs every Prometheus memory, too.");
  }
}
