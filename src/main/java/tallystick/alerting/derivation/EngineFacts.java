package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tallystick.promql.Labels;
import tallystick.promql.SeriesStore;
import tallystick.promql.StoredSeries;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;

/** The settings of the engines a threshold was measured on, as they and the user told them. */
final class EngineFacts {
  private static final List<String> SETTINGS =
      List.of(
          "num_gpu_blocks", "block_size", "enable_prefix_caching", "gpu_memory_utilization",
          "max_num_seqs", "max_num_batched_tokens");

  private EngineFacts() {}

  /** One text, for example {@code num_gpu_blocks=2048 block_size=16 gpu=H100}. */
  static String of(List<SeriesStore> stores, List<Manifest> manifests) {
    List<String> words = new ArrayList<>();
    for (String setting : SETTINGS) {
      String values =
          stores.stream()
              .flatMap(store -> config(store).stream())
              .map(labels -> labels.get(setting))
              .filter(value -> !value.isEmpty() && !value.equals("None"))
              .distinct()
              .collect(Collectors.joining("|"));
      if (!values.isEmpty()) {
        words.add(setting + "=" + values);
      }
    }
    manifests.stream()
        .flatMap(manifest -> manifest.labels().entrySet().stream())
        .filter(label -> !label.getKey().equals("mix"))
        .map(Map.Entry::toString)
        .distinct()
        .sorted()
        .forEach(words::add);
    return words.isEmpty() ? "settings not exposed" : String.join(" ", words);
  }

  private static Optional<Labels> config(SeriesStore store) {
    return store.all().stream()
        .map(StoredSeries::labels)
        .filter(
            labels ->
                MetricVocabulary.standard()
                    .entryOf(labels.name())
                    .filter(entry -> entry.concept() == MetricConcept.CACHE_CONFIG)
                    .isPresent())
        .findFirst();
  }
}
