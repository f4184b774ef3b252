package tallystick.cli.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.EngineOptions;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.cli.option.StrengthOption;
import tallystick.cli.run.AnswerOptions;
import tallystick.cli.run.RunFolder;
import tallystick.experiment.fit.FitAnswer;
import tallystick.experiment.fit.FittedProfile;
import tallystick.experiment.fit.MeasuredRun;
import tallystick.experiment.fit.PosteriorEngines;
import tallystick.experiment.fit.Prediction;
import tallystick.experiment.fit.ProfileFitting;
import tallystick.experiment.fit.RunSpeedFactor;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.WholeFile;
import tallystick.scenario.Counted;
import tallystick.simengine.EngineSettings;
import tallystick.simengine.SchedulerSettings;

/** Fits the simulated engine's times to measured runs. */
@Command(
    name = "fit",
    description = {
      "Fit the simulated engine's step and server costs to measured runs of one engine.",
      "Each cost comes with its interval, or with what to vary to determine it.",
      "Runs of an experiment with --serve record the engine's settings; for other runs give"
          + " --max-num-batched-tokens and --max-num-seqs."
    })
public final class FitCommand extends ShellCommand {
  private static final String BUDGET = "max-num-batched-tokens";
  private static final String SEQUENCES = "max-num-seqs";

  @Parameters(paramLabel = "RUN", arity = "1..*", description = "run folders")
  private List<Path> folders;

  @Option(
      names = "--check",
      paramLabel = "RUN",
      description = "predict this run, which is left out of the fit; may be given more than once")
  private List<Path> checked = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      defaultValue = "profile.properties",
      description = "where to write the profile (default: ${DEFAULT-VALUE})")
  private Path file;

  @Mixin private StrengthOption strength;

  @Mixin private AnswerOptions options;

  @Mixin private EngineOptions engineOptions;

  @Override
  public Integer call() throws IOException {
    if (Files.isDirectory(file)) {
      throw new Mistake("--out " + file + " is a folder: name a file");
    }
    List<MeasuredRun> runs = read(folders);
    List<MeasuredRun> tests = read(checked);
    List<MeasuredRun> all = new ArrayList<>(runs);
    all.addAll(tests);
    Optional<String> unfit =
        MeasuredRun.unfit(all)
            .or(() -> tests.stream().flatMap(run -> run.unpredictable().stream()).findFirst());
    String words = words(runs);
    if (unfit.isPresent()) {
      return answer(new FitAnswer.NotFitted(words, unfit.get()));
    }
    requireOnce(all);
    ProfileFitting fitting = new ProfileFitting();
    runs.forEach(
        run -> run.byTarget().forEach(rows -> fitting.add(rows, budget(run))));
    Optional<FittedProfile> found = fitting.fit(words);
    if (found.isEmpty()) {
      return answer(new FitAnswer.NotFitted(words, ProfileFitting.NOTHING_READ));
    }
    FittedProfile profile = found.get();
    if (profile.doubt().isPresent()) {
      return answer(new FitAnswer.NotFitted(words, profile.doubt().get()));
    }
    FitAnswer.Checks checks = predicted(fitting, profile, tests);
    WholeFile.writeAsked(file, profile.text());
    return answer(new FitAnswer.Fitted(words, profile, untold(runs, tests), checks, file));
  }

  /** What matters and neither a record nor a flag tells, with the value that was taken. */
  private Map<String, String> untold(List<MeasuredRun> runs, List<MeasuredRun> tests) {
    SchedulerSettings usual = settings(Map.of()).scheduler();
    Map<String, String> taken = new LinkedHashMap<>();
    if (isUntold(runs, BUDGET) || isUntold(tests, BUDGET)) {
      taken.put(BUDGET, Integer.toString(usual.maxNumBatchedTokens()));
    }
    if (isUntold(tests, SEQUENCES)) {
      taken.put(SEQUENCES, Integer.toString(usual.maxNumSeqs()));
    }
    return taken;
  }

  private boolean isUntold(List<MeasuredRun> runs, String flag) {
    return runs.stream().anyMatch(run -> !engineOptions.flags(run.flags()).containsKey(flag));
  }

  /** A run that is named twice is no second observation, and one that is fitted is no check. */
  private void requireOnce(List<MeasuredRun> all) {
    Set<List<?>> seen = new HashSet<>();
    for (MeasuredRun run : all) {
      // Runs of one second may have one name.
      if (!seen.add(run.requests().stream().map(RequestRow::times).toList())) {
        throw new Mistake("run " + run.name() + " is named twice: name each run once");
      }
    }
  }

  private FitAnswer.Checks predicted(
      ProfileFitting fitting, FittedProfile found, List<MeasuredRun> tests) throws IOException {
    Map<String, List<Prediction>> predictions = new LinkedHashMap<>();
    Map<String, Double> speeds = new LinkedHashMap<>();
    PosteriorEngines possible = fitting.possible(found);
    ProfileCheck check = new ProfileCheck(this::settings, errors());
    for (MeasuredRun test : tests) {
      RunSpeedFactor speed = RunSpeedFactor.of(test, budget(test), found);
      speeds.put(test.name(), speed.steps());
      check.of(test, found, possible, speed)
          .forEach((phase, all) -> predictions.put(phase + " of " + test.name(), all));
    }
    return new FitAnswer.Checks(predictions, speeds);
  }

  private int answer(FitAnswer found) {
    return ExitCode.of(strength.outcome(options.show(found, ""))).number();
  }

  private static List<MeasuredRun> read(List<Path> folders) throws IOException {
    List<MeasuredRun> runs = new ArrayList<>();
    for (RecordReader run : RunFolder.open(folders)) {
      runs.add(MeasuredRun.of(run));
    }
    return runs;
  }

  private static String words(List<MeasuredRun> runs) {
    Map<String, String> keys = runs.getFirst().keys();
    return Counted.of(runs.size(), "run", "runs") + " of a "
        + keys.get("kind of engine") + " engine " + keys.get("engine version") + ", model "
        + keys.get("model");
  }

  private int budget(MeasuredRun run) {
    return settings(run.flags()).scheduler().maxNumBatchedTokens();
  }

  private EngineSettings settings(Map<String, String> otherwise) {
    return Mistake.orSay("engine: ", () -> engineOptions.settings(otherwise));
  }
}
