package tallystick.experiment.regress;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Goodput;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;

/** A figure of a whole run that two sides are compared by. */
public enum ComparedMetric {
  TTFT_P50("TTFT P50", run -> run.client().ttftFromIntended().percentile(0.5)),
  TTFT_P95("TTFT P95", run -> run.client().ttftFromIntended().percentile(0.95)),
  TTFT_P99("TTFT P99", run -> run.client().ttftFromIntended().percentile(0.99)),
  TPOT_MEAN("TPOT mean", run -> run.client().tpot().mean()),
  ITL_P95("ITL P95", run -> run.client().chunkGaps().percentile(0.95)),
  ITL_P99("ITL P99", run -> run.client().chunkGaps().percentile(0.99)),
  E2E_MEAN("E2E mean", run -> run.client().e2eFromIntended().mean()),
  E2E_P95("E2E P95", run -> run.client().e2eFromIntended().percentile(0.95)),
  /** Requests that ended well, of those that were planned; in a closed loop, that were sent. */
  COMPLETED("completed", ComparedMetric::completed),
  /** Requests per second that kept every objective. */
  GOODPUT("goodput", ComparedMetric::goodput),
  /** Requests that kept every objective; judged where a scenario has objectives. */
  GOOD_SHARE("good share", ComparedMetric::goodShare),
  /** Output tokens per second; with a fixed offered rate it tells nothing. */
  OUTPUT_RATE("tokens/s", run -> run.counts().completionTokensPerSecond());

  /** What decides where nobody says otherwise. */
  public static final List<ComparedMetric> USUAL =
      List.of(TTFT_P95, TPOT_MEAN, ITL_P99, E2E_P95, COMPLETED, GOOD_SHARE);

  private final String words;
  private final Function<RunAnalysis, Figure> figure;

  ComparedMetric(String words, Function<RunAnalysis, Figure> figure) {
    this.words = words;
    this.figure = figure;
  }

  /** As people write it. */
  public String words() {
    return words;
  }

  /** A value in its unit. */
  public String text(double value) {
    return switch (this) {
      case COMPLETED, GOOD_SHARE -> Numbers.percent(value);
      case GOODPUT -> Numbers.number(value) + "/s";
      // Its name says the unit.
      case OUTPUT_RATE -> Numbers.number(value);
      case TTFT_P50, TTFT_P95, TTFT_P99, TPOT_MEAN, ITL_P95, ITL_P99, E2E_MEAN, E2E_P95 ->
          LatencyUnit.fitting(value).text(value);
    };
  }

  /** As options and files write it, for example {@code ttft_p95}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The metric of a code.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ComparedMetric of(String code) {
    return Arrays.stream(values())
        .filter(metric -> metric.code().equals(code.toLowerCase(Locale.ROOT).replace('-', '_')))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no metric \"" + code + "\": known are "
                        + String.join(
                            ", ", Arrays.stream(values()).map(ComparedMetric::code).toList())));
  }

  /** Which wait, taken apart, tells why it changed. */
  public Latency explainedBy() {
    return switch (this) {
      case TTFT_P50, TTFT_P95, TTFT_P99 -> Latency.TTFT;
      case TPOT_MEAN, ITL_P95, ITL_P99, E2E_MEAN, E2E_P95, COMPLETED, GOODPUT, GOOD_SHARE,
          OUTPUT_RATE -> Latency.E2E;
    };
  }

  /** Whether it tells how fast the engine is, and not only what became of requests. */
  boolean isOfSpeed() {
    return !isShare() && this != GOODPUT;
  }

  /** Whether it is a share of requests, which is compared by its difference and may be 0. */
  boolean isShare() {
    return this == COMPLETED || this == GOOD_SHARE;
  }

  /** Whether it is a time, of which a queue makes more the longer a run is. */
  boolean isTime() {
    return isOfSpeed() && this != OUTPUT_RATE;
  }

  /** Whether less of it is worse. */
  public boolean isBetterHigh() {
    return this == COMPLETED || this == GOODPUT || this == GOOD_SHARE || this == OUTPUT_RATE;
  }

  /** A run's figure, or why it has none. */
  Figure of(RunAnalysis run) {
    return figure.apply(run);
  }

  private static Figure completed(RunAnalysis run) {
    return due(run) == 0
        ? Figure.missing("nothing was planned")
        : Figure.of((double) run.counts().ok() / due(run));
  }

  private static Figure goodput(RunAnalysis run) {
    return run.load().goodput().limits().isEmpty()
        ? Figure.missing("no objective judges requests")
        : run.load().goodput().fromIntended().requestsPerSecond();
  }

  private static Figure goodShare(RunAnalysis run) {
    Goodput.Kept kept = run.load().goodput().fromIntended();
    return kept.judged() == 0
        ? Figure.missing("no request was judged")
        : Figure.of((double) kept.good() / kept.judged());
  }

  /** A closed loop's plan holds more than any engine answers: what is left over is not lost. */
  private static long due(RunAnalysis run) {
    return run.run().closedLoop() ? run.counts().sent() : run.counts().planned();
  }
}
