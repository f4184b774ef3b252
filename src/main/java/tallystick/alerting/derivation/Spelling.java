package tallystick.alerting.derivation;

import java.util.Collection;
import java.util.Locale;
import tallystick.promql.Labels;
import tallystick.promql.SeriesStore;
import tallystick.promql.StoredSeries;

/**
 * How the engine's metric names begin: vLLM exposes {@code vllm:}; collectors that allow no colon
 * store {@code vllm_}.
 */
public enum Spelling {
  /** As the record has it. */
  RECORDED,
  /** {@code vllm:time_to_first_token_seconds}. */
  COLON,
  /** {@code vllm_time_to_first_token_seconds}. */
  UNDERSCORE;

  private static final String WITH_COLON = "vllm:";
  private static final String WITH_UNDERSCORE = "vllm_";

  /** The spelling of these metric names; the recorded one where both or none are there. */
  public static Spelling of(Collection<String> metrics) {
    boolean colon = metrics.stream().anyMatch(name -> name.startsWith(WITH_COLON));
    boolean underscore = metrics.stream().anyMatch(name -> name.startsWith(WITH_UNDERSCORE));
    if (colon == underscore) {
      return RECORDED;
    }
    return colon ? COLON : UNDERSCORE;
  }

  /** A metric's name in this spelling. */
  public String of(String metric) {
    return switch (this) {
      case RECORDED -> metric;
      case COLON -> begun(metric, WITH_UNDERSCORE, WITH_COLON);
      case UNDERSCORE -> begun(metric, WITH_COLON, WITH_UNDERSCORE);
    };
  }

  private static String begun(String metric, String from, String to) {
    return metric.startsWith(from) ? to + metric.substring(from.length()) : metric;
  }

  /** The same series with their names in this spelling. */
  public SeriesStore of(SeriesStore store) {
    if (this == RECORDED) {
      return store;
    }
    SeriesStore spelled = new SeriesStore();
    for (StoredSeries series : store.all()) {
      Labels labels = series.labels().with(Labels.NAME, of(series.labels().name()));
      for (int i = 0; i < series.size(); i++) {
        spelled.append(labels, series.millis(i), series.value(i));
      }
    }
    return spelled;
  }

  /** The word of the command line, for example {@code underscore}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
