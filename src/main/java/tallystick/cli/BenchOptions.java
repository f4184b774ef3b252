package tallystick.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tallystick.experiment.Bench;
import tallystick.run.Preflight;
import tallystick.run.TargetException;
import tallystick.scenario.Scenario;
import tallystick.scenario.Target;
import tallystick.scrape.MetricsAccess;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/** Options that say where an experiment's runs are played. */
final class BenchOptions {
  private static final Duration QUIET_TIMEOUT = Duration.ofMinutes(3);

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private ScenarioOptions scenarioOptions;

  @Mixin private EngineOptions engineOptions;

  @Mixin private WorldOptions worldOptions;

  @Mixin private TargetOptions targetOptions;

  @Mixin private ApiKeyOption apiKeyOption;

  @Option(
      names = "--rehearse",
      description = "on the simulated engine in virtual time: minutes of load in seconds")
  private boolean isRehearsal;

  /** What is done on a bench. */
  interface Work {
    /** Does it and gives the exit code. */
    int on(Bench bench) throws IOException, InterruptedException, TargetException;
  }

  boolean isRehearsal() {
    return isRehearsal;
  }

  /** The scenario that was named. */
  Scenario scenario() throws IOException {
    return scenarioOptions.read(targetOptions.overrides());
  }

  /** The scenario that was named, with what a command of two sides says of one. */
  Scenario scenario(List<String> ofSide) {
    List<String> all = new ArrayList<>(targetOptions.overrides());
    all.addAll(ofSide);
    return scenarioOptions.read(all);
  }

  long seed(Scenario scenario) {
    return scenarioOptions.seed(scenario);
  }

  /** Does work on the bench that was asked for, which is there as long as the work takes. */
  int work(Scenario scenario, Interruption interruption, Work work)
      throws IOException, InterruptedException, TargetException {
    return work(scenario, Side.ONLY, interruption, work);
  }

  /**
   * One of several engines.
   *
   * @param flags of its own, where it is a simulated one
   * @param salt makes its noise in virtual time its own
   */
  record Side(Map<String, String> flags, long salt) {
    static final Side ONLY = new Side(Map.of(), 0);
  }

  /** Does work on the bench of one of several sides. */
  int work(Scenario scenario, Side side, Interruption interruption, Work work)
      throws IOException, InterruptedException, TargetException {
    Map<String, String> flags =
        new TreeMap<>(engineOptions.flags(EngineFlags.of(scenario.engine())));
    flags.putAll(side.flags());
    EngineSettings engine = orMistake(() -> EngineFlags.settings(flags));
    if (isRehearsal) {
      interruption.onInterrupt(() -> {});
      return work.on(orMistake(() -> new VirtualBench(flags, worldOptions.shape(), side.salt())));
    }
    if (!scenario.targets().isEmpty()) {
      return work.on(live(scenario, scenario.targets(), flags, interruption));
    }
    try (EmbeddedEngine embedded = EmbeddedEngine.start(engine, "127.0.0.1", 0)) {
      return work.on(live(scenario, List.of(Target.at(embedded.url())), flags, interruption));
    }
  }

  /** What was typed, or what is wrong with it. */
  <T> T orMistake(Supplier<T> typed) {
    try {
      return typed.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Bench live(
      Scenario scenario, List<Target> targets, Map<String, String> flags,
      Interruption interruption)
      throws TargetException, InterruptedException, IOException {
    String apiKey = apiKeyOption.resolve(scenario.access(), spec.commandLine());
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
        ProgressDisplay.of(console));
  }
}
