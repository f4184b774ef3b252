package tallystick.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.scenario.Workload.RequestClass;

/** Draws what requests are, apart from when they start. Each choice has a stream of its own. */
final class RequestDraw {
  private final List<RequestClass> classes;
  private final double totalWeight;
  private final RandomStream classChoice;
  private final Map<String, RandomStream> prompts = new LinkedHashMap<>();
  private final Map<String, RandomStream> outputs = new LinkedHashMap<>();

  /**
   * Opens the streams of one window.
   *
   * @param window {@code warmup} or {@code main}
   */
  RequestDraw(List<RequestClass> classes, long seed, String window) {
    this.classes = classes;
    this.totalWeight = classes.stream().mapToDouble(RequestClass::weight).sum();
    this.classChoice = RandomStream.of(seed, window + "/class");
    for (RequestClass kind : classes) {
      String purpose = window + "/" + kind.name() + "/";
      prompts.put(kind.name(), RandomStream.of(seed, purpose + "prompt"));
      outputs.put(kind.name(), RandomStream.of(seed, purpose + "output"));
    }
  }

  /** What a request is. */
  record Draft(String requestClass, Prompt prompt, int maxTokens) {}

  Draft next() {
    RequestClass kind = pick();
    int promptTokens = LengthDraw.tokens(kind.promptTokens(), prompts.get(kind.name()));
    int outputTokens = LengthDraw.tokens(kind.outputTokens(), outputs.get(kind.name()));
    return new Draft(kind.name(), Prompt.Synthetic.unique(promptTokens), outputTokens);
  }

  private RequestClass pick() {
    double point = classChoice.nextDouble() * totalWeight;
    for (RequestClass kind : classes) {
      point -= kind.weight();
      if (point < 0) {
        return kind;
      }
    }
    return classes.get(classes.size() - 1);
  }
}
