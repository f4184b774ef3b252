package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.EngineSetting.Source;
import tallystick.experiment.regress.PlayedRun.Role;

class SettingsOfSidesTest {
  private static PlayedRun run(Role role, String asked, String runs) {
    return new PlayedRun(
        new PlayedRun.Step(1, role, 1, 1), 10, null,
        List.of(
            new EngineSetting("block_size", "16", "16", Source.METRICS),
            new EngineSetting("max_num_seqs", asked, runs, Source.METRICS)),
        "");
  }

  private static List<String> faults(PlayedRun... runs) {
    return new SettingsOfSides(List.of(runs))
        .faults().stream().map(Regression.Unlike::text).toList();
  }

  /** An engine that clamps both makes one engine of two: what is found is not the change. */
  @Test
  void twoSettingsOfWhichTheEngineMakesOneAreNoComparison() {
    assertThat(faults(run(Role.BASE, "64", "32"), run(Role.CANDIDATE, "32", "32")))
        .containsExactly("both sides ran with max_num_seqs 32, asked were 64 and 32");
  }

  @Test
  void aSideWhoseEngineRanWithSeveralSettingsIsNoSide() {
    assertThat(
            faults(
                run(Role.BASE, "64", "64"), run(Role.CANDIDATE, "32", "32"),
                run(Role.CANDIDATE, "32", "16")))
        .containsExactly("runs of the candidate ran with max_num_seqs 16 or 32");
  }

  @Test
  void otherSettingsAreComparedEvenIfTheyAreNotThoseThatWereAsked() {
    assertThat(faults(run(Role.BASE, "64", "48"), run(Role.CANDIDATE, "32", "32"))).isEmpty();
    assertThat(faults(run(Role.BASE, "2k", "2000"), run(Role.CANDIDATE, "1k", "1000"))).isEmpty();
    assertThat(faults(run(Role.BASE, "64", "64"), run(Role.CANDIDATE, "64", "64"))).isEmpty();
  }
}
