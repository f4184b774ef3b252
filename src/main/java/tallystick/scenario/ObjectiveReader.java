package tallystick.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.scenario.Objective.Metric;
import tallystick.scenario.Workload.RequestClass;

/** Reads what a run is judged by. */
final class ObjectiveReader {
  static final String EXAMPLE = "objectives: [{ttft: 500ms, share: 0.99}]";
  private static final List<String> METRICS =
      Arrays.stream(Metric.values()).map(ObjectiveReader::word).toList();

  private ObjectiveReader() {}

  /**
   * Every objective of a scenario.
   *
   * @param ofClasses class name → the objectives written in the class
   */
  static List<Objective> read(
      Section root, List<RequestClass> classes, Map<String, ScenarioValue> ofClasses) {
    List<String> names = classes.stream().map(RequestClass::name).toList();
    List<Objective> objectives = new ArrayList<>(ofRoot(root, names));
    ofClasses.forEach((name, value) -> {
      for (ScenarioValue item : value.items(EXAMPLE)) {
        add(objectives, objective(item, name, List.of()), item);
      }
    });
    return List.copyOf(objectives);
  }

  /** Objectives that name no class. */
  static List<Objective> ofAnyClass(Section root) {
    return ofRoot(root, List.of());
  }

  private static List<Objective> ofRoot(Section root, List<String> classNames) {
    List<Objective> objectives = new ArrayList<>();
    root.find("objectives").ifPresent(value -> {
      for (ScenarioValue item : value.items(EXAMPLE)) {
        add(objectives, objective(item, "", classNames), item);
      }
    });
    return objectives;
  }

  private static void add(List<Objective> objectives, Objective objective, ScenarioValue item) {
    if (objectives.stream().anyMatch(o -> judgesSame(o, objective))) {
      throw item.origin().error(
          item.path() + " judges " + word(objective.metric()) + " at the same share again",
          "remove one of the two");
    }
    objectives.add(objective);
  }

  /**
   * One objective.
   *
   * @param ownClass the class it is written in; empty outside of a class
   * @param classNames the classes it may name
   */
  private static Objective objective(ScenarioValue item, String ownClass, List<String> classNames) {
    List<String> keys = new ArrayList<>(METRICS);
    keys.add("share");
    if (!classNames.isEmpty()) {
      keys.add("class");
    }
    Section section = Section.of(item, keys);
    List<String> written = METRICS.stream().filter(section::has).toList();
    if (written.size() != 1) {
      throw item.origin().error(
          item.path() + " judges "
              + (written.isEmpty() ? "nothing" : String.join(" and ", written)),
          "name exactly one of " + String.join(", ", METRICS));
    }
    ScenarioValue threshold = section.find(written.get(0)).orElseThrow();
    return new Objective(
        Metric.valueOf(written.get(0).toUpperCase(Locale.ROOT)),
        threshold.durationNanos(written.get(0) + ": 500ms") / 1e9,
        section.require("share", "share: 0.99").share(false, "share: 0.99"),
        section.find("class").map(v -> className(v, classNames)).orElse(ownClass));
  }

  private static String className(ScenarioValue value, List<String> names) {
    String name = value.text("class: chat");
    if (!names.contains(name)) {
      throw value.origin().error(
          "no class \"" + name + "\" in the workload", NearestKey.remedy(name, names));
    }
    return name;
  }

  private static boolean judgesSame(Objective a, Objective b) {
    return a.metric() == b.metric()
        && a.share() == b.share()
        && a.requestClass().equals(b.requestClass());
  }

  private static String word(Metric metric) {
    return metric.name().toLowerCase(Locale.ROOT);
  }
}
