package tallystick.analysis.result;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.runrecord.Manifest;

/**
 * What decisions ask of a run, each figure said once: the analysis pass makes it, and no decision
 * looks for a figure in the analysis by itself.
 *
 * @param analysis all that is known of the run
 * @param usability what its figures may be used for
 */
public record RunFigures(RunAnalysis analysis, Usability usability) {
  /** The figures of an analysed run. */
  public static RunFigures of(RunAnalysis analysis) {
    return new RunFigures(analysis, Usability.of(analysis));
  }

  /** Output tokens per second of the window. */
  public Figure tokensPerSecond() {
    return analysis.counts().completionTokensPerSecond();
  }

  /** TTFT from the intended start. */
  public Distribution ttft() {
    return analysis.client().ttftFromIntended();
  }

  /** Time of an output token, of each request. */
  public Distribution tpot() {
    return analysis.client().tpot();
  }

  /** Good requests of one phase by objective; none of a phase that the run does not have. */
  public List<ObjectiveResult> objectives(String phase) {
    return analysis.phases().stream()
        .filter(one -> one.phase().equals(phase))
        .flatMap(one -> one.objectives().stream())
        .toList();
  }

  /** Whether a stop rule ended it before its plan did. */
  public boolean isStopped() {
    return analysis.run().state() == Manifest.Ending.State.STOPPED;
  }

  /** The first phase in which requests piled up. */
  public Optional<PhaseAnalysis> overloaded() {
    return analysis.phases().stream()
        .filter(one -> one.overload().verdict() == PhaseAnalysis.Overload.Verdict.OVERLOADED)
        .findFirst();
  }

  /** Requests that the engine ran at once. */
  public Optional<GaugeRange> running() {
    return gauge("num_requests_running");
  }

  /** Requests that waited in the engine. */
  public Optional<GaugeRange> waiting() {
    return gauge("num_requests_waiting");
  }

  /** Share of the KV cache in use. */
  public Optional<GaugeRange> kvCache() {
    return gauge("kv_cache_usage");
  }

  /** Requests that the engine put back. */
  public OptionalDouble preemptions() {
    return analysis.engine().counters().entrySet().stream()
        .filter(counter -> counter.getKey().contains("num_preemptions"))
        .mapToDouble(counter -> counter.getValue())
        .findFirst();
  }

  /** The gauge of a family, whatever an engine puts before or behind its name. */
  private Optional<GaugeRange> gauge(String family) {
    return analysis.engine().gauges().entrySet().stream()
        .filter(gauge -> gauge.getKey().contains(family))
        .map(gauge -> gauge.getValue())
        .filter(range -> Double.isFinite(range.maximum()))
        .max((one, other) -> Double.compare(one.maximum(), other.maximum()));
  }
}
