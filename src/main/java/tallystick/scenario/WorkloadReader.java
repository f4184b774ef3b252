package tallystick.scenario;

import java.util.List;
import tallystick.scenario.Scenario.Extent;
import tallystick.scenario.Workload.RequestClass;

/** Reads what is sent and when. */
final class WorkloadReader {
  private static final List<String> KEYS =
      List.of("arrival", "rate", "concurrency", "prompt_tokens", "output_tokens");

  private final Extent extent;

  WorkloadReader(Extent extent) {
    this.extent = extent;
  }

  Workload read(Value value) {
    Section section = value.section(KEYS);
    return new Workload(
        new ArrivalReader(section, extent).read(),
        List.of(requestClass(section, Workload.DEFAULT_CLASS, 1)));
  }

  private RequestClass requestClass(Section section, String name, double weight) {
    return new RequestClass(
        name,
        weight,
        LengthsReader.read(section.require("prompt_tokens", "prompt_tokens: 256")),
        LengthsReader.read(section.require("output_tokens", "output_tokens: 64")));
  }
}
