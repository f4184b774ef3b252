package tallystick.experiment.capacity;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.experiment.Rates;

/**
 * What a capacity means for a fleet of equal replicas that share the requests evenly.
 *
 * @param peakPerSecond most requests per second that all of them together must carry
 * @param pricePerHour of one replica, in any currency
 * @param watts that one replica draws at its capacity
 * @param traffic requests over time that all of them together must carry
 */
public record Sizing(
    OptionalDouble peakPerSecond,
    OptionalDouble pricePerHour,
    OptionalDouble watts,
    Optional<Traffic> traffic) {
  private static final double MILLION = 1e6;
  private static final double HOUR = 3600;

  /**
   * A question about a fleet.
   *
   * @throws IllegalArgumentException if a figure is not above 0
   */
  public Sizing {
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
      long fewest = Traffic.fewest(peak, capacity);
      words.append(
          String.format(
              Locale.ROOT, "%d for a peak of %s/s, to spare %.0f %%; %d so that one may be down",
              fewest, Rates.text(peak), 100 * (1 - peak / (fewest * capacity)), fewest + 1));
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
      return "cost n/a (nobody counted output tokens)";
    }
    String full =
        String.format(
            Locale.ROOT, "cost of a million output tokens %.3g at that rate",
            perMillion(1, capacity * tokensPerRequest));
    if (peakPerSecond.isEmpty()) {
      return full;
    }
    double peak = peakPerSecond.getAsDouble();
    return full
        + String.format(
            Locale.ROOT, ", %.3g at the peak with the spare one",
            perMillion(Traffic.fewest(peak, capacity) + 1, peak * tokensPerRequest));
  }

  private double perMillion(long replicas, double tokensPerSecond) {
    return replicas * pricePerHour.getAsDouble() / (tokensPerSecond * HOUR) * MILLION;
  }

  /** The answer as figures; what was not asked or is not known is absent. */
  Map<String, Object> figures(double capacity, double tokensPerRequest) {
    Map<String, Object> figures = new LinkedHashMap<>();
    peakPerSecond.ifPresent(
        peak -> {
          figures.put("peak_per_second", peak);
          figures.put("replicas", Traffic.fewest(peak, capacity));
          figures.put("replicas_with_one_down", Traffic.fewest(peak, capacity) + 1);
        });
    traffic.ifPresent(one -> figures.putAll(one.figures(capacity)));
    if (tokensPerRequest > 0) {
      figures.put("output_tokens_per_request", tokensPerRequest);
      pricePerHour.ifPresent(
          price ->
              figures.put(
                  "cost_per_million_output_tokens",
                  perMillion(1, capacity * tokensPerRequest)));
    }
    return figures;
  }
}
