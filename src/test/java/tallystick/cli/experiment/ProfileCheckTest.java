package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.experiment.fit.FittedProfile;
import tallystick.experiment.fit.MeasuredRun;
import tallystick.experiment.fit.PosteriorEngines;
import tallystick.experiment.fit.RunSpeedFactor;
import tallystick.experiment.fit.StepTimeNoise;
import tallystick.simengine.EngineSettings;

class ProfileCheckTest {
  private static final FittedProfile BEST =
      new FittedProfile(
          List.of(), new StepTimeNoise(0, 0, 0), new FittedProfile.Seen(0, 0, 0, 0, 0, 0, 1, 1, 0),
          "none");

  @ParameterizedTest
  @CsvSource({"1.2, 0, 10 times", "NaN, 0, 5 times", "1.2, 3, 13 times", "NaN, 3, 8 times"})
  void asManyPlaysAreAnnouncedAsAreMade(double slowness, int possible, String announced)
      throws IOException {
    StringWriter said = new StringWriter();
    int[] plays = {0};
    ProfileCheck check =
        new ProfileCheck(
            flags -> {
              plays[0]++;
              return EngineSettings.defaults();
            },
            new PrintWriter(said));
    MeasuredRun run = new MeasuredRun("chat", Map.of(), List.of(), List.of(), Map.of());
    PosteriorEngines others =
        new PosteriorEngines(Collections.nCopies(possible, BEST), "");

    check.of(run, BEST, others, new RunSpeedFactor(slowness, slowness));

    assertThat(said.toString())
        .isEqualToNormalizingNewlines(
            "predicting chat, " + announced + " in virtual time ...\n");
    assertThat(announced).startsWith(plays[0] + " ");
  }
}
