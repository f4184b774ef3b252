package tallystick.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.plan.Planner;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;

/** How much heap a plan is given. */
class LoadHeapTest {
  private static final long MIB = 1L << 20;
  private static final long MACHINE = 64L << 30;

  private static LoadHeap heap(String... overrides) {
    Scenario scenario =
        ScenarioReader.read(
            Path.of("scenarios/quickstart.yaml"), List.of(overrides), List.of());
    return LoadHeap.of(Planner.plan(scenario, 1), MACHINE);
  }

  @Test
  void aSmallPlanIsGivenLittle() {
    assertThat(heap().usualBytes()).isBetween(160 * MIB, 192 * MIB);
    assertThat(heap().mostBytes()).isBetween(288 * MIB, 400 * MIB);
  }

  @Test
  void moreStreamsLongerPromptsAndSlowerServersNeedMore() {
    LoadHeap many = heap("workload.rate=200");
    assertThat(many.usualBytes()).isGreaterThan(heap().usualBytes() + 150 * MIB);
    assertThat(many.mostBytes()).isGreaterThan(many.usualBytes() + 200 * MIB);
    assertThat(heap("workload.rate=200", "workload.prompt_tokens=8000").usualBytes())
        .isGreaterThan(many.usualBytes() + 300 * MIB);
  }

  @Test
  void noPlanIsGivenMoreThanTheMachineCanBear() {
    Scenario scenario =
        ScenarioReader.read(
            Path.of("scenarios/quickstart.yaml"), List.of("workload.rate=200"), List.of());
    assertThat(LoadHeap.of(Planner.plan(scenario, 1), 400 * MIB).mostBytes())
        .isEqualTo(300 * MIB);
  }

  @Test
  void theUsersWordIsTaken() {
    assertThat(LoadHeap.given("512m").flags()).contains("-Xmx512m", "-XX:SoftMaxHeapSize=512m");
    assertThat(LoadHeap.given("1G").words()).isEqualTo("1024 MiB (--load-heap)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"12x", "0", "0m", "1k", "999g", "-5m", "", "99999999999g"})
  void whatIsNoSizeIsRefused(String text) {
    assertThatThrownBy(() -> LoadHeap.given(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must");
  }
}
