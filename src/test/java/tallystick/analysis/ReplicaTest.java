package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;
import static tallystick.analysis.SmallRun.codes;
import static tallystick.analysis.SmallRun.finding;
import static tallystick.analysis.SmallRun.value;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.ReplicaAccount.Replica;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Target;

/** Several engines and several models behind one run. */
class ReplicaTest {

  @Test
  void enginesOfOneTargetAreAddedUpAndShownApart() {
    Exposition first = new Exposition("vllm:", "0");
    Exposition second = new Exposition("vllm:", "1");
    RunAnalysis analysis = threeToOne(first, second).analyze();

    assertThat(analysis.reconciliation().verdict())
        .isEqualTo(Reconciliation.Verdict.RECONCILED);
    List<Replica> replicas = analysis.load().replicas().replicas();
    assertThat(replicas).extracting(Replica::name).containsExactly("engine 0", "engine 1");
    assertThat(value(replicas.get(0).finished())).isEqualTo(30);
    assertThat(value(replicas.get(1).finished())).isEqualTo(10);
    assertThat(value(replicas.get(0).outputTokens())).isEqualTo(120);
    assertThat(value(replicas.get(0).tokenShare())).isEqualTo(0.75);
    assertThat(value(replicas.get(0).expectedShare())).isEqualTo(0.5);
    assertThat(value(analysis.load().replicas().busiestOverShare())).isEqualTo(1.5);
    assertThat(finding(analysis, "replicas_uneven").text()).contains("1.50 times its share");
  }

  @Test
  void gaugesOfAnEngineAreItsOwn() {
    Exposition first = new Exposition("vllm:", "0");
    Exposition second = new Exposition("vllm:", "1");
    MadeRun run = threeToOne(first, second);
    first.gauge("num_requests_running", 6).gauge("kv_cache_usage_perc", 0.9);
    second.gauge("num_requests_running", 2).gauge("kv_cache_usage_perc", 0.1);
    both(run, 30, first, second);
    first.gauge("num_requests_running", 4).gauge("kv_cache_usage_perc", 0.5);
    both(run, 40, first, second);
    List<Replica> replicas = run.analyze().load().replicas().replicas();

    assertThat(value(replicas.get(0).meanRunning())).isEqualTo(5);
    assertThat(value(replicas.get(1).meanRunning())).isEqualTo(2);
    assertThat(value(replicas.get(0).highestKvUsage())).isEqualTo(0.9);
    assertThat(value(replicas.get(1).highestKvUsage())).isEqualTo(0.1);
  }

  @Test
  void aTargetsWeightIsItsShare() {
    MadeRun run = new MadeRun().window(10, 69);
    run.targets.clear();
    run.targets.add(new Target("http://127.0.0.1:1", "http://127.0.0.1:1/metrics", 3));
    run.targets.add(new Target("http://127.0.0.1:2", "http://127.0.0.1:2/metrics", 1));
    Exposition first = new Exposition();
    Exposition second = new Exposition();
    run.scrape(0, 8.9, first).scrape(1, 8.9, second);
    serve(run, first, second);
    RunAnalysis analysis = run.scrape(0, 72, first).scrape(1, 72, second).analyze();

    assertThat(value(analysis.load().replicas().busiestOverShare())).isEqualTo(1);
    assertThat(codes(analysis)).doesNotContain("replicas_uneven");
    assertThat(analysis.load().replicas().replicas())
        .extracting(Replica::name)
        .containsExactly("target 0 engine 0", "target 1 engine 0");
  }

  @Test
  void anotherModelOfTheTargetIsLeftOut() {
    Exposition mine = new Exposition();
    Exposition other = new Exposition("vllm:", "0", "other");
    RunAnalysis analysis = threeToOne(mine, other).analyze();

    assertThat(analysis.engine().counters().get("vllm:generation_tokens_total")).isEqualTo(120);
    assertThat(analysis.load().replicas().replicas()).isEmpty();
    assertThat(finding(analysis, "other_models").evidence()).containsExactly("other");
    assertThat(codes(analysis)).contains("engine_counts_less");
  }

  @Test
  void targetsOfDifferentModelsAreNeverAddedUp() {
    MadeRun run = new MadeRun().window(10, 69);
    run.targets.add(Target.at("http://127.0.0.1:8001"));
    Exposition first = new Exposition("vllm:", "0", "left");
    Exposition second = new Exposition("vllm:", "0", "right");
    run.scrape(0, 8.9, first).scrape(1, 8.9, second);
    serve(run, first, second);
    RunAnalysis analysis = run.scrape(0, 72, first).scrape(1, 72, second).analyze();

    assertThat(analysis.engine().available()).isFalse();
    assertThat(analysis.engine().absence())
        .isEqualTo(
            "the scrapes tell of the models left and right, which are never added up, and of no"
                + " tiny");
    assertThat(analysis.reconciliation().verdict())
        .isEqualTo(Reconciliation.Verdict.NOT_CHECKED);
  }

  @Test
  void aModelUnderAnotherLabelIsTheRunsIfItIsTheOnlyOne() {
    Exposition base = new Exposition("vllm:", "0", "base-of-an-adapter");
    MadeRun run = new MadeRun().window(10, 69).scrape(8.9, base);
    serve(run, base, base);
    assertThat(run.scrape(72, base).analyze().reconciliation().verdict())
        .isEqualTo(Reconciliation.Verdict.RECONCILED);
  }

  /** 40 requests, three of four on the first engine; both are scraped together. */
  private static MadeRun threeToOne(Exposition first, Exposition second) {
    MadeRun run = new MadeRun().window(10, 69);
    both(run, 8.9, first, second);
    serve(run, first, second);
    both(run, 72, first, second);
    return run;
  }

  private static void serve(MadeRun run, Exposition first, Exposition second) {
    for (int i = 0; i < 40; i++) {
      RequestRow row = request(i, 10 + i).build();
      run.requests.add(row);
      (i % 4 == 3 ? second : first).serve(row, 0.01);
    }
  }

  private static void both(MadeRun run, double at, Exposition first, Exposition second) {
    List<Sample> samples = new java.util.ArrayList<>(first.samples());
    samples.addAll(second.samples());
    run.scrapes.add(
        new ScrapeRow(
            0, MadeRun.nanos(at), MadeRun.nanos(at) + 1_000_000, List.copyOf(samples), ""));
  }
}
