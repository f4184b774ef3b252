package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.RunAnalysis;
import tallystick.plan.Phase;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Target;

class EngineDeathTest {
  @Test
  void anEngineThatDiedIsSaidSoWithItsTimeAndNothingThatPointsElsewhere() {
    RunAnalysis analysis = died(30).analyze();

    assertThat(analysis.findings())
        .extracting(Finding::code)
        .contains(Finding.Code.ENGINE_DIED)
        .doesNotContain(Finding.Code.LOST_SCRAPES, Finding.Code.NOT_QUIET);
    Finding death = SmallRun.finding(analysis, "engine_died");
    assertThat(death.text()).contains("at about 20.5 s");
    assertThat(death.evidence()).contains("29 of 50 requests got no token");
  }

  @Test
  void aDeadEngineIsNotSaidToBeUnseenIdle() {
    MadeRun run = died(30);
    run.harness.removeIf(
        row -> row instanceof Mark mark && mark.kind() == Mark.Kind.QUIET_AFTER_WINDOW);
    assertThat(SmallRun.codes(run.analyze()))
        .contains("engine_died")
        .doesNotContain("ledger_open");
  }

  @Test
  void anEngineThatAnsweredAgainDidNotDie() {
    MadeRun run = died(30);
    run.requests.add(request(99, 69).build());
    assertThat(SmallRun.codes(run.analyze())).doesNotContain("engine_died");
  }

  @Test
  void theWarmUpsRequestsAreNotCountedAsIfTheyHadGotNoToken() {
    MadeRun run = died(30);
    run.phases.add(new Phase("warm", true, 0, 10 * MadeRun.SECOND, 2));
    for (int i = 0; i < 16; i++) {
      run.requests.add(request(100 + i, 1 + i / 2.0).phase("warm").build());
    }
    Finding death = SmallRun.finding(run.analyze(), "engine_died");
    assertThat(death.evidence()).contains("29 of 50 requests got no token");
  }

  @Test
  void theDeathOfOneOfTwoEnginesNamesItsTarget() {
    RunAnalysis analysis = oneOfTwoDied().analyze();

    Finding death = SmallRun.finding(analysis, "engine_died");
    assertThat(death.text()).contains("target 1", "http://127.0.0.1:8000", "20.5 s");
    assertThat(death.evidence()).contains("29 of 50 requests to it got no token");
    assertThat(analysis.findings())
        .extracting(Finding::code)
        .containsOnlyOnce(Finding.Code.ENGINE_DIED)
        .doesNotContain(Finding.Code.LOST_SCRAPES);
  }

  @Test
  void aFailureThatADeathDoesNotExplainIsStillTold() {
    MadeRun run = oneOfTwoDied();
    run.failedScrape(0, 40.9);
    // From the last answer at 30.5 s to the last failure at 59.5 s.
    assertThat(SmallRun.finding(run.analyze(), "lost_scrapes").text())
        .contains("30 of", "the longest hole is 29.0 s: what grew after the last good");
  }

  /** No request names an engine behind a gateway, which may have asked the other one instead. */
  @Test
  void anEngineBehindAGatewayThatFallsSilentIsTold() {
    MadeRun run = oneOfTwoDied();
    run.targets.set(0, new Target("http://127.0.0.1:8001", "http://127.0.0.1:8001/metrics", 0));
    run.targets.set(1, new Target("http://127.0.0.1:8000", "http://127.0.0.1:8000/metrics", 0));
    run.targets.add(new Target("http://127.0.0.1:4000", "", 1, Target.Role.GATEWAY));
    run.requests.replaceAll(EngineDeathTest::throughTheGateway);

    RunAnalysis analysis = run.analyze();

    Finding silence = SmallRun.finding(analysis, "engine_died");
    assertThat(silence.text())
        .contains("target 1", "http://127.0.0.1:8000", "stopped answering at about 20.5 s");
    assertThat(analysis.findings())
        .extracting(Finding::code)
        .containsOnlyOnce(Finding.Code.ENGINE_DIED)
        .doesNotContain(Finding.Code.LOST_SCRAPES);
  }

  /** Its own metrics are read already, so there is nothing to scrape more directly. */
  @Test
  void anEngineBehindAGatewayThatBeginsAnewIsTold() {
    MadeRun run = new MadeRun().window(10, 49);
    run.targets.set(0, new Target("http://127.0.0.1:8000", "http://127.0.0.1:8000/metrics", 0));
    run.targets.add(new Target("http://127.0.0.1:4000", "", 1, Target.Role.GATEWAY));
    Exposition exposition = new Exposition();
    run.scrape(0, 8.9, exposition);
    for (int i = 0; i < 40; i++) {
      MadeRequest made = request(i, 10 + i).target(1);
      exposition = i == 20 ? new Exposition() : exposition;
      exposition.serve(made.build(), 0.001);
      run.requests.add(made.build());
      run.scrape(0, 10.5 + i, exposition);
    }

    Finding restart = SmallRun.finding(run.analyze(), "engine_restart");

    assertThat(restart.text())
        .startsWith("The engine of target 0 (http://127.0.0.1:8000) began anew before 20.5 s");
    assertThat(restart.remedy()).doesNotContain("scrape each replica").contains("its exit");
  }

  /** A new process shows some series only once it has something to count. */
  @Test
  void whatANewProcessShowsLaterIsNoSecondRestartAndNoHole() {
    MadeRun run = new MadeRun().window(10, 49);
    Exposition exposition = new Exposition();
    run.scrape(0, 8.9, exposition);
    for (int i = 0; i < 40; i++) {
      MadeRequest made = request(i, 10 + i);
      exposition = i == 20 ? new Exposition() : exposition;
      exposition.serve(made.build(), 0.001);
      if (i < 20 || i > 29) {
        exposition.count("prefix_cache_hits_total", 1);
      }
      run.requests.add(made.build());
      run.scrape(0, 10.5 + i, exposition);
    }
    RunAnalysis analysis = run.analyze();

    Finding restart = SmallRun.finding(analysis, "engine_restart");
    assertThat(restart.text()).contains("before 20.5 s").doesNotContain("30.5 s");
    assertThat(SmallRun.codes(analysis)).doesNotContain("families_missing", "families_gone");
  }

  @Test
  void metricsThatNobodyListenedForAreNotCalledLate() {
    MadeRun run = new MadeRun().window(10, 49);
    Exposition exposition = new Exposition();
    run.scrape(0, 8.9, exposition);
    for (int i = 0; i < 40; i++) {
      MadeRequest made = request(i, 10 + i);
      exposition.serve(made.build(), 0.001);
      run.requests.add(made.build());
      if (i < 20 || i > 24) {
        run.scrape(0, 10.5 + i, exposition);
      } else {
        long at = MadeRun.nanos(10.5 + i);
        run.scrapes.add(new ScrapeRow(0, at, at + 1, List.of(), "no connection: refused"));
      }
    }
    assertThat(SmallRun.finding(run.analyze(), "lost_scrapes").remedy())
        .startsWith("Nothing listened there");
  }

  private static RequestRow throughTheGateway(RequestRow row) {
    return new RequestRow(
        row.index(), row.phase(), row.requestClass(), row.user(), 2, row.requestId(),
        row.promptTokens(), row.maxTokens(), row.times(), row.chunks(), row.usage(), row.ending(),
        row.engine());
  }

  private static MadeRun oneOfTwoDied() {
    MadeRun run = died(1, 30);
    run.targets.add(0, Target.at("http://127.0.0.1:8001"));
    Exposition exposition = new Exposition();
    run.scrape(0, 8.8, exposition);
    for (int i = 0; i < 50; i++) {
      MadeRequest made = request(100 + i, 10.2 + i);
      exposition.serve(made.build(), 0.001);
      run.requests.add(made.build());
      run.scrape(0, 10.4 + i, exposition);
    }
    return run;
  }

  @Test
  void anEngineThatAnswersAScrapeAfterTheLoadCameBack() {
    MadeRun run = died(30);
    run.scrape(71, new Exposition());
    assertThat(SmallRun.codes(run.analyze())).doesNotContain("engine_died");
  }

  /** Requests once a second from 10 s on; from 30.5 s on nobody answers. */
  private static MadeRun died(int before) {
    return died(0, before);
  }

  private static MadeRun died(int target, int before) {
    MadeRun run = new MadeRun().window(10, 69);
    Exposition exposition = new Exposition();
    run.scrape(target, 8.9, exposition);
    for (int i = 0; i < 20 + before; i++) {
      boolean isAlive = i <= 20;
      MadeRequest made = request(i, 10 + i).target(target);
      if (isAlive) {
        exposition.serve(made.build(), 0.001);
      } else {
        made.outcome(Outcome.REFUSED, 0).silent();
      }
      run.requests.add(made.build());
      if (isAlive) {
        run.scrape(target, 10.5 + i, exposition);
      } else {
        run.failedScrape(target, 10.5 + i);
      }
    }
    return run;
  }
}
