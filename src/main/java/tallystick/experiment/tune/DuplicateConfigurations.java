package tallystick.experiment.tune;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tallystick.experiment.EngineSetting;

/**
 * Cells that are one and the same, because an engine does not run with what it was asked for: a
 * rank among them would be chance.
 */
record DuplicateConfigurations(DesignSpace grid, List<TunedRun> done) {

  /** The cells that are another one, each with that in words. */
  Map<Integer, ConfigurationStatus> found() {
    Map<Integer, List<EngineSetting>> known = new TreeMap<>();
    done.stream()
        .filter(run -> run.counts() && !run.settings().isEmpty())
        .forEach(run -> known.putIfAbsent(run.step().cell(), run.settings()));
    List<Integer> honest =
        known.keySet().stream()
            .sorted(
                Comparator.comparing((Integer cell) -> cell != grid.current().number())
                    .thenComparing(cell -> isOther(known.get(cell)))
                    .thenComparing(cell -> cell))
            .toList();
    Map<Map<String, String>, Integer> first = new java.util.HashMap<>();
    Map<Integer, ConfigurationStatus> twins = new TreeMap<>();
    for (int cell : honest) {
      Integer other = first.putIfAbsent(runs(known.get(cell)), cell);
      if (other != null) {
        twins.put(
            cell,
            new ConfigurationStatus(
                ConfigurationStatus.Kind.SAME, 0,
                "the same as " + grid.cells().get(other).words() + ": the engine runs with "
                    + runs(known.get(cell))));
      }
    }
    return twins;
  }

  /**
   * What cells that stand for themselves run with instead of what was asked, in words: whoever sets
   * what such a cell is called gets another engine.
   */
  List<String> others() {
    Map<Integer, ConfigurationStatus> twins = found();
    return done.stream()
        .filter(run -> run.counts() && !twins.containsKey(run.step().cell()))
        .flatMap(
            run ->
                run.settings().stream()
                    .filter(EngineSetting::isOther)
                    .map(
                        one ->
                            grid.cells().get(run.step().cell()).words() + " " + one.difference()))
        .distinct()
        .toList();
  }

  private static boolean isOther(List<EngineSetting> settings) {
    return settings.stream().anyMatch(EngineSetting::isOther);
  }

  private static Map<String, String> runs(List<EngineSetting> settings) {
    Map<String, String> runs = new TreeMap<>();
    settings.forEach(one -> runs.put(one.name(), one.runs()));
    return runs;
  }
}
