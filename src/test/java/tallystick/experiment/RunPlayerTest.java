package tallystick.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.analysis.result.RunAnalysis;
import tallystick.plan.Plan;

class RunPlayerTest {
  @TempDir private Path folder;

  /** A bench that leaves one file. */
  private static class Leaving implements TestBed {
    private final boolean isRepeatable;

    Leaving(boolean isRepeatable) {
      this.isRepeatable = isRepeatable;
    }

    @Override
    public boolean isRepeatable() {
      return isRepeatable;
    }

    @Override
    public OptionalDouble play(Plan plan, Path runFolder) throws IOException {
      Files.writeString(runFolder.resolve("whole"), "");
      return OptionalDouble.of(1);
    }

    @Override
    public void present(RunAnalysis analysis, Path runFolder) throws IOException {
      Files.writeString(runFolder.resolve("report.html"), "");
    }

    @Override
    public String words() {
      return "a bench";
    }

    @Override
    public String fingerprint() {
      return words();
    }

    @Override
    public double overheadSeconds() {
      return 0;
    }
  }

  private Path played(boolean isRepeatable) throws Exception {
    Path cut = Files.createDirectories(folder.resolve("runs/run-003/record"));
    Files.writeString(cut.resolve("half"), "");
    return new RunPlayer(new Leaving(isRepeatable), folder.resolve("runs"))
        .play(null, "run-003")
        .orElseThrow()
        .folder();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRunThatIsKeptHasAPage(boolean isRepeatable) throws Exception {
    String page =
        new RunPlayer(new Leaving(isRepeatable), folder.resolve("probes"))
            .read(null, "probe-001", played -> new RunPlayer.Read<>(played.page(), null))
            .orElseThrow();

    assertThat(page).isEqualTo(isRepeatable ? "" : "probes/probe-001/report.html");
    assertThat(Files.exists(folder.resolve("probes/probe-001/report.html")))
        .isEqualTo(!isRepeatable);
  }

  @Test
  void whoseEngineEndedInTheMiddleIsSaid() {
    TestBed dying =
        new Leaving(false) {
          @Override
          public OptionalDouble play(Plan plan, Path runFolder) throws IOException {
            throw new EngineFailure(EngineFailure.Moment.RUN, "the engine ended");
          }
        };
    assertThatThrownBy(() -> new RunPlayer(dying, folder).play(null, "probe-002"))
        .isInstanceOfSatisfying(
            EngineFailure.class,
            e -> assertThat(e.moment()).isEqualTo(EngineFailure.Moment.RUN))
        .hasMessage("probe-002: the engine ended");
  }

  /** A run's folder names it in the record: what a kill left must not change that name. */
  @Test
  void whatAKillLeftOfARunInVirtualTimeIsReplaced() throws Exception {
    assertThat(played(true)).hasFileName("run-003").isDirectoryContaining("glob:**/whole");
    assertThat(folder.resolve("runs/run-003/record")).doesNotExist();
    assertThat(folder.resolve("runs")).isDirectoryNotContaining("glob:**/run-003-2");
  }

  @Test
  void whatAKillLeftOfAMeasuredRunStaysBesideIt() throws Exception {
    assertThat(played(false)).hasFileName("run-003-2");
    assertThat(folder.resolve("runs/run-003/record/half")).exists();
  }
}
