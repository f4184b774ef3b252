package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tallystick.answer.words.Numbers;
import tallystick.scenario.Formatted;

/** What differs between two sides besides the figures that are judged. */
public final class Differences {
  /** Means of gauges and ratios wander; a smaller change is no difference. */
  private static final double WORTH_TELLING = 0.1;

  private Differences() {}

  /** Settings and versions first, then what the engines told of themselves. */
  public static List<Regression.Difference> between(
      List<ComparedRun> base, List<ComparedRun> candidate) {
    List<Regression.Difference> all = new ArrayList<>();
    for (String name : settings(base, candidate)) {
      String here = values(base, name);
      String there = values(candidate, name);
      if (!here.equals(there)) {
        all.add(new Regression.Difference(name, here, there));
      }
    }
    Set<String> figures = new TreeSet<>(base.getFirst().engine().keySet());
    figures.retainAll(candidate.getFirst().engine().keySet());
    for (String name : figures) {
      double here = mean(base, name);
      double there = mean(candidate, name);
      if (Math.abs(there - here) > WORTH_TELLING * Math.max(Math.abs(here), WORTH_TELLING)) {
        all.add(new Regression.Difference(name, text(name, here), text(name, there)));
      }
    }
    return all;
  }

  private static Set<String> settings(List<ComparedRun> base, List<ComparedRun> candidate) {
    Set<String> names = new TreeSet<>();
    base.forEach(run -> names.addAll(run.settings().keySet()));
    candidate.forEach(run -> names.addAll(run.settings().keySet()));
    return names;
  }

  private static String values(List<ComparedRun> runs, String name) {
    return String.join(" or ", Comparability.values(runs, ComparedRun::settings, name));
  }

  private static double mean(List<ComparedRun> runs, String name) {
    return runs.stream()
        .mapToDouble(run -> run.engine().getOrDefault(name, 0.0))
        .average()
        .orElse(0);
  }

  private static String text(String name, double value) {
    return ComparedRun.SHARES.contains(name)
        ? Numbers.percent(value)
        : Formatted.of("%.3g", value);
  }
}
