package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordedRunsTest {
  /** Runs of one kind of engine that began at these minutes of one hour. */
  private static List<ComparedRun> at(String kind, int... minutes) {
    List<ComparedRun> runs = new ArrayList<>();
    for (int minute : minutes) {
      ComparedRun run = MadeRuns.run(minute, 0.5, Map.of("engine kind", kind), List.of());
      runs.add(
          new ComparedRun(
              run.runId(), run.scenario(),
              String.format(Locale.ROOT, "2026-01-01T00:%02d:00.5Z", minute), run.seed(),
              run.metrics(), run.missing(), run.ttft(), run.e2e(), run.load(), run.likeness(),
              run.settings(), run.engine(), run.doubts()));
    }
    return runs;
  }

  private static boolean isApart(List<ComparedRun> base, List<ComparedRun> candidate) {
    return RegressionJudge.Runs.recorded(base, candidate).isOneAfterTheOther();
  }

  @Test
  void sidesOfWhichOneWasOverFirstAreTold() {
    assertThat(isApart(at("real", 3, 1, 2), at("real", 6, 5, 4))).isTrue();
    assertThat(isApart(at("real", 4, 5, 6), at("real", 1, 2, 3))).isTrue();
  }

  @Test
  void sidesInTurnAndRunsInVirtualTimeAreNot() {
    assertThat(isApart(at("real", 1, 4, 5), at("real", 2, 3, 6))).isFalse();
    assertThat(isApart(at("virtual", 1, 2, 3), at("virtual", 4, 5, 6))).isFalse();
  }
}
