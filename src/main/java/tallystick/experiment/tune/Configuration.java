package tallystick.experiment.tune;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

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

  /** Its values, for example {@code 64 x 4096}. */
  public String words() {
    return String.join(" x ", settings.values());
  }
}
