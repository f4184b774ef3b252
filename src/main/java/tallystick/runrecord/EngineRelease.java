package tallystick.runrecord;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A release of vLLM or SGLang, both of the 0 series.
 *
 * @param minor for example 11 of {@code 0.11.2}
 * @param patch for example 2 of {@code 0.11.2}
 */
public record EngineRelease(int minor, int patch) implements Comparable<EngineRelease> {
  /** The first release whose default engine is V1. */
  private static final int FIRST_V1 = 8;

  private static final Pattern FORM =
      Pattern.compile("0\\.(\\d{1,4})(?:\\.(\\d{1,4}))?(?:[.+-].*|rc.*|post.*)?");
  private static final Comparator<EngineRelease> ORDER =
      Comparator.comparingInt(EngineRelease::minor).thenComparingInt(EngineRelease::patch);

  /** Reads {@code 0.11}, {@code 0.11.2} or {@code 0.32.0+cpu}; empty for anything else. */
  public static Optional<EngineRelease> read(String version) {
    Matcher matcher = FORM.matcher(version.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int patch = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
    return Optional.of(new EngineRelease(Integer.parseInt(matcher.group(1)), patch));
  }

  /** Whether its default engine is the older one, V0. */
  public boolean isV0() {
    return minor < FIRST_V1;
  }

  /** The minor release before, as vLLM's {@code --show-hidden-metrics-for-version} wants it. */
  public String previousMinor() {
    return "0." + (minor - 1);
  }

  boolean isBefore(EngineRelease other) {
    return compareTo(other) < 0;
  }

  @Override
  public int compareTo(EngineRelease other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return patch == 0 ? "0." + minor : "0." + minor + "." + patch;
  }
}
