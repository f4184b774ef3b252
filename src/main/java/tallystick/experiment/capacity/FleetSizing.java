package tallystick.experiment.capacity;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.experiment.RateFormat;
import tallystick.scenario.Formatted;

/**
 * What a capacity means for a fleet of equal replicas that share the requests evenly.
 *
 * @param peakPerSecond most requests per second that all of them together must carry
 * @param pricePerHour of one replica, in any currency
 * @param watts that one replica draws at its capacity
 * @param traffic requests over time that all of them together must carry
 */
public record FleetSizing(
    OptionalDouble peakPerSecond,
    OptionalDouble pricePerHour,
    OptionalDouble watts,
    Optional<DemandProfile> traffic) {
  /**
   * The answer in {@code capacity.json}; what was not asked or is not known is absent.
   *
   * @param peakPerSecond most requests per second that all replicas together must carry
   * @param replicas the fewest that carry the peak
   * @param replicasWithOneDown one more, so that one may be down
   * @param outputTokensPerRequest mean output tokens
   * @param costPerMillionOutputTokens of one replica at the proven rate
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Figures(
      Double peakPerSecond,
      Long replicas,
      Long replicasWithOneDown,
      @JsonUnwrapped DemandProfile.Figures traffic,
      Double outputTokensPerRequest,
      Double costPerMillionOutputTokens) {}

  private static final double MILLION = 1e6;
  private static final double HOUR = 3600;

  /**
   * A question about a fleet.
   *
   * @throws IllegalArgumentException if a figure is not above 0
   */
  public FleetSizing {
    require("--peak", peakPerSecond);
    require("--price", pricePerHour);
    require("--power", watts);
  }

  private static void require(String option, OptionalDouble value) {
    if (value.isPresent() && !(value.getAsDouble() > 0 && value.getAsDouble() < 1e9)) {
      throw new IllegalArgumentException(
          option + " must be above 0, was " + value.getAsDouble());
    }
  }

  boolean isAsked() {
    return peakPerSecond.isPresent() || pricePerHour.isPresent() || traffic.isPresent();
  }

  /** What stands before the answer. */
  String head() {
    return peakPerSecond.isPresent() || traffic.isPresent() ? "REPLICAS" : "COST";
  }

  /**
   * The answer in words.
   *
   * @param capacity requests per second of one replica
   * @param tokensPerRequest mean output tokens; 0 where nobody counted them
   */
  String words(double capacity, double tokensPerRequest) {
    StringBuilder words = new StringBuilder();
    if (peakPerSecond.isPresent()) {
      double peak = peakPerSecond.getAsDouble();
      long fewest = DemandProfile.fewest(peak, capacity);
      words.append(
          Formatted.of(
              "%d carry a peak of %s/s with %.0f %% headroom; %d if one can fail",
              fewest, RateFormat.text(peak), 100 * (1 - peak / (fewest * capacity)), fewest + 1));
    }
    if (pricePerHour.isPresent()) {
      words.append(words.isEmpty() ? "" : "; ").append(cost(capacity, tokensPerRequest));
    }
    return words.toString();
  }

  /** What the traffic takes, in words; empty where nobody asked. */
  Optional<String> trafficWords(double capacity) {
    return traffic.map(one -> one.words(capacity));
  }

  private String cost(double capacity, double tokensPerRequest) {
    if (tokensPerRequest <= 0) {
      return "cost n/a (output tokens were not counted)";
    }
    String full =
        Formatted.of(
            "1 M output tokens cost %.3g at %s/s", perMillion(1, capacity * tokensPerRequest),
            RateFormat.text(capacity));
    if (peakPerSecond.isEmpty()) {
      return full;
    }
    double peak = peakPerSecond.getAsDouble();
    return full
        + Formatted.of(
            ", %.3g at the peak with the spare replica",
            perMillion(DemandProfile.fewest(peak, capacity) + 1, peak * tokensPerRequest));
  }

  private double perMillion(long replicas, double tokensPerSecond) {
    return replicas * pricePerHour.getAsDouble() / (tokensPerSecond * HOUR) * MILLION;
  }

  /** The answer as figures. */
  Figures figures(double capacity, double tokensPerRequest) {
    boolean isPeak = peakPerSecond.isPresent();
    long fewest = isPeak ? DemandProfile.fewest(peakPerSecond.getAsDouble(), capacity) : 0;
    boolean isCounted = tokensPerRequest > 0;
    return new Figures(
        isPeak ? peakPerSecond.getAsDouble() : null,
        isPeak ? fewest : null,
        isPeak ? fewest + 1 : null,
        traffic.map(one -> one.figures(capacity)).orElse(null),
        isCounted ? tokensPerRequest : null,
        isCounted && pricePerHour.isPresent()
            ? perMillion(1, capacity * tokensPerRequest)
            : null);
  }
}
