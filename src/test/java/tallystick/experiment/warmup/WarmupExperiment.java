package tallystick.experiment.warmup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tallystick.experiment.Budget;
import tallystick.experiment.Design;
import tallystick.experiment.Fingerprint;
import tallystick.experiment.JournalEntry;
import tallystick.experiment.JournalIdentity;
import tallystick.experiment.PlanVariant;
import tallystick.experiment.RateFormat;
import tallystick.experiment.RunPlayer;
import tallystick.experiment.Site;
import tallystick.experiment.TestBed;
import tallystick.plan.Plan;
import tallystick.scenario.Scenario;

/**
 * After how many requests the TTFT of a fresh engine settles: each run sends twice as many as the
 * one before, until the last request of one is no faster than that of the other.
 */
record WarmupExperiment(Scenario scenario, TestBed bench, Budget budget, long seed)
    implements Design<WarmupRun, WarmupAnswer> {
  private static final int FIRST = 8;

  /** Two runs of one engine differ by a few percent without any reason. */
  private static final double SETTLED = 1.05;

  @Override
  public JournalIdentity<WarmupRun> identity() throws IOException {
    return new JournalIdentity<>(
        "warmup", scenario.name(),
        Fingerprint.of(plan(FIRST, 0))
            .with("--seed", seed)
            .with("the engine", bench.fingerprint()),
        WarmupRun.class);
  }

  @Override
  public boolean isPlayedAgain(WarmupRun last, List<WarmupRun> done, Path folder) {
    return !last.doubt().isEmpty();
  }

  @Override
  public Optional<Course<WarmupRun, WarmupAnswer>> course(List<WarmupRun> taken, Site site) {
    return Optional.of(
        done -> {
          int requests = FIRST << done.size();
          return isSettled(done) || !hasTime(requests, done)
              ? new Next.End<>(() -> Optional.of(answer(done, site.folder())))
              : new Next.Play<>(
                  requests + " requests", () -> play(requests, done.size() + 1, site));
        });
  }

  @Override
  public String line(List<WarmupRun> done) {
    return String.format(Locale.ROOT, "  TTFT %.0f ms", 1000 * done.getLast().ttftSeconds());
  }

  private Optional<WarmupRun> play(int requests, int number, Site site)
      throws IOException, InterruptedException {
    return new RunPlayer(bench, site.folder().resolve("runs"))
        .read(
            plan(requests, RateFormat.seed(seed, number)), "run-" + number,
            played ->
                new RunPlayer.Read<>(
                    new WarmupRun(
                        requests, played.elapsedSeconds(),
                        Double.parseDouble(Files.readString(played.folder().resolve("ttft"))), ""),
                    null));
  }

  private Plan plan(int requests, long ofRun) {
    return new PlanVariant(
            scenario.workload(), new Scenario.Extent(0, requests), ofRun,
            scenario.stop(), scenario.labels())
        .plan(scenario);
  }

  private static boolean isSettled(List<WarmupRun> done) {
    return done.size() > 1
        && done.get(done.size() - 2).ttftSeconds() <= SETTLED * done.getLast().ttftSeconds();
  }

  /** A request more takes as long as one before. */
  private boolean hasTime(int requests, List<WarmupRun> done) {
    double each =
        done.isEmpty() ? 0 : done.getLast().elapsedSeconds() / done.getLast().requests();
    return JournalEntry.elapsedSeconds(done) + requests * each <= budget.orInfinite();
  }

  private static WarmupAnswer answer(List<WarmupRun> done, Path folder) throws IOException {
    WarmupAnswer answer =
        new WarmupAnswer(
            isSettled(done) ? done.get(done.size() - 2).requests() : 0,
            done.getLast().ttftSeconds());
    answer.write(folder);
    return answer;
  }
}
