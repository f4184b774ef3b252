package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.analysis.client.ClientTally;
import tallystick.analysis.engine.EngineTotals;
import tallystick.analysis.engine.TargetReading;
import tallystick.analysis.exporters.FrontendCounts;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.Reconciliation.Row;
import tallystick.analysis.result.Reconciliation.Status;
import tallystick.analysis.result.Reconciliation.Verdict;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Oddity;
import tallystick.runrecord.ScrapeRow;

class LedgerTest {
  private static final EngineFamily VLLM = MetricVocabulary.standard().families().getFirst();

  private static final Map<String, String> CHECKS =
      Map.of(
          "ttft_count", "R2", "prompt_tokens", "R3", "generation_tokens", "R4",
          "itl_count_identity", "R5");

  @Test
  void everyVectorCaseHasItsStatuses() {
    for (JsonNode given : Vectors.read("reconcile.json").get("cases")) {
      ClientTally client = tally(given.get("client"));
      List<Row> rows = ledger(client, totals(given.get("engine")));
      for (JsonNode wanted : given.get("expect")) {
        String check = wanted.get("check").asText();
        if (check.equals("requests_finished")) {
          continue;
        }
        Row row = row(rows, check);
        assertThat(row.difference())
            .as(given.get("name") + " " + check)
            .isEqualTo(Figure.of(wanted.get("diff").asDouble()));
        assertThat(row.status())
            .as(given.get("name") + " " + check)
            .isIn(statuses(wanted.get("status").asText()));
      }
    }
  }

  @Test
  void findsForeignTrafficInTheVector() {
    assertThat(findings("foreign_probe")).contains("foreign_traffic");
  }

  @Test
  void findsLostObservationsInTheVector() {
    assertThat(findings("lost")).contains("engine_counts_less");
  }

  @Test
  void namesSeveralTokensInAStepWithoutCallingItADifference() {
    assertThat(findings("spec_decode"))
        .contains("multi_token_steps")
        .doesNotContain("ledger_differs");
    assertThat(verdict("spec_decode")).isEqualTo(Verdict.RECONCILED);
  }

  @Test
  void exactAccountsAreReconciledAndAbortsNeedTolerance() {
    assertThat(verdict("exact")).isEqualTo(Verdict.RECONCILED);
    assertThat(verdict("client_aborts_3")).isEqualTo(Verdict.RECONCILED_WITH_TOLERANCE);
    assertThat(verdict("foreign_probe")).isEqualTo(Verdict.NOT_RECONCILED);
  }

  @Test
  void aWindowFaultForbidsAgreementEvenOfEqualCounts() {
    List<Row> rows = given("exact");
    Finding fault = new Finding(Finding.Code.LEDGER_OPEN, "", List.of(), "");
    assertThat(LedgerVerdict.of(rows, List.of(fault))).isEqualTo(Verdict.NOT_RECONCILED);
  }

  @Test
  void neverEstimatesTokensWithoutUsage() {
    ClientTally client = new ClientTally();
    client.read(request(0, 0).noUsage().build(), 1);
    Exposition exposition = new Exposition();
    ScrapeRow before = scrape(exposition, 0);
    exposition.serve(request(0, 0).build(), 0.001);
    List<Row> rows = ledger(client, totals(before, scrape(exposition, 1)));
    assertThat(row(rows, "prompt_tokens").status()).isEqualTo(Status.NOT_CHECKED);
    assertThat(row(rows, "generation_tokens").status()).isEqualTo(Status.NOT_CHECKED);
    assertThat(LedgerVerdict.of(rows, List.of())).isEqualTo(Verdict.RECONCILED_IN_PART);
  }

  @Test
  void anEngineThatHidesAnEssentialCountIsReconciledInPart() {
    // So it is with Dynamo 1.4, whose workers expose no request_success and no token counters.
    List<Row> rows = new ArrayList<>(given("exact"));
    rows.replaceAll(row -> row.id() == Reconciliation.Id.R4 ? unknownToTheEngine(row) : row);
    assertThat(LedgerVerdict.of(rows, List.of())).isEqualTo(Verdict.RECONCILED_IN_PART);
  }

  private static List<Row> ledger(ClientTally client, EngineTotals engine) {
    return new Ledger(client, engine, FrontendCounts.NONE, false).rows();
  }

  private static Row unknownToTheEngine(Row row) {
    return new Row(
        row.id(), row.quantity(), row.client(), Figure.missing("not exposed"), row.low(),
        row.high(), Status.NOT_CHECKED, row.source(), Figure.missing("not exposed"));
  }

  @Test
  void severalAnswersCountAsSeveralRequests() {
    ClientTally client = new ClientTally();
    client.read(request(0, 0).usage(10, 8).build(), 2);
    Exposition exposition = new Exposition();
    ScrapeRow before = scrape(exposition, 0);
    RequestRow child = request(0, 0).build();
    exposition.serve(child, 0.001).serve(child, 0.001);
    List<Row> rows = ledger(client, totals(before, scrape(exposition, 1)));
    assertThat(rows.stream().filter(row -> "R1 R2 R3 R4".contains(row.id().code())))
        .allMatch(row -> row.status() == Status.EXACT);
  }

  @Test
  void toolCallsAreStopsToTheEngine() {
    ClientTally client = new ClientTally();
    client.read(request(0, 0).finish("tool_calls").build(), 1);
    assertThat(client.completedByReason()).containsOnlyKeys("stop");
  }

  @Test
  void aRequestLostInAKilledRunLeavesTokensUnchecked() {
    ClientTally client = new ClientTally();
    client.read(request(0, 0).build(), 1);
    client.lost(1);
    Exposition exposition = new Exposition();
    ScrapeRow before = scrape(exposition, 0);
    exposition.serve(request(0, 0).build(), 0.001).serve(request(1, 0).build(), 0.001);
    List<Row> rows = ledger(client, totals(before, scrape(exposition, 1)));
    assertThat(row(rows, "ttft_count").status()).isEqualTo(Status.WITHIN_TOLERANCE);
    assertThat(row(rows, "generation_tokens").status()).isEqualTo(Status.NOT_CHECKED);
  }

  @Test
  void whatTheEngineFinishedUnreadIsNoUnknownCause() {
    ClientTally client = new ClientTally();
    client.read(request(0, 0).build(), 1);
    client.read(request(1, 0).outcome(Outcome.CLIENT_CANCELLED, 200).build(), 1);
    Exposition exposition = new Exposition();
    ScrapeRow before = scrape(exposition, 0);
    exposition.serve(request(0, 0).build(), 0.001).serve(request(1, 0).build(), 0.001);
    EngineTotals engine = totals(before, scrape(exposition, 1));
    List<Row> rows = ledger(client, engine);
    assertThat(new LedgerDiagnosis(rows, client, 60, true, VLLM.counting()).findings())
        .extracting(Finding::code)
        .contains(Finding.Code.FINISHED_UNREAD)
        .doesNotContain(Finding.Code.LEDGER_DIFFERS);
    assertThat(LedgerVerdict.of(rows, List.of())).isEqualTo(Verdict.RECONCILED_WITH_TOLERANCE);
  }

  @Test
  void anAnswerThatWasLeftFarFromItsEndDidNotFinishInTime() {
    ClientTally client = new ClientTally();
    client.read(request(0, 0).build(), 1);
    client.read(
        request(1, 0).planned(10, 500).outcome(Outcome.CLIENT_CANCELLED, 200).build(), 1);
    assertThat(client.open()).isEqualTo(1);
    assertThat(client.mayHaveFinished()).isZero();
  }

  @Test
  void somebodyElsesRequestIsNotHiddenByOneThatTheClientLeft() {
    ClientTally client = new ClientTally();
    client.read(request(0, 0).build(), 1);
    client.read(request(1, 0).outcome(Outcome.CLIENT_CANCELLED, 200).build(), 1);
    Exposition exposition = new Exposition();
    ScrapeRow before = scrape(exposition, 0);
    exposition.serve(request(0, 0).build(), 0.001).serve(request(1, 0).build(), 0.001);
    exposition.serve(request(2, 0).build(), 0.001);
    List<Row> rows = ledger(client, totals(before, scrape(exposition, 1)));
    assertThat(new LedgerDiagnosis(rows, client, 60, true, VLLM.counting()).findings())
        .extracting(Finding::code)
        .contains(Finding.Code.FOREIGN_TRAFFIC);
    assertThat(LedgerVerdict.of(rows, List.of())).isEqualTo(Verdict.NOT_RECONCILED);
  }

  @Test
  void somebodyElsesRequestsAreNotHiddenByManyThatTheClientGaveUp() {
    ClientTally client = new ClientTally();
    Exposition exposition = new Exposition();
    ScrapeRow before = scrape(exposition, 0);
    client.read(request(0, 0).build(), 1);
    exposition.serve(request(0, 0).build(), 0.001);
    for (int i = 1; i <= 5; i++) {
      // It had begun to answer, and whether it ended is not known.
      client.read(request(i, 0).outcome(Outcome.TIMED_OUT, 200).finish("").build(), 1);
    }
    for (int i = 1; i <= 8; i++) {
      exposition.count("prompt_tokens_total", 10).observe("time_to_first_token_seconds", 0.1);
    }
    exposition.serve(request(9, 0).build(), 0.001);
    List<Row> rows = ledger(client, totals(before, scrape(exposition, 1)));
    assertThat(new LedgerDiagnosis(rows, client, 60, true, VLLM.counting()).findings())
        .filteredOn(finding -> finding.code() == Finding.Code.FOREIGN_TRAFFIC)
        .extracting(Finding::text)
        .containsExactly(
            "The engine served at least 4 requests that this run did not send (400.00 % of its own,"
                + " about 0.07 per second).");
    assertThat(LedgerVerdict.of(rows, List.of())).isEqualTo(Verdict.NOT_RECONCILED);
  }

  @Test
  void aGatewayTimeoutMayHaveReachedTheEngineButA503HasNot() {
    ClientTally client = new ClientTally();
    client.read(request(0, 0).outcome(Outcome.HTTP_ERROR, 504).silent().build(), 1);
    client.read(request(1, 0).outcome(Outcome.HTTP_ERROR, 503).silent().build(), 1);
    assertThat(client.unknown()).isEqualTo(1);
    assertThat(client.refused()).isEqualTo(1);
  }

  @Test
  void aRequestThatWentOutTwiceIsNoForeignTraffic() {
    ClientTally client = new ClientTally();
    RequestRow sent = request(0, 0).planned(10, 4).odd(Oddity.RESENT).build();
    client.read(sent, 1);
    for (int i = 1; i < 10; i++) {
      client.read(request(i, 0).build(), 1);
    }
    Exposition exposition = new Exposition();
    ScrapeRow before = scrape(exposition, 0);
    for (int i = 0; i < 11; i++) {
      exposition.serve(sent, 0.001);
    }
    List<Row> rows = ledger(client, totals(before, scrape(exposition, 1)));
    assertThat(rows).noneMatch(row -> row.status() == Status.DIFFERS);
    assertThat(new LedgerDiagnosis(rows, client, 60, true, VLLM.counting()).findings())
        .extracting(Finding::code)
        .doesNotContain(Finding.Code.FOREIGN_TRAFFIC);
    assertThat(LedgerVerdict.of(rows, List.of())).isEqualTo(Verdict.RECONCILED_WITH_TOLERANCE);
  }

  @Test
  void aSecondAttemptAllowsForNoMoreThanTheFirstCouldGet() {
    ClientTally client = new ClientTally();
    client.read(request(0, 0).planned(10, 4).odd(Oddity.RESENT).build(), 1);
    assertThat(client.unknown()).isEqualTo(1);
    assertThat(client.openWithoutToken()).isEqualTo(1);
    assertThat(client.promptSlack()).isEqualTo(10);
    assertThat(client.outputs().slack()).isEqualTo(4);
    assertThat(client.completed()).isEqualTo(1);
  }

  /** Its prompt is known by its first chunk, and still may be among those that finished. */
  @Test
  void anAnswerThatWasCutOnItsWayMayHaveFinished() {
    ClientTally client = new ClientTally();
    client.read(request(0, 0).build(), 1);
    client.read(
        request(1, 0).outcome(Outcome.CUT_MID_STREAM, 200).finish("").usage(10, 3).planned(10, 100)
            .build(),
        1);
    Exposition exposition = new Exposition();
    ScrapeRow before = scrape(exposition, 0);
    exposition.serve(request(0, 0).build(), 0.001).serve(request(1, 0).usage(10, 4).build(), 0.001);
    List<Row> rows = ledger(client, totals(before, scrape(exposition, 1)));
    assertThat(rows).noneMatch(row -> row.status() == Status.DIFFERS);
    assertThat(rows)
        .filteredOn(row -> row.id().code().equals("R7"))
        .extracting(Row::status)
        .containsExactly(Status.WITHIN_TOLERANCE);
  }

  @Test
  void boundsAnAbortedRequestByWhatTheClientHadSeen() {
    ClientTally client = new ClientTally();
    client.read(
        request(0, 0).outcome(Outcome.CLIENT_CANCELLED, 200).usage(10, 3).planned(10, 100).build(),
        1);
    assertThat(client.completionTokens()).isEqualTo(3);
    assertThat(client.outputs().slack()).isEqualTo(97);
    assertThat(client.promptSlack()).isZero();
  }

  private static List<String> findings(String name) {
    ClientTally client = tally(vector(name).get("client"));
    return new LedgerDiagnosis(given(name), client, 60, true, VLLM.counting())
        .findings().stream().map(finding -> finding.code().code()).toList();
  }

  private static Verdict verdict(String name) {
    return LedgerVerdict.of(given(name), List.of());
  }

  /** The rows a vector has counts for. */
  private static List<Row> given(String name) {
    return rows(name).stream().filter(row -> "R1 R2 R3 R4 R5".contains(row.id().code())).toList();
  }

  private static List<Row> rows(String name) {
    JsonNode given = vector(name);
    return ledger(tally(given.get("client")), totals(given.get("engine")));
  }

  private static JsonNode vector(String name) {
    for (JsonNode given : Vectors.read("reconcile.json").get("cases")) {
      if (given.get("name").asText().equals(name)) {
        return given;
      }
    }
    throw new AssertionError("no case " + name);
  }

  private static Row row(List<Row> rows, String check) {
    String id = CHECKS.getOrDefault(check, "R1");
    String reason = check.startsWith("finish_") ? "by " + check.substring(7) : "";
    return rows.stream()
        .filter(row -> row.id().code().equals(id) && row.quantity().endsWith(reason))
        .findFirst()
        .orElseThrow();
  }

  private static Status[] statuses(String word) {
    return switch (word) {
      case "ok" -> new Status[] {Status.EXACT, Status.WITHIN_TOLERANCE};
      case "mismatch" -> new Status[] {Status.DIFFERS};
      default -> new Status[] {Status.WITHIN_TOLERANCE};
    };
  }

  /** Requests that add up to a vector's tallies; the first one carries the odd tokens. */
  private static ClientTally tally(JsonNode client) {
    ClientTally tally = new ClientTally();
    long completed = client.get("completed").asLong();
    long prompts = client.get("usage_prompt").asLong();
    long outputs = client.get("usage_completion").asLong();
    long stops = client.get("finish").get("stop").asLong();
    for (int i = 0; i < completed; i++) {
      int prompt = (int) (prompts / completed + (i == 0 ? prompts % completed : 0));
      int output = (int) (outputs / completed + (i == 0 ? outputs % completed : 0));
      String reason = i < stops ? "stop" : "length";
      tally.read(
          request(i, 0).usage(prompt, output).planned(prompt, 200).finish(reason).build(), 1);
    }
    long aborted = client.get("aborted_after_send").asLong();
    long streamed = client.get("with_first_token").asLong() - completed;
    for (int i = 0; i < aborted; i++) {
      MadeRequest row =
          request(1000 + i, 0)
              .outcome(Outcome.CLIENT_CANCELLED, 200)
              .noUsage()
              .planned(
                  client.get("aborted_prompt_tokens").asInt() / (int) aborted,
                  client.get("aborted_max_tokens").asInt() / (int) aborted)
              .tokens(0, 0, 0, 0);
      tally.read(i < streamed ? row.build() : row.silent().build(), 1);
    }
    return tally;
  }

  private static EngineTotals totals(JsonNode engine) {
    Exposition exposition = new Exposition();
    ScrapeRow before = scrape(exposition, 0);
    engine
        .get("request_success")
        .fields()
        .forEachRemaining(entry -> exposition.success(entry.getKey(), entry.getValue().asLong()));
    exposition.count("prompt_tokens_total", engine.get("prompt_tokens").asDouble());
    exposition.count("generation_tokens_total", engine.get("generation_tokens").asDouble());
    exposition.observe("time_to_first_token_seconds", 0.1, engine.get("ttft_count").asInt());
    exposition.observe("inter_token_latency_seconds", 0.01, engine.get("itl_count").asInt());
    return totals(before, scrape(exposition, 1));
  }

  private static EngineTotals totals(ScrapeRow before, ScrapeRow after) {
    TargetReading target = new TargetReading();
    target.couldBeFirst(before);
    target.read(after);
    return new EngineTotals(List.of(target));
  }

  private static ScrapeRow scrape(Exposition exposition, double at) {
    long nanos = MadeRun.nanos(at);
    return new ScrapeRow(0, nanos, nanos + 1, exposition.samples(), "");
  }
}
