package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.regress.PlayedRun.Role;

/**
 * What the engines of both sides ran with: a comparison of two settings is none where both sides
 * ran with one, or where one side ran with several.
 */
public final class SettingsOfSides {
  /** Of such a fault. */
  public static final String KEY = "engine settings";

  private final List<PlayedRun> done;

  SettingsOfSides(List<PlayedRun> done) {
    this.done = List.copyOf(done);
  }

  /** What forbids to compare these runs; empty where nothing does. */
  List<Regression.Unlike> faults() {
    Map<String, Set<String>> base = of(false, SettingsOfSides::runs);
    Map<String, Set<String>> candidate = of(true, SettingsOfSides::runs);
    List<Regression.Unlike> faults = new ArrayList<>();
    changing("base", base, faults);
    changing("candidate", candidate, faults);
    Map<String, Set<String>> here = of(false, EngineSetting::asked);
    Map<String, Set<String>> there = of(true, EngineSetting::asked);
    List<String> varied =
        here.keySet().stream()
            .filter(there::containsKey)
            .filter(name -> !here.get(name).equals(there.get(name)))
            .toList();
    boolean isOne =
        varied.stream().allMatch(name -> base.get(name).equals(candidate.get(name)));
    if (faults.isEmpty() && isOne && !varied.isEmpty()) {
      faults.add(
          new Regression.Unlike(
              KEY,
              varied.stream()
                  .map(
                      name ->
                          "both sides ran with " + name + " " + words(base.get(name))
                              + ", asked were " + words(here.get(name)) + " and "
                              + words(there.get(name)))
                  .collect(Collectors.joining("; "))));
    }
    return faults;
  }

  private static void changing(
      String side, Map<String, Set<String>> runs, List<Regression.Unlike> faults) {
    runs.forEach(
        (name, values) -> {
          if (values.size() > 1) {
            faults.add(
                new Regression.Unlike(
                    KEY, "runs of the " + side + " ran with " + name + " " + words(values)));
          }
        });
  }

  private Map<String, Set<String>> of(
      boolean isOfCandidate, Function<EngineSetting, String> value) {
    Map<String, Set<String>> all = new TreeMap<>();
    done.stream()
        .filter(run -> run.step().role() == Role.CANDIDATE == isOfCandidate)
        .flatMap(run -> run.engine().stream())
        .forEach(
            one ->
                all.computeIfAbsent(one.name(), none -> new TreeSet<>()).add(value.apply(one)));
    return all;
  }

  /** 2k is 2000: what is as asked has the words of who asked. */
  private static String runs(EngineSetting setting) {
    return setting.isOther() ? setting.runs() : setting.asked();
  }

  private static String words(Set<String> values) {
    return String.join(" or ", values);
  }
}
