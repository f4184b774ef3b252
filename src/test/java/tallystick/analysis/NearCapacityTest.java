package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Strength;
import tallystick.plan.Phase;
import tallystick.scenario.Objective;

class NearCapacityTest {
  @Test
  void aShortStretchWithAQueueIsNamedByItsPhase() {
    Optional<Finding> found = run(100, 3);
    assertThat(found).isPresent();
    assertThat(found.get().evidence())
        .containsExactly("main: 100 s; requests waited in 33 % of its scrapes");
  }

  @Test
  void aLongStretchOrOneWithRoomIsNot() {
    assertThat(run(180, 3)).isEmpty();
    assertThat(run(100, 10)).isEmpty();
  }

  /** A step of 30.5/s was kept for sure by a ramp of 2 min, and lost where it lasted. */
  @Test
  void aRateThatOnlyPassedByIsLikelyAtMost() {
    assertThat(strength(false)).isEqualTo(Strength.SURE);
    assertThat(strength(true)).isEqualTo(Strength.LIKELY);
  }

  private static Strength strength(boolean ramp) {
    return made(180, 10, ramp).phases().getFirst().judgement().strength();
  }

  private static Optional<Finding> run(int seconds, int every) {
    return made(seconds, every, false).findings().stream()
        .filter(finding -> finding.code() == Finding.Code.SHORT_NEAR_CAPACITY)
        .findFirst();
  }

  /** Two requests a second; each so-many-th scrape sees one wait. */
  private static RunAnalysis made(int seconds, int every, boolean ramp) {
    SplittableRandom random = new SplittableRandom(1);
    MadeRun run = new MadeRun().window(10, seconds + 15);
    run.objectives.add(new Objective(Objective.Metric.TTFT, 5, 0.5, ""));
    run.phases.clear();
    run.phases.add(new Phase("main", false, 0, seconds * MadeRun.SECOND, 2, ramp));
    for (int i = 0; i < 2 * seconds; i++) {
      double ttft = 0.05 + 0.05 * random.nextDouble();
      run.requests.add(request(i, 10 + i * 0.5).phase("main").ttft(ttft).gaps(0.02).build());
    }
    Exposition exposition = new Exposition();
    run.scrape(8.9, exposition);
    for (int at = 10; at <= seconds + 18; at++) {
      run.scrape(at, exposition.gauge("num_requests_waiting", at % every == 0 ? 1 : 0));
    }
    return run.analyze();
  }
}
