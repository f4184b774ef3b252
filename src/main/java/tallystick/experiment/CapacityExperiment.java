package tallystick.experiment;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import tallystick.plan.Plan;
import tallystick.plan.Planner;
import tallystick.runrecord.PlanJson;
import tallystick.runrecord.RecordReader;
import tallystick.scenario.Arrival;
import tallystick.scenario.Objective;
import tallystick.scenario.Rate;
import tallystick.scenario.Scenario;
import tallystick.scenario.Workload;

/**
 * The largest Poisson rate at which a scenario's objectives hold together, searched with fresh runs
 * on a bench. What is finished stands in the folder's journal: an interrupted search goes on there
 * and ends as it would have ended.
 */
public final class CapacityExperiment {
  static final String NAME = "capacity";
  private static final double NANOS = 1e9;

  /** More requests in one probe than this do not fit a load process. */
  private static final double MOST_REQUESTS = 300_000;

  private static final double LONGEST_SECONDS = 200;

  private final Scenario scenario;
  private final JointObjective objective;
  private final Bench bench;
  private final Asked asked;
  private final CapacitySearch search;

  /**
   * What the user asks beside the scenario.
   *
   * @param share of requests that must keep all limits; empty takes the objectives' own
   * @param firstPerSecond rate of the first probe; empty takes the scenario's
   * @param budgetSeconds time for all probes; empty means until the answer is certain
   * @param seed of the experiment
   */
  public record Asked(
      OptionalDouble share, OptionalDouble firstPerSecond, OptionalDouble budgetSeconds,
      long seed) {}

  /** Is told how far the search is. */
  public interface Listener {
    /** Words for one line: a probe begins, or has ended. */
    void say(String line);
  }

  /**
   * A search that has not begun.
   *
   * @throws IllegalArgumentException if the scenario cannot be searched
   */
  public CapacityExperiment(Scenario scenario, Asked asked, Bench bench) {
    this.scenario = scenario;
    this.asked = asked;
    this.bench = bench;
    this.objective = JointObjective.of(scenario.objectives(), asked.share());
    double first =
        asked.firstPerSecond().isPresent()
            ? asked.firstPerSecond().getAsDouble()
            : rateOf(scenario.workload().arrival());
    if (!(first > 0 && first < MOST_REQUESTS)) {
      throw new IllegalArgumentException("the first rate must be > 0, was " + first);
    }
    this.search =
        new CapacitySearch(
            new CapacitySearch.Question(
                objective.share(), first, MOST_REQUESTS / LONGEST_SECONDS,
                asked.budgetSeconds().orElse(Double.POSITIVE_INFINITY), bench.overheadSeconds(),
                asked.seed()));
  }

  private static double rateOf(Arrival arrival) {
    return switch (arrival) {
      case Arrival.Open open when open.rate() instanceof Rate.Steady steady -> steady.perSecond();
      case Arrival.Open open -> throw unclear("its rate changes over time");
      case Arrival.Closed closed -> throw unclear("a closed loop has no rate");
      case Arrival.Trace trace -> throw unclear("a trace has its own times");
    };
  }

  private static IllegalArgumentException unclear(String why) {
    return new IllegalArgumentException(
        why + ": name the Poisson rate to begin with, for example --from 2");
  }

  /**
   * The journal of a new search in an empty folder.
   *
   * @throws IOException if it cannot be written
   */
  public void begin(Path folder) throws IOException {
    Journal.begin(folder, NAME, scenario.name(), fingerprint());
  }

  /**
   * Why a search cannot go on in a folder; empty if it can.
   *
   * @throws IOException if the journal cannot be read
   */
  public Optional<String> mistakeIn(Path folder) throws IOException {
    try {
      Journal.resume(folder, NAME, fingerprint());
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * Searches on in a folder, from its last finished probe to the answer or until somebody asks it
   * to stop; blocks.
   *
   * @return what is shown and written; empty if it was stopped
   * @throws IOException if the disk or the server fails; the finished probes are kept
   */
  public Optional<CapacityReport> run(Path folder, Listener listener, BooleanSupplier isStopped)
      throws IOException, InterruptedException {
    Journal journal = Journal.resume(folder, NAME, fingerprint());
    journal.forgetDoubtful();
    if (!journal.done().isEmpty()) {
      listener.say(journal.done().size() + " finished probes are taken from " + folder);
    }
    while (true) {
      CapacitySearch.Step step = search.next(journal.done());
      switch (step) {
        case CapacitySearch.Step.Conclude end -> {
          CapacityReport report =
              new CapacityReport(
                  scenario.name(), bench.words(), objective, asked.budgetSeconds(), end.answer(),
                  journal.done());
          report.write(folder);
          return Optional.of(report);
        }
        case CapacitySearch.Step.Play play -> {
          if (isStopped.getAsBoolean()) {
            return Optional.empty();
          }
          listener.say(ProbeLine.begin(play.probe(), journal.done(), asked.budgetSeconds()));
          Optional<ProbeResult> result = play(play.probe(), folder);
          if (result.isEmpty()) {
            return Optional.empty();
          }
          journal.add(result.get());
          listener.say(ProbeLine.end(result.get()));
        }
      }
    }
  }

  private Optional<ProbeResult> play(Probe probe, Path folder)
      throws IOException, InterruptedException {
    Path runFolder = runFolder(folder, probe);
    OptionalDouble elapsed = bench.play(plan(probe), runFolder);
    if (elapsed.isEmpty()) {
      return Optional.empty();
    }
    ProbeResult result =
        ProbeReading.of(probe, elapsed.getAsDouble(), objective, RecordReader.open(runFolder));
    if (bench.isRepeatable()) {
      delete(runFolder);
    }
    return Optional.of(result);
  }

  /** A folder of its own; what an interrupted probe left stays beside it. */
  private static Path runFolder(Path folder, Probe probe) throws IOException {
    Path parent = Files.createDirectories(folder.resolve("probes"));
    String name = String.format(Locale.ROOT, "probe-%03d", probe.number());
    Path fresh = parent.resolve(name);
    for (int attempt = 2; Files.exists(fresh); attempt++) {
      fresh = parent.resolve(name + "-" + attempt);
    }
    return Files.createDirectory(fresh);
  }

  private static void delete(Path runFolder) throws IOException {
    try (Stream<Path> files = Files.walk(runFolder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The scenario's requests at the probe's rate, as a Poisson process. */
  private Plan plan(Probe probe) {
    Arrival arrival =
        new Arrival.Open(
            new Rate.Steady(probe.perSecond()), Arrival.Open.POISSON,
            capOf(scenario.workload().arrival()));
    Scenario probed =
        new Scenario(
            scenario.name(), scenario.targets(), scenario.model(), scenario.endpoint(),
            new Workload(arrival, scenario.workload().classes()),
            new Scenario.Extent(Math.round(probe.loadSeconds() * NANOS), 0), scenario.warmup(),
            probe.seed(), scenario.objectives(), scenario.limits(), scenario.request(),
            scenario.access(), stopRules(), scenario.engine(), scenario.labels(),
            scenario.exporters());
    return Planner.plan(probed, probe.seed());
  }

  private static int capOf(Arrival arrival) {
    return switch (arrival) {
      case Arrival.Open open -> open.concurrencyCap();
      case Arrival.Trace trace -> trace.concurrencyCap();
      case Arrival.Closed closed -> 0;
    };
  }

  /** A probe far beyond the limits ends early: its queue would have to drain. */
  private Scenario.StopRules stopRules() {
    double longest =
        objective.limits().stream()
            .filter(limit -> limit.metric() == Objective.Metric.TTFT
                || limit.metric() == Objective.Metric.E2E)
            .mapToDouble(Objective::thresholdSeconds)
            .max()
            .orElse(10);
    long ttftNanos = Math.round(Math.max(10, 20 * longest) * NANOS);
    return new Scenario.StopRules(0.9, ttftNanos, 0, 0);
  }

  /** All that a decision depends on but the budget, which may grow when a search goes on. */
  private String fingerprint() throws IOException {
    Probe probe = new Probe(1, Probe.Purpose.BRACKET, 2, 10, 20, asked.seed());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PlanJson.write(plan(probe), bytes);
    String options =
        asked.seed() + " " + objective.share() + " " + asked.firstPerSecond() + " "
            + scenario.workload().arrival() + " " + bench.fingerprint();
    bytes.write(options.getBytes(StandardCharsets.UTF_8));
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(bytes.toByteArray()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
