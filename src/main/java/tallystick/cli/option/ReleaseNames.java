package tallystick.cli.option;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.EngineRelease;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.simengine.EngineSettings;
import tallystick.simengine.MetricNames;

/** What the simulated engine calls its families as an older vLLM, by the vocabulary's account. */
final class ReleaseNames {
  private static final EngineRelease FIRST = new EngineRelease(7, 0);
  private static final MetricVocabulary VOCABULARY = MetricVocabulary.standard();
  private static final EngineFamily VLLM = VOCABULARY.families().getFirst();
  private static final EngineRelease LAST = VOCABULARY.newest(VLLM).orElseThrow();

  private ReleaseNames() {}

  /**
   * The engine with the names of the release that its settings tell.
   *
   * @throws IllegalArgumentException if nothing is known of that release, or if its V0 engine
   *     cannot be told apart from others
   */
  static EngineSettings on(EngineSettings settings) {
    if (!settings.isVllm()) {
      return settings;
    }
    String version = settings.release().version();
    EngineRelease release =
        EngineRelease.read(version)
            .filter(known -> known.compareTo(FIRST) >= 0 && known.compareTo(LAST) <= 0)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "vllm-version must be a release from %s to %s, was %s"
                            .formatted(FIRST, LAST, version)));
    if (release.isV0() && settings.dataParallelSize() > 1) {
      throw new IllegalArgumentException(
          "vllm-version " + version + " has the V0 engine, whose series do not tell engines apart:"
              + " data-parallel-size must be 1");
    }
    boolean showsHidden = release.previousMinor().equals(settings.release().showHidden());
    boolean isV1 = !release.isV0();
    return settings.named(new MetricNames(names(release, showsHidden), isV1, isV1, true));
  }

  private static Map<String, List<String>> names(EngineRelease release, boolean showsHidden) {
    Map<String, List<String>> names = new HashMap<>();
    for (MetricConcept concept : MetricConcept.values()) {
      List<MetricVocabulary.Entry> entries = VOCABULARY.namesOf(concept, VLLM);
      List<String> exposed =
          entries.stream()
              .filter(entry -> entry.life().isExposedIn(release, showsHidden))
              .map(MetricVocabulary.Entry::family)
              .toList();
      entries.stream().findFirst().ifPresent(current -> names.put(current.family(), exposed));
    }
    return names;
  }
}
