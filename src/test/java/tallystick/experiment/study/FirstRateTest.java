package tallystick.experiment.study;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.experiment.Budget;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;

class FirstRateTest {
  private static final Scenario SCENARIO =
      ScenarioReader.read(Path.of("scenarios/study-short.yaml"), List.of(), List.of());

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 10_000, Double.NaN})
  void bothBoundsAreNamed(double from) {
    StudyExperiment.Asked asked =
        new StudyExperiment.Asked(
            Optional.empty(), OptionalDouble.of(from), new Budget(OptionalDouble.empty()), 1);

    assertThatThrownBy(() -> new StudyExperiment(SCENARIO, asked, null, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the first rate must be > 0 and < 666.7/s, was " + from);
  }
}
