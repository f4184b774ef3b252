package tallystick.alerting.derivation;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import tallystick.promql.Labels;
import tallystick.promql.SeriesStore;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricVocabulary;

/**
 * How the engine's metric names begin: vLLM exposes {@code vllm:}; collectors that allow no colon
 * store {@code vllm_}, and so with every family of engines.
 */
public enum Spelling {
  /** As the record has it. */
  RECORDED,
  /** {@code vllm:time_to_first_token_seconds}. */
  COLON,
  /** {@code vllm_time_to_first_token_seconds}. */
  UNDERSCORE;

  /** The spelling of these metric names; the recorded one where both or none are there. */
  public static Spelling of(Collection<String> metrics) {
    Set<Boolean> escaped =
        metrics.stream()
            .flatMap(metric -> familyOf(metric).map(own -> own.isEscaped(metric)).stream())
            .collect(Collectors.toSet());
    if (escaped.size() != 1) {
      return RECORDED;
    }
    return escaped.contains(true) ? UNDERSCORE : COLON;
  }

  /** A metric's name in this spelling. */
  public String of(String metric) {
    return switch (this) {
      case RECORDED -> metric;
      case COLON -> begun(metric, EngineFamily::prefix);
      case UNDERSCORE -> begun(metric, EngineFamily::escapedPrefix);
    };
  }

  private static Optional<EngineFamily> familyOf(String metric) {
    return MetricVocabulary.standard().familyOf(metric);
  }

  private static String begun(String metric, Function<EngineFamily, String> prefix) {
    return familyOf(metric)
        .map(family -> prefix.apply(family) + family.withoutPrefix(metric))
        .orElse(metric);
  }

  /** The same series with their names in this spelling. */
  public SeriesStore of(SeriesStore store) {
    return this == RECORDED
        ? store
        : store.relabelled(labels -> labels.with(Labels.NAME, of(labels.name())));
  }

  /** The word of the command line, for example {@code underscore}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
