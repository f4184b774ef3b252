package tallystick.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.scenario.RequestContent.Order;
import tallystick.scenario.Scenario.Extent;
import tallystick.scenario.Workload.RequestClass;

/** Reads what is sent and when. */
final class WorkloadReader {
  /** A few requests may come together at any rate. */
  private static final int FEWEST_FOR_A_RATE = 10;

  private final Extent extent;
  private final ClassReader classReader;
  private final Map<String, ScenarioValue> classObjectives = new LinkedHashMap<>();

  /**
   * A reader for one scenario.
   *
   * @param extent length of the measured window, which some rates need
   * @param classReader reads its classes
   */
  WorkloadReader(Extent extent, ClassReader classReader) {
    this.extent = extent;
    this.classReader = classReader;
  }

  Workload read(ScenarioValue value) {
    Section section = Section.of(value);
    Arrival arrival = new ArrivalReader(section, extent).read();
    ThinkTime ofUsers =
        arrival instanceof Arrival.Closed closed
            ? closed.thinkTime()
            : Workload.Conversation.SINGLE.thinkTime();
    List<RequestClass> classes =
        section.find("classes")
            .map(v -> mix(section, v, ofUsers))
            .orElseGet(() -> List.of(
                classReader.read(section, Workload.DEFAULT_CLASS, 1, ofUsers)));
    if (arrival instanceof Arrival.Trace trace) {
      checkDensity(section, trace, checkTrace(section, classes));
    }
    return new Workload(arrival, classes);
  }

  /** Class name → the objectives written in it, once the workload has been read. */
  Map<String, ScenarioValue> classObjectives() {
    return classObjectives;
  }

  private List<RequestClass> mix(Section workload, ScenarioValue value, ThinkTime ofUsers) {
    List<RequestClass> classes = new ArrayList<>();
    for (ScenarioValue item : value.items()) {
      Section section = Section.of(item);
      ScenarioValue name = section.get("name");
      String word = name.text();
      if (classes.stream().anyMatch(c -> c.name().equals(word))) {
        throw name.origin().error("a second class \"" + word + "\"", "give it another name");
      }
      double weight = section.get("weight").number();
      Section whole = section.orElse(workload, ClassReader.inheritedBy(section));
      section.find("objectives").ifPresent(v -> classObjectives.put(word, v));
      classes.add(classReader.read(whole, word, weight, ofUsers));
    }
    return classes;
  }

  private Dataset checkTrace(Section section, List<RequestClass> classes) {
    SourceLocation origin = section.originOf("arrival");
    if (classes.size() != 1
        || !(classes.getFirst().content() instanceof RequestContent.FromDataset from)) {
      throw origin.error(
          "arrival: trace needs one class with a dataset", "write for example"
              + " dataset: {format: mooncake, file: traces/mooncake-sample.jsonl}");
    }
    if (from.order() != Order.FILE) {
      throw origin.error(
          "arrival: trace replays entries in their order", "remove dataset.order: random");
    }
    if (!from.dataset().isTimed()) {
      throw origin.error(
          from.dataset().file() + " has entries without a time",
          "use arrival: poisson with a rate, name the column of times with"
              + " dataset.time, or give every entry a time");
    }
    return from.dataset();
  }

  /**
   * A trace in another unit than its reader takes it for is a load a thousand times too dense. It
   * shows in a second of the plan, and in a whole plan that is shorter.
   */
  private void checkDensity(Section section, Arrival.Trace trace, Dataset dataset) {
    int most = section.get("max_starts_per_second").count();
    long[] starts = starts(dataset, trace.speed());
    int gaps = Math.min(most, starts.length - 1);
    for (int i = gaps; i < starts.length; i++) {
      double seconds = (starts[i] - starts[i - gaps]) / 1e9;
      boolean isUnlucky = gaps < most && (gaps < FEWEST_FOR_A_RATE || seconds == 0);
      if (seconds * most < gaps && !isUnlucky) {
        throw section.originOf("arrival").error(
            Formatted.of(
                "%s starts %,d requests within %.3f s, more than %,d a second",
                dataset.file(), gaps + 1, seconds, most),
            "check the unit of its times (mooncake: milliseconds; bailian and jsonl: seconds;"
                + " dataset.unit names another), or allow more with"
                + " workload.max_starts_per_second");
      }
    }
  }

  /** When the entries start that the window takes, in nanoseconds after its origin. */
  private long[] starts(Dataset dataset, double speed) {
    int most = extent.requests() > 0 ? extent.requests() : Integer.MAX_VALUE;
    long end = extent.durationNanos() > 0 ? extent.durationNanos() : Long.MAX_VALUE;
    return dataset.entries().stream()
        .limit(most)
        .mapToLong(entry -> Math.round(entry.atNanos() / speed))
        .takeWhile(at -> at < end)
        .toArray();
  }
}
