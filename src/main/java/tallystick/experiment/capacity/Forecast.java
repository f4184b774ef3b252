package tallystick.experiment.capacity;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.experiment.ExperimentLoop;
import tallystick.experiment.JointObjective;
import tallystick.experiment.Rates;
import tallystick.experiment.Site;

/**
 * What a profile of the engine says of a search, in virtual time. All of it is simulated, and no
 * decision rests on it: it only tells where to begin.
 *
 * @param answer how the search ended on the simulated engine
 * @param probes what the simulated engine showed in the probes that were measured; empty until then
 */
record Forecast(CapacityAnswer answer, List<ProbeResult> probes) {
  /** So much virtual load tells a profile's capacity to about a tenth. */
  static final double BUDGET_SECONDS = 1800;

  Forecast {
    probes = List.copyOf(probes);
  }

  /**
   * Plays a search on a simulated engine; empty if somebody stopped it.
   *
   * @throws IOException if the disk fails
   */
  static Optional<Forecast> of(CapacitySearch search, ProbePlayer player, Site site)
      throws IOException, InterruptedException {
    return ExperimentLoop.<Probe, ProbeResult>rehearse(
            done ->
                search.next(done) instanceof CapacitySearch.Step.Play(Probe probe)
                    ? Optional.of(probe)
                    : Optional.empty(),
            player::play, site)
        .map(done -> new Forecast(answer(search, done), List.of()));
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
  Optional<Forecast> beside(List<ProbeResult> measured, ProbePlayer player, Site site)
      throws IOException, InterruptedException {
    return ExperimentLoop.rehearse(
            measured.stream().filter(ProbeResult::isTrusted).map(ProbeResult::probe).toList(),
            player::play, site)
        .map(all -> new Forecast(answer, all));
  }

  /** The predicted capacity; empty where the simulated search found none. */
  OptionalDouble perSecond() {
    return middle(answer);
  }

  /** The one rate that stands for an answer: not what is certain, which lies below it. */
  private static OptionalDouble middle(CapacityAnswer of) {
    return switch (of) {
      case CapacityAnswer.Certified certified ->
          OptionalDouble.of(middle(certified.span()).orElse(certified.perSecond()));
      case CapacityAnswer.Unproven unproven -> middle(unproven.span());
      case CapacityAnswer.AtLeast atLeast -> OptionalDouble.empty();
      case CapacityAnswer.NeverHeld never -> OptionalDouble.empty();
      case CapacityAnswer.Untrusted untrusted -> OptionalDouble.empty();
      case CapacityAnswer.BudgetTooSmall small -> OptionalDouble.empty();
    };
  }

  private static OptionalDouble middle(RateCurve.Span span) {
    return span.low() > 0 && Double.isFinite(span.high())
        ? OptionalDouble.of(Math.sqrt(span.low() * span.high()))
        : OptionalDouble.empty();
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
      return "nothing: the simulated engine of this profile has no capacity that can be told";
    }
    String predicted = Rates.text(here.getAsDouble()) + " " + unit + " (simulated)";
    Optional<RateCurve.Span> span = span(measured);
    if (span.isEmpty()) {
      return predicted
          + (middle(measured.span()).isPresent()
              ? "; only single runs measured it: compare good with predicted below"
              : "; nothing measured to compare it with");
    }
    RateCurve.Span known = span.get();
    if (here.getAsDouble() >= known.low() && here.getAsDouble() <= known.high()) {
      return predicted + ": inside the measured interval";
    }
    boolean isAbove = here.getAsDouble() > known.high();
    double end = isAbove ? known.high() : known.low();
    return String.format(
        Locale.ROOT, "%s: the profile is off, at least %.0f %% too %s", predicted,
        100 * Math.abs(here.getAsDouble() / end - 1), isAbove ? "high" : "low");
  }

  /** An interval of all runs; what single probes showed is none. */
  private static Optional<RateCurve.Span> span(CapacityAnswer of) {
    return switch (of) {
      case CapacityAnswer.Certified certified -> Optional.of(certified.span());
      case CapacityAnswer.Unproven unproven ->
          unproven.isProven() ? Optional.of(unproven.span()) : Optional.empty();
      case CapacityAnswer.AtLeast atLeast -> Optional.empty();
      case CapacityAnswer.NeverHeld never -> Optional.empty();
      case CapacityAnswer.Untrusted untrusted -> Optional.empty();
      case CapacityAnswer.BudgetTooSmall small -> Optional.empty();
    };
  }

  /** The same for the file of figures. */
  Map<String, Object> figures(CapacityAnswer measured, String unit) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("simulated", true);
    perSecond().ifPresent(rate -> all.put("per_second", rate));
    all.put("words", words(measured, unit));
    all.put("probes", probes);
    return all;
  }

  /** Predicted share of good requests as a cell of the table. */
  String cell(double perSecond) {
    OptionalDouble share = goodShare(perSecond);
    return share.isEmpty()
        ? "n/a"
        : String.format(Locale.ROOT, "%.2f %%", 100 * share.getAsDouble());
  }
}
