package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.TraceJoin;
import tallystick.analysis.statistics.SampleSet;
import tallystick.analysis.statistics.TimedSamples;

/** What the joined requests say, beside the means of the engine's histograms. */
final class TraceParts {
  static final String TTFT_OUTSIDE = "ttft_outside";
  static final String TTFT = "ttft";
  static final String API_SERVER = "api_server";
  static final String QUEUE = "queue";
  static final String PREFILL = "prefill";
  static final String DECODE = "decode";
  static final String INFERENCE = "inference";
  static final String E2E = "e2e";
  static final String E2E_OUTSIDE = "e2e_outside";

  /** In the order they are shown. */
  static final List<String> NAMES =
      List.of(
          TTFT_OUTSIDE, TTFT, API_SERVER, QUEUE, PREFILL, DECODE, INFERENCE, E2E, E2E_OUTSIDE);

  private final TraceJoiner joiner;
  private final Map<String, EngineDistribution> engine;

  private TraceParts(TraceJoiner joiner, Map<String, EngineDistribution> engine) {
    this.joiner = joiner;
    this.engine = engine;
  }

  /**
   * The join as the report shows it.
   *
   * @param reception what the receiver noted; empty where none was open
   */
  static TraceJoin of(
      TraceJoiner joiner, String reception, Map<String, EngineDistribution> engine) {
    boolean listened = !reception.isEmpty() || joiner.spans() > 0;
    if (!listened) {
      return TraceJoin.absent("the run took no traces: see --otlp-port");
    }
    String absence = absence(joiner);
    return new TraceJoin(
        true,
        absence.isEmpty(),
        absence,
        reception,
        joiner.requests(),
        joiner.joined(),
        joiner.spans(),
        joiner.unmatched(),
        absence.isEmpty() ? new TraceParts(joiner, engine).parts() : List.of(),
        "");
  }

  private static String absence(TraceJoiner joiner) {
    if (joiner.spans() == 0) {
      return "no span came: the engine needs --otlp-traces-endpoint and"
          + " OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf";
    }
    if (joiner.isTooMany()) {
      return "more than " + TraceJoiner.MOST_SPANS + " spans";
    }
    return joiner.joined() == 0
        ? "none of " + joiner.spans() + " spans belongs to a measured request that ended well"
        : "";
  }

  private List<TraceJoin.Part> parts() {
    List<TraceJoin.Part> parts = new ArrayList<>();
    for (String name : NAMES) {
      TimedSamples samples = joiner.samples(name);
      Figure histogram = histogramMean(name);
      Figure difference =
          samples.count() == 0
              ? Figure.missing("no samples")
              : minus(Figure.of(samples.samples().meanSeconds()), histogram);
      parts.add(new TraceJoin.Part(name, samples.distribution(), histogram, difference));
    }
    return parts;
  }

  /** The part's mean as the histograms give it: differences of means. */
  private Figure histogramMean(String name) {
    return switch (name) {
      case TTFT_OUTSIDE -> minus(clientMean(TTFT_OUTSIDE, TTFT), mean(TTFT));
      case E2E_OUTSIDE -> minus(clientMean(E2E_OUTSIDE, E2E), mean(E2E));
      case API_SERVER -> minus(minus(mean(TTFT), mean(QUEUE)), mean(PREFILL));
      default -> mean(name);
    };
  }

  /** Mean from request written at the client, over the joined requests. */
  private Figure clientMean(String outside, String inside) {
    SampleSet differences = joiner.samples(outside).samples();
    SampleSet told = joiner.samples(inside).samples();
    return differences.count() == 0 || differences.count() != told.count()
        ? Figure.missing("not every joined request has both sides")
        : Figure.of(differences.meanSeconds() + told.meanSeconds());
  }

  private Figure mean(String name) {
    EngineDistribution histogram = engine.get(name);
    if (histogram == null) {
      return Figure.missing("no histogram of it");
    }
    long told = joiner.samples(name).count();
    if (Math.round(histogram.count()) != told) {
      return Figure.missing(
          String.format(
              Locale.ROOT, "populations differ: %d by span, %.0f in the histogram",
              told, histogram.count()));
    }
    return histogram.mean();
  }

  private static Figure minus(Figure one, Figure other) {
    if (one instanceof Figure.Known left) {
      return other instanceof Figure.Known right
          ? Figure.of(left.value() - right.value())
          : other;
    }
    return one;
  }
}
