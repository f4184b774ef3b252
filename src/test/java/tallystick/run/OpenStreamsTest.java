package tallystick.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.plan.Plan;
import tallystick.plan.Planner;
import tallystick.scenario.ScenarioReader;

/** How many streams a plan may hold open, which decides on heap and threads. */
class OpenStreamsTest {
  private static long most(String... overrides) {
    Plan plan =
        Planner.plan(
            ScenarioReader.read(
                Path.of("scenarios/quickstart.yaml"), List.of(overrides), List.of()),
            1);
    return OpenStreams.most(plan, OpenStreams.USUAL_ANSWER_NANOS);
  }

  @Test
  void anOpenLoopHoldsWhatStartsWhileOneAnswerLasts() {
    assertThat(most("workload.rate=100", "duration=20s")).isBetween(950L, 1150L);
    assertThat(most("workload.rate=100", "duration=2s")).isBetween(150L, 350L);
  }

  @Test
  void aClosedLoopHoldsItsUsers() {
    assertThat(most("workload={arrival: closed, concurrency: 48, prompt_tokens: 9, "
            + "output_tokens: 9}"))
        .isEqualTo(48);
  }

  @Test
  void laterTurnsDoNotAllStartAtOnce() {
    String turns = "workload.conversation={turns: 4}";

    assertThat(most("workload.rate=10", "duration=60s", turns)).isBetween(350L, 500L);
    assertThat(most("workload.rate=10", "duration=60s")).isBetween(85L, 130L);
  }

  @Test
  void subAgentsOfAUserAskAtTheSameTime() {
    String users = "workload={arrival: closed, concurrency: 10, prompt_tokens: 9, output_tokens: 9";

    assertThat(most(users + ", conversation: {turns: 2}}")).isEqualTo(10);
    assertThat(
            most(
                users + ", conversation: {turns: 2, agents: {count: 3, prompt_tokens: 5,"
                    + " result_tokens: 5}}}"))
        .isBetween(11L, 80L);
  }
}
