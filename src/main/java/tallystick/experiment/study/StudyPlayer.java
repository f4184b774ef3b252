package tallystick.experiment.study;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tallystick.experiment.PlanVariant;
import tallystick.experiment.RunPlayer;
import tallystick.experiment.TestBed;
import tallystick.plan.Plan;
import tallystick.runrecord.RecordReader;
import tallystick.scenario.Arrival;
import tallystick.scenario.Formatted;
import tallystick.scenario.Objective;
import tallystick.scenario.Rate;
import tallystick.scenario.Scenario;
import tallystick.scenario.Workload;

/**
 * Plays the runs of a study and reads what they show.
 *
 * @param mixes its traffic mixes
 * @param objectives those that are studied
 */
record StudyPlayer(Scenario scenario, List<Mix> mixes, List<Objective> objectives) {
  private static final double NANOS = 1e9;

  /**
   * What a run shows, and its record, which is kept: thresholds are derived from all of them
   * together. Empty if somebody interrupted it.
   *
   * @param experiment the study's folder
   * @throws IOException if the disk or the server fails
   */
  Optional<StudyResult> play(StudyRun run, TestBed bench, Path experiment)
      throws IOException, InterruptedException {
    Optional<RunPlayer.Played> played =
        new RunPlayer(bench, experiment.resolve("runs")).play(plan(run), name(run));
    boolean isFree = bench.isRepeatable() && run.has(StudyStep.Kind.HEALTH);
    if (played.isEmpty()) {
      return Optional.empty();
    }
    Path folder = played.get().folder();
    RunPlayer.Read<StudyResult> read =
        read(run, folder, isFree ? 0 : played.get().elapsedSeconds(), experiment);
    bench.present(read.analysis(), folder);
    return Optional.of(read.result());
  }

  /**
   * What a run would show on a simulated engine, whose record is not kept; empty if somebody
   * interrupted it.
   *
   * @throws IOException if the disk fails
   */
  Optional<StudyResult> predict(StudyRun run, TestBed predictor, Path experiment)
      throws IOException, InterruptedException {
    return new RunPlayer(predictor, experiment.resolve("predicted"))
        .read(
            plan(run), name(run),
            played -> read(run, played.folder(), played.elapsedSeconds(), experiment));
  }

  private RunPlayer.Read<StudyResult> read(
      StudyRun run, Path folder, double elapsedSeconds, Path experiment) throws IOException {
    return StudyReading.of(
        run, experiment.relativize(folder).toString(), elapsedSeconds, objectives,
        RecordReader.open(folder));
  }

  /** Whether a run's record still says what it said: a crash or a full disk may have cut it. */
  boolean isWhole(StudyResult result, Path experiment) {
    try {
      return read(
              result.run(), experiment.resolve(result.folder()), result.elapsedSeconds(),
              experiment)
          .result()
          .equals(result);
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  private static String name(StudyRun run) {
    return Formatted.of("run-%03d", run.number());
  }

  Plan plan(StudyRun run) {
    Mix mix =
        mixes.stream().filter(one -> one.name().equals(run.mix())).findFirst().orElseThrow();
    double middle = run.steps().getFirst().perSecond();
    Rate rate =
        run.has(StudyStep.Kind.RAMP)
            ? new Rate.Ramp(
                (1 - Trials.RISE) * middle, (1 + Trials.RISE) * middle, run.loadSeconds())
            : new Rate.Steps(
                run.steps().stream()
                    .map(
                        step ->
                            new Rate.Step(step.name(), step.perSecond(), nanos(step.seconds())))
                    .toList());
    Arrival arrival =
        new Arrival.Open(
            rate, Arrival.Open.POISSON, PlanVariant.capOf(scenario.workload().arrival()));
    Map<String, String> labels = new TreeMap<>(scenario.labels());
    labels.put("mix", run.mix());
    return new PlanVariant(
            new Workload(arrival, mix.classes()),
            new Scenario.Extent(
                run.steps().stream().mapToLong(step -> nanos(step.seconds())).sum(), 0),
            run.seed(),
            Scenario.StopRules.NEVER, labels)
        .plan(scenario);
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * NANOS);
  }
}
