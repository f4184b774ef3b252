package tallystick.experiment.capacity;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.experiment.Budget;
import tallystick.experiment.JointObjective;

/**
 * A search that has ended.
 *
 * @param scenario its name
 * @param unit what a rate counts: {@code requests/s}, or {@code conversations/s}
 * @param engine in words
 * @param objective what a rate had to hold
 * @param budget time for all probes
 * @param sizing what is asked of a fleet
 * @param answer how it ended
 * @param probes all that were played
 * @param forecast what a profile predicted; empty where none was asked
 */
record CapacityEnd(
    String scenario,
    String unit,
    String engine,
    JointObjective objective,
    Budget budget,
    Sizing sizing,
    CapacityAnswer answer,
    List<ProbeResult> probes,
    Optional<Forecast> forecast) {
  CapacityEnd {
    probes = List.copyOf(probes);
  }

  /** The rate that one replica is proven to carry; empty where none is. */
  OptionalDouble provenPerSecond() {
    return switch (answer) {
      case CapacityAnswer.Certified certified -> OptionalDouble.of(certified.perSecond());
      case CapacityAnswer.Unproven unproven ->
          unproven.isProven() && unproven.span().low() > 0
              ? OptionalDouble.of(unproven.span().low())
              : OptionalDouble.empty();
      case CapacityAnswer.AtLeast atLeast -> OptionalDouble.empty();
      case CapacityAnswer.NeverHeld never -> OptionalDouble.empty();
      case CapacityAnswer.Untrusted untrusted -> OptionalDouble.empty();
      case CapacityAnswer.BudgetTooSmall small -> OptionalDouble.empty();
    };
  }

  /** Mean output tokens of a request; 0 where nobody counted them. */
  double tokensPerRequest() {
    return probes.stream()
        .filter(one -> one.isTrusted() && one.load().tokensPerRequest() > 0)
        .mapToDouble(one -> one.load().tokensPerRequest())
        .average()
        .orElse(0);
  }

  /** Energy of an output token at a rate; empty where it was neither measured nor declared. */
  Optional<TokenEnergy> energy(double perSecond) {
    return TokenEnergy.of(
        probes, sizing.watts(), perSecond, tokensPerRequest());
  }

  double elapsedSeconds() {
    return probes.stream().mapToDouble(ProbeResult::elapsedSeconds).sum();
  }
}
