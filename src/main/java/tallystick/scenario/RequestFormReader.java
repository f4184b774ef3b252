package tallystick.scenario;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.scenario.Scenario.RequestForm;

/** Reads how requests are built. */
final class RequestFormReader {
  private static final List<String> KEYS =
      List.of("ignore_eos", "same_prompts", "continuous_usage");

  private RequestFormReader() {}

  static RequestForm read(Optional<Value> value) {
    if (value.isEmpty()) {
      return new RequestForm(true, false, true, "", Map.of());
    }
    Section section = value.get().section(KEYS);
    return new RequestForm(
        section.find("ignore_eos").map(Value::flag).orElse(true),
        section.find("same_prompts").map(Value::flag).orElse(false),
        section.find("continuous_usage").map(Value::flag).orElse(true),
        "",
        Map.of());
  }
}
