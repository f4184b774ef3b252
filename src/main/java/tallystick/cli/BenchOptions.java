package tallystick.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tallystick.experiment.Bench;
import tallystick.experiment.Engines;
import tallystick.run.Preflight;
import tallystick.run.TargetException;
import tallystick.scenario.Scenario;
import tallystick.scenario.Target;
import tallystick.scrape.MetricsAccess;

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

  private final LiveBench.Lap lap = new LiveBench.Lap();

  /** What is done on a bench. */
  interface Work {
    /** Does it and gives the exit code. */
    int on(Bench bench) throws IOException, InterruptedException;
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
    try (Engines engines = engines(scenario, interruption)) {
      return work.on(orMistake(() -> engines.with(Map.of(), 0)));
    }
  }

  /** The engines that were asked for; their settings may still be varied. */
  Engines engines(Scenario scenario, Interruption interruption)
      throws IOException, InterruptedException, TargetException {
    interruption.onInterrupt(() -> {});
    Map<String, String> flags = engineOptions.flags(EngineFlags.of(scenario.engine()));
    if (isRehearsal) {
      return (settings, salt) ->
          new VirtualBench(varied(flags, settings), worldOptions.shape(), salt);
    }
    LiveServers.Look look = look(scenario);
    LiveBench.Manner manner =
        new LiveBench.Manner(
            apiKey(scenario), QUIET_TIMEOUT, interruption,
            ProgressDisplay.of(console()), lap);
    if (scenario.targets().isEmpty()) {
      return (settings, salt) ->
          new LiveBench(
              new LiveServers.Embedded(varied(flags, settings), salt, look), manner);
    }
    Bench standing = new LiveBench(look.at(scenario.targets()), manner);
    return (settings, salt) -> {
      if (!settings.isEmpty()) {
        throw new IllegalArgumentException(
            "a server that is up keeps its settings, it cannot have " + settings
                + ": leave the URL out");
      }
      return standing;
    };
  }

  /** Flags of the simulated engine, some of them varied; all are known, and can be. */
  private static Map<String, String> varied(
      Map<String, String> flags, Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(flags);
    all.putAll(EngineFlags.of(settings));
    EngineFlags.settings(all);
    return all;
  }

  /** What was typed, or what is wrong with it. */
  <T> T orMistake(Supplier<T> typed) {
    try {
      return typed.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private PrintWriter console() {
    return spec.commandLine().getOut();
  }

  private String apiKey(Scenario scenario) {
    return apiKeyOption.resolve(scenario.access(), spec.commandLine());
  }

  /** What is noted of one server is noted of the next one, too: it is told once. */
  private LiveServers.Look look(Scenario scenario) throws TargetException {
    Preflight preflight =
        new Preflight(MetricsAccess.of(scenario.access().caFile(), apiKey(scenario)));
    Set<String> told = new HashSet<>();
    return targets -> {
      List<Target> measured =
          targets.stream().map(given -> targetOptions.scraped(given, spec)).toList();
      Preflight.Findings findings = preflight.check(measured, scenario.model());
      findings.notes().stream().filter(told::add).forEach(console()::println);
      return new LiveServers.Standing(measured, findings);
    };
  }
}
