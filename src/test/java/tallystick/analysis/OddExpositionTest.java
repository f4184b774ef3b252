package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;
import static tallystick.analysis.SmallRun.codes;
import static tallystick.analysis.SmallRun.finding;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Reconciliation.Id;
import tallystick.analysis.result.Reconciliation.Row;
import tallystick.analysis.result.Reconciliation.Status;
import tallystick.analysis.result.Reconciliation.Verdict;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;

/** Expositions that are no plain vLLM's: processes apart, series twice, names that others gave. */
class OddExpositionTest {
  private static final String KV = "vllm:kv_cache_usage_perc";

  @Test
  void oneLiveProcessOfEightIsTheEngine() {
    MadeRun run = new MadeRun().window(10, 69);
    Exposition exposition = new Exposition();
    for (int second = 9; second <= 72; second++) {
      for (int pid = 271; pid < 279; pid++) {
        double usage = pid == 274 ? 0.8 + second % 2 * 0.02 : 0;
        exposition.put(gauge(KV, pid), usage);
        exposition.put(gauge("vllm:num_requests_running", pid), pid == 275 ? 7 : second % 2);
      }
      exposition.put(plain(KV), Double.NaN);
      run.scrape(second, exposition);
    }
    run.requests.add(request(0, 10).build());
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.engine().gauges().get(KV).mean()).isBetween(0.8, 0.82);
    assertThat(finding(analysis, "process_copies").evidence())
        .anyMatch(line -> line.contains(KV) && line.contains("of 8 processes: taken pid 274"));
  }

  /** Nobody waits in the live process, so that of this gauge alone nothing tells which it is. */
  @Test
  void whatADeadProcessLeftIsTakenOfNoGauge() {
    MadeRun run = new MadeRun().window(10, 69);
    Exposition exposition = new Exposition();
    for (int second = 9; second <= 72; second++) {
      exposition.put(gauge(KV, 13), 0.5);
      exposition.put(gauge("vllm:num_requests_waiting", 13), 7);
      exposition.put(gauge(KV, 4242), 0.2 + second % 2 * 0.02);
      exposition.put(gauge("vllm:num_requests_waiting", 4242), 0);
      run.scrape(second, exposition);
    }
    run.requests.add(request(0, 10).build());
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.engine().gauges().get("vllm:num_requests_waiting").last()).isZero();
    assertThat(analysis.engine().gauges().get(KV).maximum()).isLessThan(0.3);
  }

  @Test
  void aCacheThatIsMoreThanFullIsNoValue() {
    MadeRun run = SmallRun.run(5, 0.01, UnaryOperator.identity());
    edit(
        run,
        sample -> sample.series().name().equals(KV) ? new Sample(sample.series(), 95) : sample);
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.engine().gauges()).doesNotContainKey(KV);
    assertThat(finding(analysis, "impossible_values").text())
        .isEqualTo(
            "Target 0 shows what cannot be: " + KV + " is 95 in 2 of 2 scrapes. What rests on"
                + " such values is unknown.");
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED);
  }

  @Test
  void aSeriesThatStoodTwiceIsToldOf() {
    MadeRun run = SmallRun.run(5, 0.01, UnaryOperator.identity());
    run.scrapes.replaceAll(
        row -> new ScrapeRow(
            row.target(), row.startedNanos(), row.endedNanos(), row.samples(), "",
            ScrapeRow.NO_DATE, 3));
    assertThat(finding(run.analyze(), "series_repeated").text())
        .contains("more than once in 2 scrapes", "first value counts");
  }

  @ParameterizedTest
  @ValueSource(strings = {"vllm_", "ray_vllm:", "ray_vllm_", "kserve_vllm:"})
  void whatACollectorPutsBeforeANameChangesNothing(String prefix) {
    MadeRun run = SmallRun.run(5, 0.01, UnaryOperator.identity());
    rename(run, name -> name.replace("vllm:", prefix));
    assertThat(run.analyze().reconciliation().verdict()).isEqualTo(Verdict.RECONCILED);
  }

  @Test
  void namesWithoutAPrefixAreReadAsNim() {
    MadeRun run = SmallRun.run(5, 0.01, UnaryOperator.identity());
    rename(
        run,
        name -> name.replace("vllm:", "")
            .replace("inter_token_latency", "time_per_output_token")
            .replace("kv_cache", "gpu_cache")
            .replace("request_success", "request_finish"));
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED);
    assertThat(analysis.engine().counters()).containsKey("generation_tokens_total");
  }

  @Test
  void aCounterThatIsNoNumberLeavesItsRowUnknownWithTheReason() {
    MadeRun run = SmallRun.run(5, 0.01, UnaryOperator.identity());
    RunAnalysis whole = run.analyze();
    edit(
        run,
        sample ->
            sample.series().name().equals("vllm:prompt_tokens_total")
                ? new Sample(sample.series(), Double.NaN) : sample);
    RunAnalysis analysis = run.analyze();
    Row row =
        analysis.reconciliation().rows().stream()
            .filter(one -> one.id() == Id.R3)
            .findFirst()
            .orElseThrow();
    assertThat(row.status()).isEqualTo(Status.NOT_CHECKED);
    assertThat(row.engine())
        .isEqualTo(
            Figure.missing("vllm:prompt_tokens_total was NaN when the window began"));
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED_IN_PART);
    assertThat(analysis.client()).isEqualTo(whole.client());
    assertThat(finding(analysis, "impossible_values").evidence())
        .containsExactly("vllm:prompt_tokens_total is NaN in 2 of 2 scrapes");
  }

  @Test
  void oneCounterThatFallsWhileOthersGrowIsNoRestart() {
    MadeRun run = new MadeRun().window(10, 69);
    Exposition exposition = new Exposition();
    run.scrape(9, exposition);
    Series tokens =
        Series.of(
            "vllm:generation_tokens_total", Map.of("model_name", "tiny", "engine", "0"),
            Series.Type.COUNTER);
    for (int i = 0; i < 5; i++) {
      RequestRow row = request(i, 10 + i).build();
      run.requests.add(row);
      exposition.serve(row, 0.01);
      run.scrape(12 + i * 10, exposition);
      if (i == 2) {
        exposition.put(tokens, 1e9);
        run.scrape(13 + i * 10, exposition);
        exposition.put(tokens, row.usage().completionTokens() * 3.0);
      }
    }
    RunAnalysis analysis = run.scrape(72, exposition).analyze();
    assertThat(codes(analysis)).contains("impossible_values")
        .doesNotContain("engine_restart", "several_replicas", "foreign_traffic");
    assertThat(finding(analysis, "impossible_values").evidence().getFirst())
        .contains("vllm:generation_tokens_total fell from 1000000000 to ");
  }

  private static void rename(MadeRun run, UnaryOperator<String> name) {
    edit(
        run,
        sample -> {
          Series series = sample.series();
          return new Sample(
              new Series(name.apply(series.name()), series.labels(), series.type()),
              sample.value());
        });
  }

  private static void edit(MadeRun run, UnaryOperator<Sample> change) {
    List<ScrapeRow> edited = new ArrayList<>();
    for (ScrapeRow row : run.scrapes) {
      edited.add(row.with(row.samples().stream().map(change).toList()));
    }
    run.scrapes.clear();
    run.scrapes.addAll(edited);
  }

  private static Series gauge(String name, int pid) {
    return Series.of(
        name, Map.of("model_name", "tiny", "engine", "0", "pid", "" + pid), Series.Type.GAUGE);
  }

  private static Series plain(String name) {
    return Series.of(name, Map.of("model_name", "tiny", "engine", "0"), Series.Type.GAUGE);
  }
}
