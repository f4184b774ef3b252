package tallystick.analysis.exporters;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import tallystick.analysis.engine.SeriesTrack;
import tallystick.runrecord.MetricConcept;

/**
 * What Dynamo's frontends counted of a run, as its exporters. Dynamo's workers show neither
 * finished requests nor tokens, so the ledger takes these.
 */
public final class FrontendCounts {
  /** No frontend was scraped. */
  public static final FrontendCounts NONE = new FrontendCounts(List.of());

  private final List<ExporterReading> frontends;

  FrontendCounts(List<ExporterReading> exporters) {
    this.frontends =
        exporters.stream()
            .filter(
                exporter -> exporter.tracks(MetricConcept.DYNAMO_REQUESTS).findAny().isPresent())
            .toList();
  }

  /** Requests that ended well. */
  public OptionalDouble finished() {
    return growth(
        MetricConcept.DYNAMO_REQUESTS,
        track ->
            track.kind() == SeriesTrack.Kind.COUNTER
                && track.series().label("status").equals("success"));
  }

  public OptionalDouble promptTokens() {
    return growth(MetricConcept.DYNAMO_INPUT_LENGTH, track -> track.kind() == SeriesTrack.Kind.SUM);
  }

  public OptionalDouble outputTokens() {
    return growth(
        MetricConcept.DYNAMO_OUTPUT_TOKENS, track -> track.kind() == SeriesTrack.Kind.COUNTER);
  }

  /** {@code dynamo_frontend_requests of exporter "frontend"}. */
  public String source(MetricConcept concept) {
    String names =
        String.join(
            ", ",
            frontends.stream().map(frontend -> "\"" + frontend.exporter().name() + "\"").toList());
    String family =
        frontends.stream()
            .flatMap(frontend -> frontend.tracks(concept))
            .map(SeriesTrack::family)
            .findFirst()
            .orElse(concept.name());
    return family + " of exporter " + names;
  }

  /** Empty if a frontend was not scraped from before the load to after it, or began anew. */
  private OptionalDouble growth(MetricConcept concept, Predicate<SeriesTrack> isCounted) {
    boolean isKnown =
        !frontends.isEmpty()
            && frontends.stream()
                .allMatch(
                    frontend ->
                        frontend.coversLoad()
                            && !frontend.restarted()
                            && frontend.tracks(concept).anyMatch(isCounted));
    return isKnown
        ? OptionalDouble.of(
            frontends.stream()
                .flatMap(frontend -> frontend.tracks(concept).filter(isCounted))
                .mapToDouble(SeriesTrack::delta)
                .sum())
        : OptionalDouble.empty();
  }
}
