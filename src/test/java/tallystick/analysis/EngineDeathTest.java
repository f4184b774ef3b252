package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;

import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.Outcome;

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
    assertThat(death.evidence()).contains("29 requests of all got no token");
  }

  @Test
  void anEngineThatAnsweredAgainDidNotDie() {
    MadeRun run = died(30);
    run.requests.add(request(99, 69).build());
    assertThat(SmallRun.codes(run.analyze())).doesNotContain("engine_died");
  }

  /** Requests once a second from 10 s on; from 30.5 s on nobody answers. */
  private static MadeRun died(int before) {
    MadeRun run = new MadeRun().window(10, 69);
    Exposition exposition = new Exposition();
    run.scrape(8.9, exposition);
    for (int i = 0; i < 20 + before; i++) {
      boolean isAlive = i <= 20;
      MadeRequest made = request(i, 10 + i);
      if (isAlive) {
        exposition.serve(made.build(), 0.001);
      } else {
        made.outcome(Outcome.REFUSED, 0).silent();
      }
      run.requests.add(made.build());
      if (isAlive) {
        run.scrape(10.5 + i, exposition);
      } else {
        run.failedScrape(10.5 + i);
      }
    }
    return run;
  }
}
