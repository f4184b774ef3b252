package tallystick.analysis.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.analysis.MadeRun;
import tallystick.analysis.SmallRun;
import tallystick.analysis.result.ExporterAccount.MeasuringPoint;
import tallystick.analysis.result.ExporterAccount.PointOrder;
import tallystick.analysis.result.Reconciliation.Id;
import tallystick.analysis.result.Reconciliation.Verdict;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.runrecord.Series.Type;
import tallystick.scenario.Exporter;
import tallystick.scenario.Exporter.Metric;
import tallystick.scenario.Exporter.Quantity;

/** A run of twenty requests from 10 s to 69 s, scraped from 9 s to 72 s. */
class ExporterAccountTest {
  private static final int REQUESTS = 20;

  @Test
  void onlySeriesWithTheExportersLabelsAreRead() {
    MadeRun run =
        run(new Exporter("gpu", "http://a/metrics", Map.of("gpu", "1"), List.of()));
    run.exporterScrape(0, 9, List.of(power(300)));
    run.exporterScrape(0, 30, List.of(power(300)));

    assertThat(run.analyze().surroundings().gpus()).isEmpty();
  }

  @Test
  void aHostIsBusyForAllTimeThatIsNeitherIdleNorWaiting() {
    MadeRun run = run(exporter("node"));
    for (double at : new double[] {9, 30, 72}) {
      run.exporterScrape(
          0, at,
          List.of(
              cpu("idle", 0.5 * at), cpu("iowait", 0.1 * at), cpu("user", 0.4 * at),
              cpu("guest", 0.4 * at)));
    }

    ExporterAccount.Host host = run.analyze().surroundings().hosts().get(0);

    assertThat(SmallRun.value(host.busyRatio())).isCloseTo(0.4, within(1e-9));
    assertThat(host.cores()).isEqualTo(1);
  }

  @Test
  void aGatewayStandsBetweenClientAndEngineByTheUsersNames() {
    MadeRun run = run(gateway(Map.of("cluster", List.of("vllm"))));
    run.exporterScrape(0, 9, requests(5, 0));
    run.exporterScrape(0, 72, requests(5 + REQUESTS, 0.030 * REQUESTS));

    ExporterAccount found = run.analyze().surroundings();

    MeasuringPoint gateway = point(found, "gateway");
    assertThat(gateway.byStatus()).containsExactlyEntriesOf(Map.of("2xx", 20.0));
    assertThat(SmallRun.value(gateway.latencies().get(Quantity.TTFT).mean()))
        .isCloseTo(0.030, within(1e-9));
    PointOrder order = found.orders().get(0);
    assertThat(order.points()).containsExactly("client", "gateway", "engine");
  }

  @Test
  void dynamosFrontendCountsForTheLedgerWhatItsWorkersDoNot() {
    MadeRun run = run(exporter("frontend"));
    run.scrapes.replaceAll(ExporterAccountTest::asADynamoWorker);
    RunAnalysis alone = run.analyze();
    assertThat(alone.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED_IN_PART);
    assertThat(alone.reconciliation().rows())
        .filteredOn(row -> row.id() == Id.R6)
        .hasSize(1);

    run.exporterScrape(0, 9, frontend(7, 100, 50));
    run.exporterScrape(
        0, 72,
        frontend(
            7 + REQUESTS, 100 + known(alone.counts().promptTokens()),
            50 + known(alone.counts().completionTokens())));
    Reconciliation ledger = run.analyze().reconciliation();

    assertThat(ledger.verdict()).isEqualTo(Verdict.RECONCILED);
    assertThat(ledger.rows())
        .filteredOn(row -> List.of(Id.R1, Id.R3, Id.R4).contains(row.id()))
        .hasSize(3)
        .allMatch(row -> row.source().contains("of exporter \"frontend\""));
  }

  /** Dynamo 1.4: no finished requests, no tokens, and of what is seen at finish only E2E. */
  private static ScrapeRow asADynamoWorker(ScrapeRow row) {
    return new ScrapeRow(
        row.target(), row.startedNanos(), row.endedNanos(),
        row.samples().stream()
            .filter(
                sample ->
                    !sample.series().name()
                        .matches("vllm:(request_|prompt_tokens|generation_tokens).*"))
            .toList(),
        row.error());
  }

  private static List<Sample> frontend(double requests, double prompt, double output) {
    Map<String, String> success = Map.of("model", "tiny", "status", "success");
    Map<String, String> labels = Map.of("model", "tiny");
    return List.of(
        new Sample(
            Series.of("dynamo_frontend_requests_total", success, Type.COUNTER), requests),
        new Sample(
            Series.of("dynamo_frontend_input_sequence_tokens_sum", labels, Type.HISTOGRAM),
            prompt),
        new Sample(
            Series.of("dynamo_frontend_input_sequence_tokens_count", labels, Type.HISTOGRAM),
            requests),
        new Sample(
            Series.of("dynamo_frontend_output_tokens_total", labels, Type.COUNTER), output));
  }

  private static double known(Figure figure) {
    return SmallRun.value(figure);
  }

  @Test
  void timesThatGrowTowardsTheEngineAreReported() {
    MadeRun run = run(gateway(Map.of()));
    run.exporterScrape(0, 9, requests(0, 0));
    run.exporterScrape(0, 72, requests(REQUESTS, 9.0 * REQUESTS));

    RunAnalysis analysis = run.analyze();

    assertThat(analysis.surroundings().orders().get(0).verdict())
        .isEqualTo(ExporterAccount.PointOrder.Verdict.BROKEN);
    assertThat(SmallRun.codes(analysis)).contains("vantage_order");
  }

  /** A server's time ends after its last byte, which the client may have read by then. */
  @Test
  void aMillisecondMoreIsNoGrowth() {
    double client = orderAt(9).seconds().get(0);

    assertThat(orderAt(client + 0.0005).verdict()).isEqualTo(PointOrder.Verdict.HOLDS);
    assertThat(orderAt(client + 0.0005).detail())
        .isEqualTo("gateway measured more than client, by 0.50 ms: no more than 1 ms");
    assertThat(orderAt(client + 0.002).verdict()).isEqualTo(PointOrder.Verdict.BROKEN);
  }

  private static PointOrder orderAt(double gatewaySeconds) {
    MadeRun run = run(gateway(Map.of()));
    run.exporterScrape(0, 9, requests(0, 0));
    run.exporterScrape(0, 72, requests(REQUESTS, gatewaySeconds * REQUESTS));
    return run.analyze().surroundings().orders().get(0);
  }

  @Test
  void timesOfOtherRequestsAreNotCompared() {
    MadeRun run = run(gateway(Map.of()));
    run.exporterScrape(0, 9, requests(0, 0));
    run.exporterScrape(0, 72, requests(REQUESTS + 3, 9.0 * REQUESTS));

    PointOrder order = run.analyze().surroundings().orders().get(0);

    assertThat(order.verdict()).isEqualTo(ExporterAccount.PointOrder.Verdict.NOT_COMPARED);
    assertThat(order.detail()).isEqualTo("client saw 20, gateway 23");
  }

  @Test
  void aNamedMetricThatIsNotThereIsUnknownAndSaysWhatIs() {
    MadeRun run = run(gateway(Map.of("cluster", List.of("other"))));
    run.exporterScrape(0, 9, requests(0, 0));
    run.exporterScrape(0, 72, requests(REQUESTS, 0.6));

    RunAnalysis analysis = run.analyze();

    Finding found = SmallRun.finding(analysis, "exporter_metric_absent");
    assertThat(found.evidence()).anyMatch(line -> line.contains("cluster=vllm"));
    assertThat(analysis.surroundings().points()).noneMatch(p -> p.name().equals("gateway"));
  }

  @Test
  void anExporterThatNeverAnswersIsAWarning() {
    RunAnalysis analysis = run(exporter("gpu")).analyze();

    assertThat(SmallRun.codes(analysis)).contains("exporter_silent");
  }

  private static MadeRun run(Exporter exporter) {
    MadeRun run = SmallRun.run(REQUESTS, 0.002, request -> request);
    run.exporters.add(exporter);
    return run;
  }

  private static Exporter exporter(String name) {
    return new Exporter(name, "http://10.0.0.7:9400/metrics", Map.of(), List.of());
  }

  private static Exporter gateway(Map<String, List<String>> labels) {
    return new Exporter(
        "gateway",
        "http://10.0.0.7:9901/metrics",
        Map.of(),
        List.of(
            new Metric(Quantity.REQUESTS, "rq", labels, "code", 1),
            new Metric(Quantity.TTFT, "rq_first_byte", labels, "", 1e-3)));
  }

  /** What a gateway shows after so many requests whose first bytes took so many seconds. */
  private static List<Sample> requests(double count, double seconds) {
    Map<String, String> labels = Map.of("cluster", "vllm");
    Map<String, String> coded = Map.of("cluster", "vllm", "code", "200");
    List<Sample> samples = new ArrayList<>();
    samples.add(new Sample(Series.of("rq_total", coded, Type.COUNTER), count));
    // Untyped, as a gateway that declares nothing shows it.
    samples.add(new Sample(Series.of("rq_first_byte_sum", labels, Type.UNTYPED), seconds * 1e3));
    samples.add(new Sample(Series.of("rq_first_byte_count", labels, Type.UNTYPED), count));
    return samples;
  }

  private static MeasuringPoint point(ExporterAccount surroundings, String name) {
    return surroundings.points().stream()
        .filter(point -> point.name().equals(name)).findFirst().orElseThrow();
  }

  private static MeasuringPoint engine(ExporterAccount surroundings) {
    return point(surroundings, "engine");
  }

  private static Sample power(double watts) {
    return new Sample(gpu("DCGM_FI_DEV_POWER_USAGE", Type.GAUGE), watts);
  }

  private static Series gpu(String name, Type type) {
    return Series.of(name, Map.of("gpu", "0", "modelName", "NVIDIA H200"), type);
  }

  private static Sample cpu(String mode, double seconds) {
    Map<String, String> labels = Map.of("cpu", "0", "mode", mode);
    return new Sample(Series.of("node_cpu_seconds_total", labels, Type.COUNTER), seconds);
  }
}
