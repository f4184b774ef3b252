package tallystick.report.screen;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.cli.NextLines;
import tallystick.experiment.fit.Cost;
import tallystick.experiment.fit.FittedCost;
import tallystick.experiment.fit.FittedProfile;
import tallystick.experiment.fit.StepScatter;

class FitScreenTest {
  private static final FitScreen.Checks NONE = new FitScreen.Checks(Map.of(), Map.of());

  private static String screen(FittedCost.Standing standing, double spread) {
    FittedCost cost = new FittedCost(Cost.REQUEST, 20, 19, 21, standing, "add a run at a low rate");
    FittedProfile found =
        new FittedProfile(
            List.of(cost), new StepScatter(0, 0, 0),
            new FittedProfile.Seen(900, 0, 0, 0, 50, 9, 1, 1.4, spread), "a run");
    return Screen.text(
        room ->
            FitScreen.next(
                FitScreen.of("2 runs", found, Map.of(), NONE, room), found, NONE,
                Path.of("a folder/engine.properties")),
        Terminal.PLAIN);
  }

  @Test
  void whatFollowsAFitCanBeTypedOrIsASentence() {
    for (FittedCost.Standing standing : FittedCost.Standing.values()) {
      NextLines.check(screen(standing, 0));
      NextLines.check(screen(standing, 0.3));
    }
    NextLines.check(Screen.text(room -> FitScreen.refused("2 runs", "too short"), Terminal.PLAIN));
  }
}
