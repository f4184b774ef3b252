package tallystick.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tallystick.experiment.Bench;
import tallystick.experiment.CapacityExperiment;
import tallystick.experiment.CapacityReport;
import tallystick.run.Preflight;
import tallystick.run.TargetException;
import tallystick.scenario.Scenario;
import tallystick.scenario.Target;
import tallystick.scrape.MetricsAccess;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/** Searches the largest rate at which a scenario's objectives hold. */
@Command(
    name = "capacity",
    mixinStandardHelpOptions = true,
    description = {
      "Find the largest Poisson rate at which the scenario's objectives hold together.",
      "Each request must keep every limit; the scenario's share of the requests must.",
      "Without a target the embedded, simulated engine is started on loopback.",
      "Ctrl-C keeps what is finished: --resume goes on from there."
    })
final class CapacityCommand implements Callable<Integer> {
  private static final Duration QUIET_TIMEOUT = Duration.ofMinutes(3);
  private final Interruption interruption;

  @Spec private CommandSpec spec;

  @Mixin private ScenarioOptions scenarioOptions;

  @Mixin private EngineOptions engineOptions;

  @Mixin private WorldOptions worldOptions;

  @Mixin private TargetOptions targetOptions;

  @Mixin private ApiKeyOption apiKeyOption;

  @Option(
      names = "--rehearse",
      description = "search on the simulated engine in virtual time: minutes of load in seconds")
  private boolean isRehearsal;

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      description = "time for all probes, for example 30m; an interval is answered where it ends")
  private String budget;

  @Option(
      names = "--from",
      paramLabel = "RATE",
      description = "requests per second of the first probe (default: the scenario's rate)")
  private Double from;

  @Option(
      names = "--share",
      paramLabel = "SHARE",
      description = "share of requests that must keep all limits (default: the objectives')")
  private Double share;

  @Option(
      names = "--resume",
      paramLabel = "FOLDER",
      description = "go on with a search that was interrupted; the other options as before")
  private Path resumed;

  @Mixin private OutOption out;

  CapacityCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws Exception {
    Scenario scenario = scenarioOptions.read(targetOptions.overrides());
    Map<String, String> flags = engineOptions.flags(EngineFlags.of(scenario.engine()));
    EngineSettings engine = orMistake(() -> EngineFlags.settings(flags));
    if (isRehearsal) {
      return search(scenario, orMistake(() -> new VirtualBench(flags, worldOptions.shape())));
    }
    String apiKey = apiKeyOption.resolve(scenario.access(), spec.commandLine());
    if (!scenario.targets().isEmpty()) {
      return search(scenario, live(scenario, scenario.targets(), apiKey, flags));
    }
    try (EmbeddedEngine embedded = EmbeddedEngine.start(engine, "127.0.0.1", 0)) {
      List<Target> targets = List.of(Target.at(embedded.url()));
      return search(scenario, live(scenario, targets, apiKey, flags));
    }
  }

  /** What was typed, or what is wrong with it. */
  private <T> T orMistake(Supplier<T> typed) {
    try {
      return typed.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Bench live(
      Scenario scenario, List<Target> targets, String apiKey, Map<String, String> flags)
      throws TargetException, InterruptedException {
    List<Target> measured =
        targets.stream().map(given -> targetOptions.scraped(given, spec)).toList();
    Preflight.Findings findings =
        new Preflight(MetricsAccess.of(scenario.access().caFile(), apiKey))
            .check(measured, scenario.model());
    PrintWriter console = spec.commandLine().getOut();
    findings.notes().forEach(console::println);
    return new LiveBench(
        new LiveBench.Servers(
            measured, findings, scenario.targets().isEmpty(), flags, apiKey, QUIET_TIMEOUT),
        interruption,
        new ProgressDisplay(console, Boolean.getBoolean("tally.terminal")));
  }

  private int search(Scenario scenario, Bench bench) throws IOException, InterruptedException {
    PrintWriter console = spec.commandLine().getOut();
    CapacityExperiment experiment =
        orMistake(() -> new CapacityExperiment(scenario, asked(scenario), bench));
    Path folder = folder(scenario, experiment);
    console.println("Experiment in " + folder);
    Optional<CapacityReport> report;
    if (isRehearsal) {
      interruption.onInterrupt(() -> {});
    }
    try {
      report =
          experiment.run(
              folder,
              line -> {
                console.println(line);
                console.flush();
              },
              interruption::isInterrupted);
    } catch (IOException e) {
      throw new IOException(
          e.getMessage() + "\nThe finished probes are kept: mend it and give the same command with"
              + " --resume " + folder,
          e);
    }
    if (report.isEmpty()) {
      console.println("Interrupted. The same command with --resume " + folder + " goes on.");
      console.flush();
      return ExitCode.INTERRUPTED.number();
    }
    console.println();
    console.println(report.get().text());
    console.flush();
    return code(report.get().outcome()).number();
  }

  private static ExitCode code(CapacityReport.Outcome outcome) {
    return switch (outcome) {
      case CERTIFIED -> ExitCode.GOOD;
      case NOT_PROVEN -> ExitCode.NOT_PROVEN;
      case NEVER_HELD -> ExitCode.RESULT_FAILS;
      case NOT_TRUSTED -> ExitCode.NOT_TRUSTED;
      case BUDGET_TOO_SMALL -> ExitCode.USER_MISTAKE;
    };
  }

  private Path folder(Scenario scenario, CapacityExperiment experiment) throws IOException {
    if (resumed != null) {
      Optional<String> mistake = experiment.mistakeIn(resumed);
      if (mistake.isPresent()) {
        throw new ParameterException(spec.commandLine(), mistake.get());
      }
      return resumed;
    }
    String nonce = HexFormat.of().toHexDigits(scenarioOptions.seed(scenario));
    Path folder =
        RunFolder.create(out.folder(), scenario.name() + "-capacity", nonce, Clock.systemUTC());
    experiment.begin(folder);
    return folder;
  }

  private CapacityExperiment.Asked asked(Scenario scenario) {
    return new CapacityExperiment.Asked(
        share == null ? OptionalDouble.empty() : OptionalDouble.of(share),
        from == null ? OptionalDouble.empty() : OptionalDouble.of(from),
        budget == null
            ? OptionalDouble.empty()
            : OptionalDouble.of(GivenTime.seconds("--budget", budget)),
        scenarioOptions.seed(scenario));
  }
}
