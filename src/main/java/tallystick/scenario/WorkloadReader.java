package tallystick.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.scenario.RequestContent.Order;
import tallystick.scenario.Scenario.Extent;
import tallystick.scenario.Workload.RequestClass;

/** Reads what is sent and when. */
final class WorkloadReader {
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
    Section section = Section.of(value, ScenarioKeys.WORKLOAD);
    Arrival arrival = new ArrivalReader(section, extent).read();
    List<RequestClass> classes =
        section.find("classes")
            .map(v -> mix(section, v))
            .orElseGet(() -> List.of(
                classReader.read(section, Workload.DEFAULT_CLASS, 1)));
    if (arrival instanceof Arrival.Trace) {
      checkTrace(section, classes);
    }
    return new Workload(arrival, classes);
  }

  /** Class name → the objectives written in it, once the workload has been read. */
  Map<String, ScenarioValue> classObjectives() {
    return classObjectives;
  }

  private List<RequestClass> mix(Section workload, ScenarioValue value) {
    List<RequestClass> classes = new ArrayList<>();
    List<String> keys = new ArrayList<>(ScenarioKeys.OF_CLASS);
    keys.addAll(List.of("name", "weight", "objectives"));
    String example = "classes: [{name: chat, weight: 3, prompt_tokens: 256}]";
    for (ScenarioValue item : value.items(example)) {
      Section section = Section.of(item, keys);
      ScenarioValue name = section.require("name", "name: chat");
      String word = name.text("name: chat");
      if (classes.stream().anyMatch(c -> c.name().equals(word))) {
        throw name.origin().error("a second class \"" + word + "\"", "give it another name");
      }
      double weight = section.find("weight").map(v -> v.positive("weight: 1")).orElse(1.0);
      Section whole = section.orElse(workload, ClassReader.inheritedBy(section));
      section.find("objectives").ifPresent(v -> classObjectives.put(word, v));
      classes.add(classReader.read(whole, word, weight));
    }
    return classes;
  }

  private void checkTrace(Section section, List<RequestClass> classes) {
    Optional<Dataset> dataset =
        classes.get(0).content() instanceof RequestContent.FromDataset from
            ? Optional.of(from.dataset())
            : Optional.empty();
    SourceLocation origin = section.originOf("arrival");
    if (classes.size() != 1 || dataset.isEmpty()) {
      throw origin.error(
          "arrival: trace needs one class with a dataset", "write for example"
              + " dataset: {format: mooncake, file: traces/mooncake-sample.jsonl}");
    }
    if (((RequestContent.FromDataset) classes.get(0).content()).order() != Order.FILE) {
      throw origin.error(
          "arrival: trace plays entries in their order", "remove dataset.order: random");
    }
    if (!dataset.get().isTimed()) {
      throw origin.error(
          dataset.get().file() + " has entries without a time",
          "use arrival: poisson with a rate, or give every entry its time");
    }
  }
}
