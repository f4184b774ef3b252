package tallystick.cli.experiment;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tallystick.experiment.fit.FittedProfile;
import tallystick.experiment.fit.MeasuredRun;
import tallystick.experiment.fit.PosteriorEngines;
import tallystick.experiment.fit.Prediction;
import tallystick.experiment.fit.RunSpeedFactor;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Counted;
import tallystick.simengine.EngineSettings;
import tallystick.virtualrun.VirtualReplay;

/**
 * Predicts runs that were not fitted, on the fitted engine and on those that are possible.
 *
 * @param engine the user's flags, where they are silent as these say
 * @param progress where to say what goes on
 */
record ProfileCheck(Function<Map<String, String>, EngineSettings> engine, PrintWriter progress) {
  private static final long WAY_NANOS = 100_000;

  /** One play scatters as one run does; odd, so that one of them is in the middle. */
  private static final int PLAYS = 5;

  /**
   * A run's latencies, phase by phase.
   *
   * @param speed how fast its machine was; NaN for unknown
   */
  Map<String, List<Prediction>> of(
      MeasuredRun run, FittedProfile best, PosteriorEngines possible, RunSpeedFactor speed)
      throws IOException {
    boolean isSpeedKnown = !Double.isNaN(speed.steps());
    int all = (isSpeedKnown ? 2 : 1) * PLAYS + possible.engines().size();
    progress.println(
        "predicting " + run.name() + ", " + Counted.of(all, "time", "times")
            + " in virtual time ...");
    List<List<RequestRow>> others = new ArrayList<>();
    for (FittedProfile other : possible.engines()) {
      others.add(play(run, other, 1 + others.size()));
    }
    List<List<RequestRow>> own = isSpeedKnown ? plays(run, speed.of(best)) : List.of();
    return Prediction.byPhase(
        run.requests(),
        new Prediction.Played(plays(run, best), own, others, possible.doubt()));
  }

  private List<List<RequestRow>> plays(MeasuredRun run, FittedProfile profile)
      throws IOException {
    List<List<RequestRow>> plays = new ArrayList<>();
    for (int seed = 0; seed < PLAYS; seed++) {
      plays.add(play(run, profile, seed));
    }
    return plays;
  }

  /** The run's requests on an engine, with the settings that the run's engine told. */
  private List<RequestRow> play(MeasuredRun run, FittedProfile profile, int seed)
      throws IOException {
    Path file = Files.createTempFile("tally-profile", ".properties");
    try {
      Files.writeString(file, profile.text());
      Map<String, String> flags = new HashMap<>(run.flags());
      flags.put("profile", file.toString());
      flags.put("seed", Integer.toString(seed));
      EngineSettings settings = engine.apply(flags);
      List<RequestRow> rows = new ArrayList<>();
      run.byTarget().forEach(
          asked -> rows.addAll(VirtualReplay.of(asked, settings, WAY_NANOS)));
      return rows;
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
