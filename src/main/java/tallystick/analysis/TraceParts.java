package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.Stamp;
import tallystick.analysis.result.TraceJoin;
import tallystick.analysis.result.TraceJoin.SpanTime;
import tallystick.analysis.statistics.SampleSet;
import tallystick.analysis.statistics.TimedSamples;
import tallystick.scenario.Formatted;

/** What the joined requests say, beside the means of the engine's histograms. */
record TraceParts(TraceJoiner joiner, Map<Latency, EngineDistribution> engine) {
  /**
   * The join as the report shows it.
   *
   * @param reception what the receiver noted; empty where none was open
   */
  static TraceJoin of(
      TraceJoiner joiner, String reception, Map<Latency, EngineDistribution> engine) {
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
        Stamp.NONE);
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
    for (SpanTime name : SpanTime.values()) {
      TimedSamples samples = joiner.samples(name);
      Figure histogram = histogramMean(name);
      Figure difference =
          samples.count() == 0
              ? Figure.missing("no samples")
              : Figure.of(samples.samples().meanSeconds()).minus(histogram);
      parts.add(new TraceJoin.Part(name, samples.distribution(), histogram, difference));
    }
    return parts;
  }

  /** The part's mean as the histograms give it: differences of means. */
  private Figure histogramMean(SpanTime name) {
    return switch (name) {
      case TTFT_OUTSIDE ->
          clientMean(SpanTime.TTFT_OUTSIDE, SpanTime.TTFT).minus(histogramMean(SpanTime.TTFT));
      case E2E_OUTSIDE ->
          clientMean(SpanTime.E2E_OUTSIDE, SpanTime.E2E).minus(histogramMean(SpanTime.E2E));
      case API_SERVER ->
          histogramMean(SpanTime.TTFT)
              .minus(histogramMean(SpanTime.QUEUE))
              .minus(histogramMean(SpanTime.PREFILL));
      case TTFT -> mean(name, Latency.TTFT);
      case QUEUE -> mean(name, Latency.QUEUE);
      case PREFILL -> mean(name, Latency.PREFILL);
      case DECODE -> mean(name, Latency.DECODE);
      case INFERENCE -> mean(name, Latency.INFERENCE);
      case E2E -> mean(name, Latency.E2E);
    };
  }

  /** Mean from request written at the client, over the joined requests. */
  private Figure clientMean(SpanTime outside, SpanTime inside) {
    SampleSet differences = joiner.samples(outside).samples();
    SampleSet told = joiner.samples(inside).samples();
    return differences.count() == 0 || differences.count() != told.count()
        ? Figure.missing("not every joined request has both sides")
        : Figure.of(differences.meanSeconds() + told.meanSeconds());
  }

  private Figure mean(SpanTime name, Latency latency) {
    EngineDistribution histogram = engine.get(latency);
    if (histogram == null) {
      return Figure.missing("no histogram of it");
    }
    long told = joiner.samples(name).count();
    if (Math.round(histogram.count()) != told) {
      return Figure.missing(Formatted.of(
          "spans tell of %d requests, the histogram of %.0f", told, histogram.count()));
    }
    return histogram.mean();
  }
}
