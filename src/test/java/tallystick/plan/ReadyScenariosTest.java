package tallystick.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;

/** Every scenario that comes with the project is read and planned. */
class ReadyScenariosTest {

  static List<Path> scenarios() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("scenarios"))) {
      return files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void isReadAndPlanned(Path file) {
    Scenario scenario = ScenarioReader.read(file, List.of(), List.of());
    Plan plan = Planner.plan(scenario, scenario.seed());

    assertThat(plan.requests()).isNotEmpty();
    assertThat(plan.settings().phases().get(0).warmup()).isTrue();
    assertThat(Planner.plan(scenario, scenario.seed())).isEqualTo(plan);
    assertThat(scenario.name() + ".yaml").isEqualTo(file.getFileName().toString());
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void saysItsQuestionItsLengthAndWhatToLookAt(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);

    assertThat(lines.get(0)).startsWith("# Question: ");
    assertThat(lines.get(1)).startsWith("# Takes: ");
    assertThat(lines).anyMatch(line -> line.startsWith("# Look at: "));
    assertThat(lines).allMatch(line -> line.length() <= 100);
  }
}
