package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.analysis.client.ObjectiveReading;
import tallystick.experiment.Rates;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;

/**
 * Limits that one request must keep all together, and the share of requests that must. The good
 * ones are the goodput of {@code vllm bench serve --goodput}, which counts from the actual start
 * where this counts from the intended one.
 *
 * @param limits what a request must keep, at least one
 * @param share of the requests that must be good
 */
record JointObjective(List<Objective> limits, double share) {
  JointObjective {
    limits = List.copyOf(limits);
  }

  /**
   * The joint objective of a scenario.
   *
   * @param given the share to ask for; without one the objectives must agree
   * @throws IllegalArgumentException if they do not, if there is none, or if one judges gaps
   */
  static JointObjective of(List<Objective> objectives, OptionalDouble given) {
    if (objectives.isEmpty()) {
      throw new IllegalArgumentException(
          "the scenario has no objective to hold; write for example"
              + " objectives: [{ttft: 500ms, share: 0.99}]");
    }
    for (Objective objective : objectives) {
      if (objective.metric() == Objective.Metric.ITL) {
        throw new IllegalArgumentException(
            "itl judges gaps, a capacity judges requests; write tpot or largest_gap instead");
      }
    }
    List<Double> shares = objectives.stream().map(Objective::share).distinct().toList();
    if (given.isEmpty() && shares.size() > 1) {
      throw new IllegalArgumentException(
          "the objectives ask for shares of " + shares
              + "; all together have one: name it, for example --share " + shares.get(0));
    }
    double share = given.orElse(shares.get(0));
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException("--share must be between 0 and 1, was " + share);
    }
    return new JointObjective(objectives, share);
  }

  /**
   * Whether a request kept every limit; empty where no limit is meant for it, or where its client
   * left before anybody could tell. A failed request is bad.
   *
   * @param fromIntended whether waiting counts from the intended start
   */
  Optional<Boolean> judge(RequestRow row, int choices, boolean fromIntended) {
    List<Boolean> open = new ArrayList<>();
    List<Boolean> kept = new ArrayList<>();
    boolean isMeant = false;
    for (Objective limit : limits) {
      isMeant |= limit.requestClass().isEmpty() || limit.requestClass().equals(row.requestClass());
      new ObjectiveReading(limit, fromIntended)
          .read(row, choices, (nanos, at, unfinished) -> {
            boolean isWithin = nanos / 1e9 <= limit.thresholdSeconds();
            (isWithin && unfinished ? open : kept).add(isWithin);
          });
    }
    if (!isMeant) {
      return Optional.empty();
    }
    if (kept.contains(false)) {
      return Optional.of(false);
    }
    boolean isWhole = row.ending().outcome() == Outcome.OK;
    return isWhole && open.isEmpty() ? Optional.of(true) : Optional.empty();
  }

  /** For example {@code TTFT <= 250 ms and TPOT <= 30 ms for 99 %}. */
  String words() {
    StringBuilder words = new StringBuilder();
    for (Objective limit : limits) {
      words.append(words.isEmpty() ? "" : " and ").append(words(limit));
    }
    return words + " for " + percent(share);
  }

  private static String words(Objective limit) {
    String of = limit.requestClass().isEmpty() ? "" : " of " + limit.requestClass();
    String quantity = switch (limit.metric()) {
      case TTFT -> "TTFT";
      case TPOT -> "TPOT";
      case E2E -> "E2E";
      case LARGEST_GAP -> "largest gap";
      case ITL -> "ITL";
    };
    return quantity + of + " <= " + duration(limit.thresholdSeconds());
  }

  private static String duration(double seconds) {
    return seconds < 1
        ? Rates.text(seconds * 1e3) + " ms"
        : Rates.text(seconds) + " s";
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.4g", share * 100).replaceAll("\\.?0+$", "") + " %";
  }
}
