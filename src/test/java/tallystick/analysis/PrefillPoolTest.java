package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.analysis.MadeRequest.request;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Decomposition.Part;
import tallystick.analysis.result.Reconciliation.Id;
import tallystick.analysis.result.Reconciliation.Row;
import tallystick.analysis.result.Reconciliation.Status;
import tallystick.analysis.result.Reconciliation.Verdict;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.WaitPart;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Target;

/** A pool that computes prompts, and the engine that answers, each with its own account. */
class PrefillPoolTest {
  private static final int REQUESTS = 40;
  private static final double IN_POOL = 0.04;
  private static final double ROUTER = 0.01;

  private final Exposition prefill = new Exposition();
  private final Exposition decode = new Exposition();

  @Test
  void thePoolHasRowsOfItsOwnAndStaysOutOfTheEnginesAccount() {
    RunAnalysis analysis = run(IN_POOL).analyze();
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED);
    assertThat(row(analysis, Id.R10).engine().orNaN()).isEqualTo(REQUESTS);
    assertThat(row(analysis, Id.R11).engine().orNaN()).isEqualTo(10 * REQUESTS);
    assertThat(row(analysis, Id.R12).engine().orNaN()).isEqualTo(REQUESTS);
    assertThat(row(analysis, Id.R4).engine().orNaN()).isEqualTo(4 * REQUESTS);
    assertThat(analysis.engine().counters().get("vllm:prompt_tokens_total"))
        .isEqualTo(10 * REQUESTS);
    assertThat(SmallRun.codes(analysis)).doesNotContain("rows_missing");
  }

  @Test
  void meansOfBothPoolsAddUpToTheClients() {
    for (Decomposition one : run(IN_POOL).analyze().decompositions()) {
      assertThat(one.absence()).isEmpty();
      assertThat(part(one, WaitPart.PREFILL_POOL).mean().value().orNaN())
          .isCloseTo(IN_POOL, within(1e-9));
      assertThat(part(one, WaitPart.OUTSIDE).mean().value().orNaN())
          .isCloseTo(ROUTER, within(1e-9));
      assertThat(one.parts().stream().mapToDouble(p -> p.mean().value().orNaN()).sum())
          .isCloseTo(one.whole().value().orNaN(), within(1e-9));
      assertThat(part(one, WaitPart.PREFILL_POOL).source()).contains("transfer n/a");
    }
  }

  @Test
  void aTransferIsToldAndNeverAddedBecauseTheAnsweringEngineWaitsForIt() {
    MadeRun run = run(IN_POOL);
    decode.observe("nixl_xfer_time_seconds", 0.012, REQUESTS);
    scrapeAgain(run);
    Part pool = part(run.analyze().decompositions().getFirst(), WaitPart.PREFILL_POOL);
    assertThat(pool.source()).contains("40 transfers by NIXL took 12.0 ms on average");
    assertThat(pool.mean().value().orNaN()).isCloseTo(IN_POOL, within(1e-9));
  }

  @Test
  void poolsThatWorkAtTheSameTimeAreNotSubtracted() {
    Decomposition ttft = run(10 * IN_POOL).analyze().decompositions().getFirst();
    assertThat(ttft.parts()).extracting(Part::name).doesNotContain(WaitPart.PREFILL_POOL);
    assertThat(part(ttft, WaitPart.OUTSIDE).source()).contains("worked at the same time");
  }

  @Test
  void aRequestThePoolDidNotComputeIsADifferenceOfThePool() {
    MadeRun run = run(IN_POOL);
    run.requests.add(request(REQUESTS, 60).build());
    decode.serve(request(REQUESTS, 60).build(), IN_POOL + ROUTER);
    scrapeAgain(run);
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.NOT_RECONCILED);
    assertThat(row(analysis, Id.R10).difference().orNaN()).isEqualTo(-1);
    assertThat(row(analysis, Id.R1).status()).isEqualTo(Status.EXACT);
    assertThat(analysis.findings())
        .anySatisfy(finding -> assertThat(finding.text()).contains("prefill pool did not"));
  }

  @Test
  void aPoolThatCannotBeSeenIsNotChecked() {
    MadeRun run = run(IN_POOL);
    run.scrapes.removeIf(scrape -> scrape.target() == 1);
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED_IN_PART);
    assertThat(row(analysis, Id.R10).status()).isEqualTo(Status.NOT_CHECKED);
    assertThat(row(analysis, Id.R10).engine().toString())
        .contains("0 of 1 prefill targets have metrics");
    assertThat(part(analysis.decompositions().getFirst(), WaitPart.OUTSIDE).mean().value().orNaN())
        .isCloseTo(IN_POOL + ROUTER, within(1e-9));
  }

  private MadeRun run(double inPool) {
    MadeRun run = new MadeRun().window(10, 69);
    run.targets.clear();
    run.targets.addAll(
        List.of(
            new Target("http://127.0.0.1:1", "http://127.0.0.1:2/metrics", 1, Target.Role.DECODE),
            new Target("http://127.0.0.1:3", "http://127.0.0.1:3/metrics", 0,
                Target.Role.PREFILL)));
    run.scrape(0, 8.9, decode).scrape(1, 8.9, prefill);
    for (int i = 0; i < REQUESTS; i++) {
      RequestRow row = request(i, 11 + i).build();
      run.requests.add(row);
      decode.serve(row, IN_POOL + ROUTER);
      prefill.success("length", 1).count("prompt_tokens_total", 10);
      prefill.count("generation_tokens_total", 1).observe("e2e_request_latency_seconds", inPool);
    }
    return run.scrape(0, 72, decode).scrape(1, 72, prefill);
  }

  private void scrapeAgain(MadeRun run) {
    run.scrapes.removeIf(
        scrape -> scrape.target() == 0 && scrape.startedNanos() == MadeRun.nanos(72));
    run.scrape(0, 72, decode);
  }

  private static Row row(RunAnalysis analysis, Id id) {
    return analysis.reconciliation().rows().stream()
        .filter(row -> row.id() == id)
        .findFirst()
        .orElseThrow();
  }

  private static Part part(Decomposition of, WaitPart name) {
    return of.parts().stream().filter(part -> part.name() == name).findFirst().orElseThrow();
  }
}
