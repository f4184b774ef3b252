package tallystick.experiment.capacity;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.answer.chart.GoodputCurve;
import tallystick.experiment.Journal;
import tallystick.runrecord.WholeFile;

/** What a finished search says: on the screen, in a file, and by its exit code. */
public final class CapacityReport {
  private static final int FORMAT = 1;

  private final CapacityEnd end;

  /** How a search ends, for whoever only looks at that. */
  public enum Outcome {
    CERTIFIED,
    NOT_PROVEN,
    NEVER_HELD,
    NOT_TRUSTED,
    BUDGET_TOO_SMALL
  }

  CapacityReport(CapacityEnd end) {
    this.end = end;
  }

  /** How it ended. */
  public Outcome outcome() {
    return switch (end.answer()) {
      case CapacityAnswer.Certified certified -> Outcome.CERTIFIED;
      case CapacityAnswer.Unproven unproven -> Outcome.NOT_PROVEN;
      case CapacityAnswer.AtLeast atLeast -> Outcome.NOT_PROVEN;
      case CapacityAnswer.NeverHeld never -> Outcome.NEVER_HELD;
      case CapacityAnswer.Untrusted untrusted -> Outcome.NOT_TRUSTED;
      case CapacityAnswer.BudgetTooSmall small -> Outcome.BUDGET_TOO_SMALL;
    };
  }

  /** The first screen: 80 columns, at most 24 lines. */
  public String text() {
    return new CapacityScreen(end).text();
  }

  /** What the runs carried, to draw. */
  public GoodputCurve curve() {
    List<GoodputCurve.Point> points =
        end.probes().stream()
            .filter(probe -> probe.isTrusted() && probe.judged() > 0)
            .map(
                probe ->
                    new GoodputCurve.Point(
                        probe.probe().perSecond(), probe.goodputPerSecond(),
                        probe.holds(end.objective().share())))
            .toList();
    RateCurve.Span span = end.answer().span();
    boolean isProven =
        !(end.answer() instanceof CapacityAnswer.Unproven open) || open.isProven();
    return new GoodputCurve(
        end.unit(), end.objective().words(), points, span.low(), span.high(), isProven);
  }

  /** Writes {@code capacity.json} into the experiment's folder. */
  void write(Path folder) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("format_version", FORMAT);
    all.put("scenario", end.scenario());
    all.put("rate_unit", end.unit());
    all.put("engine", end.engine());
    all.put("outcome", outcome().name().toLowerCase(Locale.ROOT));
    all.put("objective", end.objective().words());
    all.put("share", end.objective().share());
    all.put("confidence", CapacitySearch.CONFIDENCE);
    all.putAll(figures());
    end.provenPerSecond().ifPresent(
        capacity -> {
          all.putAll(end.sizing().figures(capacity, end.tokensPerRequest()));
          end.energy(capacity).ifPresent(
              energy -> {
                all.put("joules_per_output_token", energy.joules());
                if (energy.goodJoules() > 0) {
                  all.put("joules_per_good_output_token", energy.goodJoules());
                }
                all.put("joules_measured", energy.isMeasured());
                if (energy.gpus() > 0) {
                  all.put("joules_gpus", energy.gpus());
                }
              });
        });
    end.forecast().ifPresent(
        forecast -> all.put("predicted", forecast.figures(end.answer(), end.unit())));
    all.put("elapsed_seconds", end.elapsedSeconds());
    all.put("probes", end.probes());
    WholeFile.write(folder.resolve("capacity.json"), Journal.text(all));
  }

  private Map<String, Object> figures() {
    Map<String, Object> figures = new LinkedHashMap<>();
    switch (end.answer()) {
      case CapacityAnswer.Certified certified -> {
        figures.put("certified_per_second", certified.perSecond());
        putSpan(figures, certified.span(), true);
      }
      case CapacityAnswer.Unproven unproven -> {
        putSpan(figures, unproven.span(), unproven.isProven());
        figures.put("needed_seconds", unproven.neededSeconds());
      }
      case CapacityAnswer.AtLeast atLeast -> {
        figures.put("held_per_second", atLeast.perSecond());
        figures.put("reason", atLeast.why());
      }
      case CapacityAnswer.NeverHeld never -> {
        figures.put("failed_per_second", never.perSecond());
        figures.put("good_share", never.goodShare());
      }
      case CapacityAnswer.Untrusted untrusted -> figures.put("reason", untrusted.why());
      case CapacityAnswer.BudgetTooSmall small ->
          figures.put("least_seconds", small.leastSeconds());
    }
    return figures;
  }

  /** An end that nothing bounds is left out: JSON has no word for infinite. */
  private static void putSpan(Map<String, Object> figures, RateCurve.Span span, boolean proven) {
    figures.put("interval_proven", proven);
    if (span.low() > 0) {
      figures.put("low_per_second", span.low());
    }
    if (Double.isFinite(span.high())) {
      figures.put("high_per_second", span.high());
    }
  }
}
