package tallystick.analysis.exporters;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tallystick.analysis.client.ClientSide;
import tallystick.analysis.engine.EngineReading;
import tallystick.analysis.engine.EngineSummary;
import tallystick.analysis.engine.EngineTotals;
import tallystick.analysis.engine.SeriesTrack;
import tallystick.analysis.engine.TargetReading;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.ExporterAccount.MeasuringPoint;
import tallystick.analysis.result.ExporterAccount.Observed;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.MetricConcept;
import tallystick.scenario.Exporter.Metric;
import tallystick.scenario.Exporter.Quantity;

/** The places a request passes, each with its own counts and times, the client first. */
public record HopMetrics(
    ClientSide client, RunAnalysis.Counts counts, EngineReading engines, EngineTotals totals,
    String path) {
  private static final String NOTHING_BOOKED = "not exposed";

  /** All of them; empty if there is none but the client. */
  List<MeasuringPoint> all(List<ExporterReading> exporters) {
    List<MeasuringPoint> points = new ArrayList<>();
    exporters.forEach(exporter -> point(exporter).ifPresent(points::add));
    apiServer().ifPresent(points::add);
    engine().ifPresent(points::add);
    if (!points.isEmpty()) {
      points.add(0, clientPoint());
    }
    return points;
  }

  /**
   * The client's times go from the start of a request to the end of its stream: from before any
   * other point can have seen it to after the last has let it go.
   */
  private MeasuringPoint clientPoint() {
    RunAnalysis.ClientLatencies latencies = client.latencies().latencies();
    Map<String, Double> byStatus = new TreeMap<>();
    client.counts().byStatus().forEach(
        (status, n) -> byStatus.merge(statusClass(status), (double) n, Double::sum));
    return new MeasuringPoint(
        MeasuringPoint.CLIENT,
        counts(Figure.of(counts.ended()), counts.promptTokens(), counts.completionTokens()),
        byStatus,
        Map.of(
            Quantity.TTFT, observed(latencies.ttftFromStart()),
            Quantity.ITL, observed(latencies.chunkGaps()),
            Quantity.E2E, new Observed(client.counts().ok(), client.counts().meanWholeSeconds())),
        Map.of());
  }

  private static Observed observed(Distribution samples) {
    return new Observed(samples.count(), samples.mean());
  }

  private static Optional<MeasuringPoint> point(ExporterReading exporter) {
    Map<Quantity, Figure> counts = new EnumMap<>(Quantity.class);
    Map<String, Double> byStatus = new TreeMap<>();
    Map<Quantity, EngineDistribution> distributions = new EnumMap<>(Quantity.class);
    for (Metric metric : exporter.metrics()) {
      List<SeriesTrack> tracks = exporter.tracks(metric);
      Quantity word = metric.quantity();
      // One point may show a quantity under two names.
      if (tracks.isEmpty() || counts.containsKey(word) || distributions.containsKey(word)) {
        continue;
      }
      if (metric.quantity().isTime()) {
        EngineTotals.HistogramGrowth.of(tracks).ifPresent(
            growth -> distributions.put(
                word, EngineSummary.distribution(growth.in(metric.unitSeconds()))));
      } else if (metric.quantity() != Quantity.IN_FLIGHT) {
        counts.put(word, Figure.of(growth(tracks)));
        countByStatus(metric, tracks, byStatus);
      }
    }
    return counts.isEmpty() && distributions.isEmpty()
        ? Optional.empty()
        : Optional.of(new MeasuringPoint(
            exporter.exporter().name(), counts, byStatus, means(distributions), distributions));
  }

  /** A counter's growth; of a histogram of tokens the growth of its sum. */
  private static double growth(List<SeriesTrack> tracks) {
    return tracks.stream()
        .filter(t -> t.kind() == SeriesTrack.Kind.COUNTER || t.kind() == SeriesTrack.Kind.SUM)
        .mapToDouble(SeriesTrack::delta)
        .sum();
  }

  private static void countByStatus(
      Metric metric, List<SeriesTrack> tracks, Map<String, Double> byStatus) {
    if (!metric.by().isEmpty()) {
      tracks.stream()
          .filter(track -> track.kind() == SeriesTrack.Kind.COUNTER)
          .forEach(
              track -> byStatus.merge(
                  statusClass(track.series().label(metric.by())), track.delta(), Double::sum));
      byStatus.values().removeIf(n -> n == 0);
    }
  }

  /** vLLM's own HTTP layer, where the requests of this run's path arrive. */
  private Optional<MeasuringPoint> apiServer() {
    Map<String, Double> byStatus = new TreeMap<>();
    List<SeriesTrack> durations = new ArrayList<>();
    boolean isExposed = false;
    for (TargetReading target : engines.targets().values()) {
      for (SeriesTrack track : target.tracks()) {
        boolean isOurs = track.series().label("handler").equals(path) && !target.isSpoiled(track);
        if (isOurs && track.means(MetricConcept.HTTP_REQUESTS)
            && track.kind() == SeriesTrack.Kind.COUNTER) {
          isExposed = true;
          byStatus.merge(statusClass(track.series().label("status")), track.delta(), Double::sum);
        } else if (isOurs && track.means(MetricConcept.HTTP_DURATION)) {
          durations.add(track);
        }
      }
    }
    if (!isExposed) {
      return Optional.empty();
    }
    byStatus.values().removeIf(n -> n == 0);
    Map<Quantity, EngineDistribution> distributions = new EnumMap<>(Quantity.class);
    EngineTotals.HistogramGrowth.of(durations)
        .ifPresent(growth -> distributions.put(Quantity.E2E, EngineSummary.distribution(growth)));
    double all = byStatus.values().stream().mapToDouble(Double::doubleValue).sum();
    return Optional.of(new MeasuringPoint(
        MeasuringPoint.SERVER, Map.of(Quantity.REQUESTS, Figure.of(all)), byStatus,
        means(distributions), distributions));
  }

  private Optional<MeasuringPoint> engine() {
    if (totals.isEmpty()) {
      return Optional.empty();
    }
    Map<Quantity, EngineDistribution> distributions = new EnumMap<>(Quantity.class);
    Map.of(
            Quantity.TTFT, MetricConcept.TTFT,
            Quantity.ITL, MetricConcept.ITL,
            Quantity.E2E, MetricConcept.E2E)
        .forEach(
            (word, concept) ->
                totals.histogram(concept).ifPresent(
                    growth -> distributions.put(word, EngineSummary.distribution(growth))));
    return Optional.of(new MeasuringPoint(
        "engine",
        counts(
            booked(MetricConcept.REQUEST_SUCCESS),
            booked(MetricConcept.PROMPT_TOKENS),
            booked(MetricConcept.GENERATION_TOKENS)),
        Map.of(),
        means(distributions),
        distributions));
  }

  private Figure booked(MetricConcept concept) {
    return totals.counter(concept).stream()
        .mapToObj(Figure::of)
        .findFirst()
        .orElseGet(() -> Figure.missing(NOTHING_BOOKED));
  }

  private static Map<Quantity, Figure> counts(Figure requests, Figure prompt, Figure output) {
    Map<Quantity, Figure> counts = new EnumMap<>(Quantity.class);
    counts.put(Quantity.REQUESTS, requests);
    counts.put(Quantity.PROMPT_TOKENS, prompt);
    counts.put(Quantity.OUTPUT_TOKENS, output);
    return counts;
  }

  private static Map<Quantity, Observed> means(Map<Quantity, EngineDistribution> distributions) {
    Map<Quantity, Observed> means = new EnumMap<>(Quantity.class);
    distributions.forEach(
        (word, histogram) -> means.put(word, new Observed(histogram.count(), histogram.mean())));
    return means;
  }

  /** {@code 2xx} for 200; another word stays as it is. */
  private static String statusClass(String status) {
    return status.matches("[1-5]\\d\\d") ? status.charAt(0) + "xx" : status;
  }
}
