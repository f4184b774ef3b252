package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.Chart;
import tallystick.answer.chart.Plot;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;
import tallystick.experiment.JointObjective;
import tallystick.scenario.Formatted;
import tallystick.scenario.Objective;

/**
 * What fresh runs carried of what they were offered, and how long requests took; the band is where
 * the capacity lies.
 *
 * @param unit what a rate counts: {@code requests/s}, or {@code sessions/s}
 * @param objective what a rate had to hold
 * @param probes all at rates
 * @param answer where the capacity lies
 */
record ProbePlots(
    String unit, JointObjective objective, List<ProbeResult> probes, CapacityAnswer answer) {

  /** None where no probe's figures may be used. */
  Optional<Section> section() {
    List<ProbeResult> shown =
        probes.stream().filter(probe -> probe.isTrusted() && probe.judged() > 0).toList();
    if (shown.isEmpty()) {
      return Optional.empty();
    }
    List<Plot> plots = new ArrayList<>(List.of(goodput(shown)));
    latency("TTFT", Objective.Metric.TTFT, shown, one -> one.figures().ttft())
        .ifPresent(plots::add);
    latency("TPOT", Objective.Metric.TPOT, shown, one -> one.figures().tpot())
        .ifPresent(plots::add);
    return Optional.of(
        Section.of("goodput", "Goodput and latency over the offered rate", Chart.besides(plots)));
  }

  private Plot goodput(List<ProbeResult> shown) {
    ProbeResult most =
        Collections.max(shown, Comparator.comparingDouble(one -> one.probe().perSecond()));
    List<Plot.Series> series = new ArrayList<>();
    series.add(
        new Plot.Series(
            "all " + objective.things() + " are good", Tone.MUTED, Plot.Shape.NONE,
            Plot.Line.DASHED,
            List.of(
                Plot.Point.of(0, 0),
                Plot.Point.of(
                    most.probe().perSecond(), judgedOfEach(most) * most.probe().perSecond()))));
    series.addAll(
        marks(
            shown, one -> judgedOfEach(one) * one.goodputPerSecond(),
            value -> rate(value, goodUnit()) + " good"));
    long hold = shown.stream().filter(this::holds).count();
    return new Plot(
        "Goodput",
        "Each mark is one fresh run: a disc holds " + objective.words() + ", a cross does not. "
            + hold + " of " + shown.size() + " hold. " + band(),
        offered(),
        new Plot.Axis("good " + goodUnit(), Plot.Reach.FROM_ZERO, Numbers::threshold), series,
        guides());
  }

  /** What the objective judges, in a second. */
  private String goodUnit() {
    return objective.things() + "/s";
  }

  /** How many things are judged for each that the rate counts: requests of a session, or one. */
  private double judgedOfEach(ProbeResult one) {
    return goodUnit().equals(unit) ? 1 : one.figures().requestsPerSession();
  }

  // TTFT tells of the queue whatever is asked; TPOT is shown where it is limited.
  private Optional<Plot> latency(
      String name, Objective.Metric metric, List<ProbeResult> shown,
      Function<ProbeResult, ProbeFigures.Percentiles> of) {
    List<ProbeResult> told =
        shown.stream().filter(one -> of.apply(one).p95Seconds() > 0).toList();
    OptionalDouble limit = limit(metric);
    if (told.isEmpty() || metric == Objective.Metric.TPOT && limit.isEmpty()) {
      return Optional.empty();
    }
    List<Plot.Guide> guides = new ArrayList<>(guides());
    limit.ifPresent(
        most ->
            guides.add(
                Plot.Guide.at(
                    false, most, Tone.BAD, Numbers.limit(most, objective.share()))));
    return Optional.of(
        new Plot(
            name + " P95", "P95 of the same runs, at the rate that each was offered.", offered(),
            new Plot.Axis(name + " P95", Plot.Reach.LATENCY, LatencyUnit::tick),
            marks(
                told, one -> of.apply(one).p95Seconds(),
                value -> LatencyUnit.fitting(value).text(value)),
            guides));
  }

  private OptionalDouble limit(Objective.Metric metric) {
    return objective.limits().stream()
        .filter(limit -> limit.metric() == metric)
        .mapToDouble(Objective::thresholdSeconds)
        .min();
  }

  private Plot.Axis offered() {
    return new Plot.Axis("offered " + unit, Plot.Reach.FROM_ZERO, Numbers::threshold);
  }

  private boolean holds(ProbeResult probe) {
    return probe.holds(objective.share());
  }

  private List<Plot.Series> marks(
      List<ProbeResult> probes, ToDoubleFunction<ProbeResult> up, DoubleFunction<String> text) {
    return List.of(
        marks("holds", true, probes, up, text), marks("does not hold", false, probes, up, text));
  }

  private Plot.Series marks(
      String name, boolean holds, List<ProbeResult> probes, ToDoubleFunction<ProbeResult> up,
      DoubleFunction<String> text) {
    return new Plot.Series(
        name, holds ? Tone.GOOD : Tone.BAD, holds ? Plot.Shape.DISC : Plot.Shape.CROSS,
        Plot.Line.NONE,
        probes.stream()
            .filter(one -> holds(one) == holds)
            .map(
                one ->
                    new Plot.Point(
                        one.probe().perSecond(), up.applyAsDouble(one), "",
                        "probe " + one.probe().number() + ": offered "
                            + rate(one.probe().perSecond()) + ", "
                            + text.apply(up.applyAsDouble(one)) + ": " + name,
                        one.figures().page()))
            .toList());
  }

  private String rate(double perSecond) {
    return rate(perSecond, unit);
  }

  private static String rate(double perSecond, String unit) {
    return Formatted.of("%.3g %s", perSecond, unit);
  }

  private List<Plot.Guide> guides() {
    RateInterval interval = answer.interval();
    return isBounded()
        ? List.of(new Plot.Guide(true, interval.low(), interval.high(), Tone.ENGINE, ""))
        : List.of();
  }

  private boolean isBounded() {
    return answer.interval().low() > 0 || Double.isFinite(answer.interval().high());
  }

  private String band() {
    if (!isBounded()) {
      return "No band: the runs do not bound the capacity.";
    }
    double low = answer.interval().low();
    double high = answer.interval().high();
    String rates =
        low <= 0
            ? "below " + rate(high)
            : Double.isInfinite(high)
                ? "above " + rate(low)
                : Formatted.of("between %.3g and %s", low, rate(high));
    return "The band: the capacity " + (answer.isProven() ? "likely lies " : "seems to lie ")
        + rates
        + (answer.isProven() ? " (90 % interval)." : " (from single runs, which differ by"
        + " chance).");
  }
}
