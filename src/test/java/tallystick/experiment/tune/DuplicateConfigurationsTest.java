package tallystick.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.regress.ComparedRun;

class DuplicateConfigurationsTest {
  private static final DesignSpace GRID =
      DesignSpace.of(List.of("max_num_seqs=16,32,64"), Map.of());

  private static TunedRun run(int cell, String asked, String runs) {
    ComparedRun figures =
        new ComparedRun(
            "r", "s", "", 1, Map.of(), Map.of(), Map.of(), Map.of(),
            new ComparedRun.Load(false, 1, 1, 1, 1, 1, 1, "", null), Map.of(), Map.of(), Map.of(),
            List.of());
    return new TunedRun(
        new TunedRun.Step(cell + 1, 1, cell, cell, 1, 1), 1, List.of(figures),
        List.of(new EngineSetting("max_num_seqs", asked, runs, EngineSetting.Source.LOG)), "",
        false);
  }

  @Test
  void aCellThatTheEngineClampsToAnotherIsThatOne() {
    List<TunedRun> done =
        new ArrayList<>(List.of(run(0, "16", "16"), run(1, "32", "32"), run(2, "64", "32")));

    Map<Integer, ConfigurationStatus> twins = new DuplicateConfigurations(GRID, done).found();

    assertThat(twins).containsOnlyKeys(2);
    assertThat(twins.get(2).kind()).isEqualTo(ConfigurationStatus.Kind.SAME);
    assertThat(twins.get(2).why())
        .isEqualTo("the same as 32: the engine runs with {max_num_seqs=32}");
  }

  /** It is recommended by the name of what was asked. */
  @Test
  void aCellThatIsNobodysTwinAndRunsWithSomethingElseIsNamed() {
    List<TunedRun> done =
        List.of(run(0, "16", "16"), run(1, "32", "32"), run(2, "64", "48"), run(2, "64", "48"));

    assertThat(new DuplicateConfigurations(GRID, done).others())
        .containsExactly("64 asked for max_num_seqs 64 but ran with 48 (its log)");
    assertThat(
            new DuplicateConfigurations(GRID, List.of(run(1, "32", "32"), run(2, "64", "32")))
                .others())
        .isEmpty();
  }

  @Test
  void anEngineThatSaysNothingHasNoTwins() {
    assertThat(
            new DuplicateConfigurations(GRID, List.of(run(0, "16", "16"), run(1, "32", "32")))
                .found())
        .isEmpty();
  }
}
