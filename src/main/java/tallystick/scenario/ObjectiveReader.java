package tallystick.scenario;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tallystick.scenario.Objective.Metric;
import tallystick.scenario.Workload.RequestClass;

/** Reads what a run is judged by. */
final class ObjectiveReader {
  private static final List<String> METRICS = ScenarioKeys.METRICS.names();

  private ObjectiveReader() {}

  /**
   * Every objective of a scenario.
   *
   * @param ofClasses class name → the objectives written in the class
   * @param isOfRequests whether each must judge requests
   */
  static List<Objective> read(
      Section root, List<RequestClass> classes, Map<String, ScenarioValue> ofClasses,
      boolean isOfRequests) {
    List<String> names = classes.stream().map(RequestClass::name).toList();
    if (isOfRequests) {
      root.find("objectives").ifPresent(ObjectiveReader::refuseGaps);
      ofClasses.values().forEach(ObjectiveReader::refuseGaps);
    }
    List<Objective> objectives = ofRoot(root, names);
    ofClasses.forEach((name, value) -> add(objectives, value, name, List.of()));
    return List.copyOf(objectives);
  }

  private static void refuseGaps(ScenarioValue objectives) {
    for (ScenarioValue item : objectives.items()) {
      refuseGaps(item, Section.of(item.as(ScenarioKeys.OBJECTIVE)));
    }
  }

  private static void refuseGaps(ScenarioValue item, Section section) {
    if (section.has("itl")) {
      throw section.originOf("itl").error(
          item.path() + " has itl, which judges gaps between tokens, not requests",
          "write tpot or largest_gap instead");
    }
  }

  /** Objectives that name no class. */
  static List<Objective> ofAnyClass(Section root) {
    return ofRoot(root, List.of());
  }

  private static List<Objective> ofRoot(Section root, List<String> classNames) {
    List<Objective> objectives = new ArrayList<>();
    root.find("objectives").ifPresent(value -> add(objectives, value, "", classNames));
    return objectives;
  }

  private static void add(
      List<Objective> objectives, ScenarioValue list, String ownClass, List<String> classNames) {
    for (ScenarioValue item : list.items()) {
      Objective objective = objective(item, ownClass, classNames);
      if (objectives.stream().anyMatch(o -> judgesSame(o, objective))) {
        throw item.origin().error(
            item.path() + " judges " + objective.metric().word() + " at the same share again",
            "remove one of the two");
      }
      objectives.add(objective);
    }
  }

  /**
   * One objective.
   *
   * @param ownClass the class it is written in; empty outside of a class
   * @param classNames the classes it may name
   */
  private static Objective objective(ScenarioValue item, String ownClass, List<String> classNames) {
    boolean mayNameAClass = !classNames.isEmpty();
    Section section =
        Section.of(
            item.as(mayNameAClass ? ScenarioKeys.OBJECTIVE : ScenarioKeys.CLASS_OBJECTIVE));
    String word = METRICS.stream().filter(section::has).findFirst().orElseThrow();
    Metric metric = metric(word);
    ScenarioValue threshold = section.get(word);
    List<Objective.Limit> limits = metric == Metric.ALL ? limits(threshold) : List.of();
    return new Objective(
        metric,
        metric == Metric.ALL ? 1 : limit(metric, threshold),
        section.get("share").share(),
        mayNameAClass
            ? section.find("class").map(v -> className(v, classNames)).orElse(ownClass)
            : ownClass,
        limits);
  }

  /** What a request must keep all together. */
  private static List<Objective.Limit> limits(ScenarioValue all) {
    Map<Metric, Objective.Limit> limits = new LinkedHashMap<>();
    for (ScenarioValue item : all.items()) {
      Objective.Limit limit = limit(item);
      if (limits.put(limit.metric(), limit) != null) {
        throw item.origin().error(
            all.path() + " limits " + limit.metric().word() + " twice", "remove one of the two");
      }
    }
    if (limits.size() < 2) {
      throw all.origin().error(
          all.path() + " has one limit", "write two or more, or write it without all");
    }
    return List.copyOf(limits.values());
  }

  private static Objective.Limit limit(ScenarioValue item) {
    refuseGaps(item, Section.of(item.as(ScenarioKeys.METRICS)));
    ScenarioValue limit = Section.of(item).only();
    return new Objective.Limit(metric(limit.key()), limit(metric(limit.key()), limit));
  }

  private static double limit(Metric metric, ScenarioValue value) {
    return metric.isTime() ? value.nanos() / 1e9 : value.count();
  }

  private static Metric metric(String word) {
    return Metric.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static String className(ScenarioValue value, List<String> names) {
    String name = value.text();
    if (!names.contains(name)) {
      throw value.origin().error(
          "no class \"" + name + "\" in the workload", NearestKey.remedy(name, names));
    }
    return name;
  }

  private static boolean judgesSame(Objective a, Objective b) {
    return metrics(a).equals(metrics(b))
        && a.share() == b.share()
        && a.requestClass().equals(b.requestClass());
  }

  private static Set<Metric> metrics(Objective objective) {
    Set<Metric> metrics = EnumSet.of(objective.metric());
    objective.limits().forEach(limit -> metrics.add(limit.metric()));
    return metrics;
  }
}
