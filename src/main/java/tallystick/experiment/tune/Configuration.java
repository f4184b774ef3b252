package tallystick.experiment.tune;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One choice of settings.
 *
 * @param number from 0, in the order of the grid
 * @param settings flag → value, in the order of the factors
 */
public record Configuration(int number, Map<String, String> settings) {
  public Configuration {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /** Its values, for example {@code 64/4096}. */
  public String words() {
    return String.join("/", settings.values());
  }

  /** Its flags and their values: {@code max_num_seqs=64, max_num_batched_tokens=4096}. */
  public String flags() {
    return settings.entrySet().stream()
        .map(one -> one.getKey() + "=" + one.getValue())
        .collect(Collectors.joining(", "));
  }
}
