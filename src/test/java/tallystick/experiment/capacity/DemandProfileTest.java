package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.plan.Plan;
import tallystick.plan.Planner;
import tallystick.scenario.ScenarioReader;

class DemandProfileTest {
  @TempDir private Path folder;

  private Plan plan(String rest) throws IOException {
    Path file = folder.resolve("made.yaml");
    Files.writeString(file, "name: made\nwarmup: {requests: 0}\n" + rest);
    return Planner.plan(ScenarioReader.read(file, List.of(), List.of()), 1);
  }

  private static final String MIX = "  prompt_tokens: 100\n  output_tokens: 20\n";

  /** 10/s for 300 s, then 25/s: 2 and 3 replicas of 9/s. */
  private static final String STEPS =
      "workload:\n  arrival: constant\n  rate:\n    steps:\n      - {rate: 10, for: 300s}\n"
          + "      - {rate: 25, for: 300s}\n"
          + MIX;

  private static final String STEADY =
      "duration: 600s\nworkload:\n  arrival: poisson\n  rate: 4\n";

  @Test
  void eachWindowTakesTheFewestReplicasThatCarryIt() throws Exception {
    DemandProfile traffic = DemandProfile.of(plan(STEPS), 100);

    List<DemandProfile.Window> windows = traffic.windows(9);
    assertThat(windows).extracting(DemandProfile.Window::replicas)
        .containsExactly(2L, 2L, 2L, 3L, 3L, 3L);
    assertThat(traffic.words(9)).startsWith("2 to 3 for the traffic of made, 2.50 on average");
    assertThat(traffic.figures(9))
        .returns(3L, DemandProfile.Figures::replicasPeak)
        .returns(2.5, DemandProfile.Figures::replicasMean)
        .returns(2.5 * 600 / 3600, DemandProfile.Figures::replicaHours);
  }

  @Test
  void theBusiestFifthOfAWindowDecides() throws Exception {
    // One window of 600 s: its mean of 17.5/s would take 2 of 9/s.
    assertThat(DemandProfile.of(plan(STEPS), 600).windows(9))
        .extracting(DemandProfile.Window::replicas)
        .containsExactly(3L);
  }

  @Test
  void aMixOfOtherLengthsIsToBeMeasuredItself() throws Exception {
    DemandProfile traffic = DemandProfile.of(plan(STEPS), 100);

    assertThat(traffic.unlike(plan(STEADY + MIX))).isEmpty();
    assertThat(
            traffic.unlike(
                plan(STEADY + "  prompt_tokens: 100\n  output_tokens: 30\n")))
        .hasValueSatisfying(
            why -> assertThat(why).contains("20 output tokens", "the measured mix 30"));
  }

  @Test
  void aClosedLoopTellsNoTimes() throws Exception {
    Plan closed = plan("requests: 30\nworkload:\n  arrival: closed\n  concurrency: 3\n" + MIX);
    assertThatThrownBy(() -> DemandProfile.of(closed, 100)).hasMessageContaining("follow answers");
  }
}
