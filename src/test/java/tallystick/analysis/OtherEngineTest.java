package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.analysis.client.ClientTally;
import tallystick.analysis.engine.EngineSummary;
import tallystick.analysis.engine.EngineTotals;
import tallystick.analysis.engine.TargetReading;
import tallystick.analysis.exporters.FrontendCounts;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Reconciliation.Id;
import tallystick.analysis.result.Reconciliation.Row;
import tallystick.analysis.result.Reconciliation.Status;
import tallystick.analysis.result.Reconciliation.Verdict;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;

/** The accounts of engines that name and count otherwise than vLLM. */
class OtherEngineTest {
  private static final Map<String, String> OWNER = Map.of("model_name", "m", "engine_type", "all");
  private static final Map<String, String> NONE = Map.of();

  private final ClientTally client = new ClientTally();

  @Test
  void laysTheClientBesideWhatTheEngineBooksWhenARequestFinishes() {
    client.read(request(0, 0).usage(10, 8).build(), 1);
    client.read(
        request(1, 0).usage(10, 3).outcome(Outcome.CLIENT_CANCELLED, 200).build(), 1);
    // Both have a first token; the one that was left has two gaps more and no tokens.
    List<Row> rows = rows(totals(served(1, 10, 8, 2, 9)));
    assertThat(row(rows, Id.R1).status()).isEqualTo(Status.EXACT);
    assertThat(row(rows, Id.R1).quantity()).isEqualTo("requests finished, any reason");
    assertThat(row(rows, Id.R1).source()).isEqualTo("sglang:num_requests_total");
    assertThat(row(rows, Id.R2).status()).isEqualTo(Status.EXACT);
    assertThat(row(rows, Id.R3).status()).isEqualTo(Status.EXACT);
    assertThat(row(rows, Id.R4).status()).isEqualTo(Status.EXACT);
    assertThat(row(rows, Id.R4).quantity()).isEqualTo("output tokens of finished requests");
    assertThat(row(rows, Id.R5).status()).isEqualTo(Status.NOT_CHECKED);
    assertThat(LedgerVerdict.of(rows, List.of())).isEqualTo(Verdict.RECONCILED);
  }

  @Test
  void findsTheTokensOfAnotherClient() {
    client.read(request(0, 0).usage(10, 8).build(), 1);
    List<Row> rows = rows(totals(served(2, 25, 12, 2, 10)));
    assertThat(row(rows, Id.R4).status()).isEqualTo(Status.DIFFERS);
    assertThat(LedgerVerdict.of(rows, List.of())).isEqualTo(Verdict.NOT_RECONCILED);
  }

  @Test
  void takesFewerGapsThanTokensForNoFactAboutSteps() {
    client.read(request(0, 0).usage(10, 8).build(), 1);
    EngineTotals totals = totals(served(1, 10, 8, 1, 5));
    List<Row> rows = rows(totals);
    assertThat(row(rows, Id.R5).status()).isEqualTo(Status.WITHIN_TOLERANCE);
    assertThat(new LedgerDiagnosis(rows, client, 60, true, totals.family().counting()).findings())
        .extracting(Finding::code)
        .doesNotContain(Finding.Code.MULTI_TOKEN_STEPS);
  }

  /** 100 requests ended, of which the client lost 2; the engine may have finished all. */
  @ParameterizedTest
  @CsvSource({
    "vllm:request_success_total, 98, true",
    "vllm:request_success_total, 100, false",
    "sglang:num_requests_total, 98, true",
    "sglang:num_requests_total, 100, false",
    "request_finish_total, 98, true",
    "request_finish_total, 100, false",
    "vllm:generation_tokens_total, 98, false",
  })
  void saysThatFinishedRequestsAreNoSuccessRate(String name, double count, boolean isSaid) {
    RunAnalysis.Counts counts =
        new RunAnalysis.Counts(
            100, 100, Figure.of(0), 100, 98, Map.of(), Figure.of(0), Figure.of(0), 0,
            Figure.of(0), 0, Figure.of(0), Figure.of(0), Figure.of(0));
    RunAnalysis.EngineAccount engine =
        new RunAnalysis.EngineAccount(
            true, "", Map.of(), Map.of(name, count), Map.of(), 1, 0, Map.of());

    List<Finding> said = RunFindings.successIsNoRate(counts, engine);
    assertThat(said).hasSize(isSaid ? 1 : 0);
    assertThat(said.toString().contains(name + " 98")).isEqualTo(isSaid);
  }

  @Test
  void leavesUnknownWhatTheEngineDoesNotCount() {
    client.read(request(0, 0).usage(10, 8).build(), 1);
    List<Sample> after = new ArrayList<>(served(1, 10, 8, 1, 7));
    after.removeIf(sample -> sample.series().name().contains("generation_tokens"));
    List<Row> rows = rows(totals(after));
    assertThat(row(rows, Id.R4).status()).isEqualTo(Status.NOT_CHECKED);
    assertThat(LedgerVerdict.of(rows, List.of())).isEqualTo(Verdict.RECONCILED_IN_PART);
    assertThat(totals(after).histogram(MetricConcept.DECODE_TIME)).isEmpty();
  }

  @Test
  void anEngineThatTellsNoTokensHasAnAccountOfItsFinishes() {
    client.read(request(0, 0).usage(10, 8).build(), 1);
    List<Sample> after = new ArrayList<>(served(1, 10, 8, 1, 7));
    after.removeIf(sample -> !sample.series().name().contains("num_requests"));
    EngineTotals totals = totals(after);
    assertThat(totals.isEmpty()).isFalse();
    List<Row> rows = rows(totals);
    assertThat(row(rows, Id.R1).status()).isEqualTo(Status.EXACT);
    assertThat(row(rows, Id.R2).status()).isEqualTo(Status.NOT_CHECKED);
    assertThat(LedgerVerdict.of(rows, List.of())).isEqualTo(Verdict.RECONCILED_IN_PART);
  }

  @Test
  void whereFirstTokensAreBookedAtTheFinishAnAnswerThatIsLeftLeavesNone() {
    client.read(request(0, 0).usage(10, 8).build(), 1);
    client.read(
        request(1, 0).usage(10, 3).outcome(Outcome.CLIENT_CANCELLED, 200).build(), 1);
    List<Sample> after = new ArrayList<>();
    Map<String, String> length = Map.of("finished_reason", "length");
    after.add(of("trtllm_request_success_total", length, Series.Type.COUNTER, 1));
    after.add(of("trtllm_prompt_tokens_total", NONE, Series.Type.COUNTER, 10));
    after.add(of("trtllm_generation_tokens_total", NONE, Series.Type.COUNTER, 8));
    for (String family : List.of("time_to_first_token", "e2e_request_latency")) {
      after.add(of("trtllm_" + family + "_seconds_count", NONE, Series.Type.HISTOGRAM, 1));
      after.add(of("trtllm_" + family + "_seconds_sum", NONE, Series.Type.HISTOGRAM, 0.001));
    }
    List<Row> rows = rows(totals(after));
    assertThat(rows.stream().filter(row -> row.status() == Status.DIFFERS)).isEmpty();
    assertThat(row(rows, Id.R1).quantity()).isEqualTo("requests finished by length");
    for (Id id : List.of(Id.R1, Id.R2, Id.R3, Id.R4, Id.R6)) {
      assertThat(row(rows, id).status()).as("%s", id).isEqualTo(Status.EXACT);
    }
    assertThat(row(rows, Id.R5).status()).isEqualTo(Status.NOT_CHECKED);
  }

  @Test
  void ofTwoCountsOfFinishesThatWithTheReasonIsTaken() {
    client.read(request(0, 0).usage(10, 8).build(), 1);
    Map<String, String> length = Map.of("finished_reason", "length");
    EngineTotals nim =
        totals(
            List.of(
                of("request_finish_total", length, Series.Type.COUNTER, 1),
                of("request_success_total", NONE, Series.Type.COUNTER, 1),
                of("request_failure_total", NONE, Series.Type.COUNTER, 0),
                of("num_request_max", NONE, Series.Type.GAUGE, 64),
                of("generation_tokens_total", NONE, Series.Type.COUNTER, 8)));
    assertThat(nim.finishedByReason()).containsExactly(Map.entry("length", 1.0));
    List<Row> rows = rows(nim);
    assertThat(row(rows, Id.R1).quantity()).isEqualTo("requests finished by length");
    assertThat(row(rows, Id.R1).status()).isEqualTo(Status.EXACT);
    assertThat(row(rows, Id.R4).status()).isEqualTo(Status.EXACT);
  }

  @Test
  void anEngineOfFewMetricsHasTheAccountOfThose() {
    client.read(request(0, 0).usage(10, 8).build(), 1);
    List<Row> rows =
        rows(
            totals(
                List.of(
                    of("llamacpp:tokens_predicted_total", NONE, Series.Type.COUNTER, 8),
                    of("llamacpp:prompt_tokens_total", NONE, Series.Type.COUNTER, 3),
                    of("llamacpp:requests_processing", NONE, Series.Type.GAUGE, 0))));
    assertThat(row(rows, Id.R4).status()).isEqualTo(Status.EXACT);
    assertThat(rows.stream().filter(row -> row.id() != Id.R4))
        .extracting(Row::status)
        .containsOnly(Status.NOT_CHECKED);
    assertThat(LedgerVerdict.of(rows, List.of())).isEqualTo(Verdict.RECONCILED_IN_PART);
  }

  @Test
  void readsPercentilesBetweenItsOwnEdges() {
    EngineTotals totals = totals(served(1, 10, 8, 40, 7));
    assertThat(totals.edges(MetricConcept.TTFT)).containsExactly(.1, .2);
    assertThat(
            EngineSummary.distribution(totals.histogram(MetricConcept.TTFT).orElseThrow())
                .metric())
        .isEqualTo("sglang:time_to_first_token_seconds");
  }

  @Test
  void addsUpNoCopiesOfTensorParallelRanks() {
    TargetReading target = new TargetReading();
    List<Sample> ranks = new ArrayList<>();
    for (String rank : List.of("0", "1")) {
      ranks.add(
          sample("num_retracted_requests_total", Map.of("tp_rank", rank), Series.Type.COUNTER, 0));
    }
    target.couldBeFirst(row(0, ranks));
    List<Sample> later = new ArrayList<>();
    ranks.forEach(sample -> later.add(new Sample(sample.series(), 3)));
    target.read(row(1, later));
    assertThat(new EngineTotals(List.of(target)).counter(MetricConcept.PREEMPTIONS)).hasValue(3);
  }

  private List<Row> rows(EngineTotals totals) {
    return new Ledger(client, totals, FrontendCounts.NONE, false).rows();
  }

  private static Row row(List<Row> rows, Id id) {
    return rows.stream().filter(row -> row.id() == id).findFirst().orElseThrow();
  }

  private static EngineTotals totals(List<Sample> after) {
    TargetReading target = new TargetReading();
    List<Sample> before = after.stream().map(one -> new Sample(one.series(), 0)).toList();
    target.couldBeFirst(row(0, before));
    target.read(row(1, after));
    return new EngineTotals(List.of(target));
  }

  private static ScrapeRow row(long second, List<Sample> samples) {
    long nanos = second * 1_000_000_000;
    return new ScrapeRow(0, nanos, nanos, samples, "");
  }

  private static List<Sample> served(
      int finished, int prompts, int outputs, int firsts, int gaps) {
    List<Sample> samples = new ArrayList<>();
    samples.add(sample("num_requests_total", NONE, Series.Type.COUNTER, finished));
    samples.add(sample("prompt_tokens_total", NONE, Series.Type.COUNTER, prompts));
    samples.add(sample("generation_tokens_total", NONE, Series.Type.COUNTER, outputs));
    samples.addAll(histogram("time_to_first_token_seconds", firsts, List.of("0.1", "0.2")));
    samples.addAll(histogram("inter_token_latency_seconds", gaps, List.of("0.002")));
    samples.addAll(histogram("e2e_request_latency_seconds", finished, List.of("0.1")));
    samples.addAll(histogram("prompt_tokens_histogram", finished, List.of()));
    samples.removeIf(sample -> sample.series().name().endsWith("tokens_histogram_sum"));
    samples.add(sample("prompt_tokens_histogram_sum", NONE, Series.Type.HISTOGRAM, prompts));
    return samples;
  }

  private static List<Sample> histogram(String family, int count, List<String> edges) {
    List<Sample> parts = new ArrayList<>();
    for (String edge : edges) {
      parts.add(sample(family + "_bucket", Map.of("le", edge), Series.Type.HISTOGRAM, count));
    }
    parts.add(sample(family + "_bucket", Map.of("le", "+Inf"), Series.Type.HISTOGRAM, count));
    parts.add(sample(family + "_count", NONE, Series.Type.HISTOGRAM, count));
    parts.add(sample(family + "_sum", NONE, Series.Type.HISTOGRAM, count * 0.001));
    return parts;
  }

  private static Sample sample(
      String name, Map<String, String> labels, Series.Type type, double value) {
    return of("sglang:" + name, labels, type, value);
  }

  private static Sample of(
      String name, Map<String, String> labels, Series.Type type, double value) {
    Map<String, String> all = new HashMap<>(OWNER);
    all.putAll(labels);
    return new Sample(Series.of(name, all, type), value);
  }
}
