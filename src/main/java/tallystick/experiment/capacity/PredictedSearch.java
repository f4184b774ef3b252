package tallystick.experiment.capacity;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.experiment.ExperimentLoop;
import tallystick.experiment.RateFormat;
import tallystick.experiment.Site;
import tallystick.scenario.Formatted;

/**
 * What a profile of the engine says of a search, in virtual time. All of it is simulated, and no
 * decision rests on it: it only tells where to begin.
 *
 * @param answer how the search ended on the simulated engine
 * @param probes what the simulated engine showed in the probes that were measured; empty until then
 */
record PredictedSearch(CapacityAnswer answer, List<ProbeResult> probes) {
  /**
   * A forecast in {@code capacity.json}.
   *
   * @param simulated always true: nothing of it was measured
   * @param perSecond the predicted capacity; absent where the simulated search found none
   * @param words what a reader of the answer is told
   * @param probes what the simulated engine showed in the probes that were measured
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Figures(boolean simulated, Double perSecond, String words, List<ProbeResult> probes) {}

  /** So much virtual load tells a capacity to about a tenth; it only sets the first rate. */
  static final double BUDGET_SECONDS = 1800;

  /**
   * Plays a search on a simulated engine; empty if somebody stopped it.
   *
   * @throws IOException if the disk fails
   */
  static Optional<PredictedSearch> of(CapacitySearch search, ProbePlayer player, Site site)
      throws IOException, InterruptedException {
    return ExperimentLoop.<Probe, ProbeResult>rehearse(
            done ->
                search.next(done) instanceof CapacitySearch.Step.Play(Probe probe)
                    ? Optional.of(probe)
                    : Optional.empty(),
            player::play, site)
        .map(done -> new PredictedSearch(answer(search, done), List.of()));
  }

  private static CapacityAnswer answer(CapacitySearch search, List<ProbeResult> done) {
    return switch (search.next(done)) {
      case CapacitySearch.Step.Conclude(CapacityAnswer answer) -> answer;
      case CapacitySearch.Step.Play play ->
          throw new IllegalStateException("a rehearsed search has ended");
    };
  }

  /**
   * The same with what the simulated engine shows under the load of these probes; empty if somebody
   * stopped it.
   */
  Optional<PredictedSearch> beside(List<ProbeResult> measured, ProbePlayer player, Site site)
      throws IOException, InterruptedException {
    return ExperimentLoop.rehearse(
            measured.stream().filter(ProbeResult::isTrusted).map(ProbeResult::probe).toList(),
            player::play, site)
        .map(all -> new PredictedSearch(answer, all));
  }

  /** The predicted capacity; empty where the simulated search found none. */
  OptionalDouble perSecond() {
    return answer.likelyPerSecond();
  }

  /** Predicted share of good requests at a rate; empty where no such probe was played. */
  OptionalDouble goodShare(double perSecond) {
    List<ProbeResult> there =
        probes.stream()
            .filter(one -> one.isTrusted() && one.probe().perSecond() == perSecond)
            .toList();
    long judged = there.stream().mapToLong(ProbeResult::judged).sum();
    return judged == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            (double) there.stream().mapToLong(ProbeResult::good).sum() / judged);
  }

  /**
   * What a reader of the answer must know of it.
   *
   * @param unit of a rate
   */
  String words(CapacityAnswer measured, String unit) {
    OptionalDouble here = perSecond();
    if (here.isEmpty()) {
      return "none: the simulation of this profile found no capacity";
    }
    String predicted = RateFormat.text(here.getAsDouble()) + " " + unit + " (simulated)";
    if (!measured.isProven()) {
      return predicted
          + (measured.interval().middle().isPresent()
              ? "; only single runs measured it: compare good with predicted below"
              : "; nothing measured to compare it with");
    }
    RateInterval known = measured.interval();
    if (here.getAsDouble() >= known.low() && here.getAsDouble() <= known.high()) {
      return predicted + ": inside the measured interval";
    }
    boolean isAbove = here.getAsDouble() > known.high();
    double end = isAbove ? known.high() : known.low();
    return Formatted.of(
        "%s: the profile is off, at least %.0f %% too %s", predicted,
        100 * Math.abs(here.getAsDouble() / end - 1), isAbove ? "high" : "low");
  }

  /** The same for {@code capacity.json}. */
  Figures figures(CapacityAnswer measured, String unit) {
    OptionalDouble here = perSecond();
    return new Figures(
        true, here.isPresent() ? here.getAsDouble() : null, words(measured, unit), probes);
  }

  /** Predicted share of good requests as a cell of the table. */
  String cell(double perSecond) {
    OptionalDouble share = goodShare(perSecond);
    return share.isEmpty()
        ? "n/a"
        : Formatted.of("%.2f %%", 100 * share.getAsDouble());
  }
}
