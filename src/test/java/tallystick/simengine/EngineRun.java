package tallystick.simengine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** An engine moved on by a test, step by step, on a clock of the test's own. */
final class EngineRun {
  final EngineCore core;
  final List<Delivery> deliveries = new ArrayList<>();
  long nowNanos;

  EngineRun(Map<String, String> flags) {
    Map<String, String> all = new TreeMap<>(flags);
    all.putIfAbsent("profile", "tiny-cpu");
    core = new Replicas(EngineSettings.ofFlags(all), 1000).cores().getFirst();
  }

  /** The engine the deltas were recorded from. */
  static EngineRun asRecorded() {
    return new EngineRun(Map.of("num-gpu-blocks-override", "140", "block-size", "32"));
  }

  Frontend.Request submit(int[] prompt, int maxTokens) {
    return submit(prompt, maxTokens, 1, List.of());
  }

  Frontend.Request submit(int[] prompt, int maxTokens, int choices, List<String> stop) {
    Generation generation =
        new Generation(
            prompt, new Sequence.SamplingLimits(maxTokens, 0, true, Set.of()), stop, choices, 1, 0);
    return core.submit(generation, deliveries::add, nowNanos, nowNanos);
  }

  void step() {
    nowNanos += core.beginStep(nowNanos);
    core.endStep(nowNanos);
  }

  void steps(int count) {
    for (int i = 0; i < count; i++) {
      step();
    }
  }

  void runToEnd() {
    while (core.hasWork()) {
      step();
    }
  }

  /** Every sample but bucket counts and creation times. */
  Map<String, Double> metrics() {
    Map<String, Double> samples = new TreeMap<>();
    core.registry().snapshot().text()
        .lines()
        .filter(line -> !line.startsWith("#") && !line.contains("_bucket"))
        .filter(line -> !line.contains("_created"))
        .forEach(
            line -> {
              int space = line.lastIndexOf(' ');
              samples.put(
                  shortName(line.substring(0, space)),
                  Double.parseDouble(line.substring(space + 1)));
            });
    return samples;
  }

  double metric(String name) {
    return metrics().get("vllm:" + name);
  }

  /** A prompt whose tokens no other salt has. */
  static int[] prompt(int tokens, int salt) {
    int[] prompt = new int[tokens];
    Arrays.setAll(prompt, i -> 7 + Math.floorMod(31 * i + 977 * salt + salt * i * i, 2000));
    return prompt;
  }

  private static String shortName(String series) {
    return series
        .replace("engine=\"0\",", "")
        .replace(",model_name=\"tiny\"", "")
        .replace("model_name=\"tiny\",", "")
        .replace("{model_name=\"tiny\"}", "");
  }
}
