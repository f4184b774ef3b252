package tallystick.alerting.derivation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.alerting.AlertSeverity;
import tallystick.alerting.RefusalCode;
import tallystick.promql.Labels;
import tallystick.promql.SeriesStore;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.Sample;
import tallystick.scenario.Objective;
import tallystick.scrape.ExpositionParser;

/** A derivation made up by hand over the names and edges of a real exposition. */
public final class MadeAlerts {
  private static final Path REAL = Path.of("src/test/resources/scrape/metrics-after1.prom");

  private MadeAlerts() {}

  public static DerivedAlerts withTarget(double target, Objective.Metric metric, double edge) {
    AlertRequest request = AlertRequest.usual(new Objective(metric, edge, target, ""));
    MetricConcept concept = MetricConcept.valueOf(metric.name());
    List<SignalOutcome> outcomes =
        List.of(
            derived(Signal.BAD_RATIO, 0.03),
            derived(Signal.TTFT_P95, 0.75),
            derived(Signal.QUEUE_P95, 0.5),
            derived(Signal.PREEMPTIONS_PER_FINISHED, 0.02),
            derived(Signal.ITL_P99, 0.1),
            new SignalOutcome.Refused(
                Signal.TPOT_P95,
                List.of(
                    new UnmetRequirement(Requirement.AREA, 0.7, 0.8, "area 0.7, need >= 0.8"))));
    return of(
        request,
        new EdgeChoice(edge, true, 1, true, "the objective is a bucket edge"),
        outcomes,
        Map.of(Signal.TTFT_P95, 60_000L),
        new SignalQuery(names(), request.grouping(), concept, edge),
        new DerivedAlerts.Validity(
            List.of("run-a", "run-b"), "SIMULATED engine, model 'x'", true, 2, 60_000));
  }

  /** Without a look at how slowly the engine decodes at which load, and without windows. */
  public static DerivedAlerts of(
      AlertRequest request,
      EdgeChoice edge,
      List<SignalOutcome> outcomes,
      Map<Signal, Long> holdMillis,
      SignalQuery query,
      DerivedAlerts.Validity validity) {
    return new DerivedAlerts(
        request, edge, outcomes, holdMillis, query, validity,
        new LoadEnvelope.Refused(
            RefusalCode.TOO_FEW_OBSERVATIONS, "0 runs were looked at, need 2 or more"),
        WindowTable.of(
            List.of(), request.objective().share(), Map.of(), Map.of(), List.of()));
  }

  /** The same derivation as another request asks for it. */
  public static DerivedAlerts asked(DerivedAlerts of, AlertRequest request) {
    return of(
        request, of.edge(), of.outcomes(), of.holdMillis(), of.query(), of.validity());
  }

  /** The usual derivation with other group labels in another spelling. */
  public static DerivedAlerts written(List<String> grouping, Spelling spelling) {
    DerivedAlerts usual = withTarget(0.99, Objective.Metric.TTFT, 1);
    SignalQuery query =
        new SignalQuery(names().spelled(spelling), grouping, MetricConcept.TTFT, 1);
    return of(
        grouped(usual.request(), grouping, spelling), usual.edge(), usual.outcomes(),
        usual.holdMillis(), query, usual.validity());
  }

  private static AlertRequest grouped(
      AlertRequest from, List<String> labels, Spelling spelling) {
    return new AlertRequest(
        from.objective(), labels, from.runbookUrl(), from.job(), from.windowMillis(),
        from.skipMillis(), from.intervalMillis(), from.seed(), from.availability(),
        from.keepFiringMillis(), spelling, from.selector(), from.mark());
  }

  private static SignalOutcome derived(Signal signal, double threshold) {
    HeldOut heldOut =
        new HeldOut(List.of(threshold, threshold), new Confusion(9, 0, 1, 10), 2);
    return new SignalOutcome.Derived(
        signal,
        threshold,
        AlertSeverity.TICKET,
        new SignalOutcome.Evidence(
            10, 10, 3, 0.99, 0.97, 1, threshold, threshold, threshold / 2, heldOut,
            Optional.of(heldOut)));
  }

  public static EngineNames names() {
    SeriesStore store = new SeriesStore();
    for (Sample sample : samples()) {
      store.append(
          Labels.of(sample.series().name(), sample.series().labels()), 0, sample.value());
    }
    return EngineNames.of(store);
  }

  public static List<Sample> samples() {
    try {
      return new ArrayList<>(new ExpositionParser().parse(Files.readAllBytes(REAL), ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same request with an objective for availability, and links to another page. */
  public static AlertRequest asked(AlertRequest from, double availability, String runbook) {
    return new AlertRequest(
        from.objective(), from.grouping(), runbook, from.job(), from.windowMillis(),
        from.skipMillis(), from.intervalMillis(), from.seed(), availability,
        from.keepFiringMillis(), from.spelling(), from.selector(), from.mark());
  }
}
