package tallystick.cli.experiment;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tallystick.cli.exit.Interruption;
import tallystick.cli.option.ApiKeyOption;
import tallystick.cli.option.EngineFlags;
import tallystick.cli.option.EngineOptions;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ScenarioOptions;
import tallystick.cli.option.TargetOptions;
import tallystick.cli.option.WorldOptions;
import tallystick.cli.terminal.ProgressDisplay;
import tallystick.experiment.EngineProvider;
import tallystick.experiment.Listener;
import tallystick.experiment.TestBed;
import tallystick.experiment.engine.CommandTemplate;
import tallystick.experiment.engine.Deployment;
import tallystick.experiment.engine.EngineSlot;
import tallystick.reach.ApiAccess;
import tallystick.run.Preflight;
import tallystick.run.TargetException;
import tallystick.scenario.RequestContent;
import tallystick.scenario.Scenario;
import tallystick.scenario.Target;
import tallystick.scenario.Workload;
import tallystick.scrape.MetricsAccess;

/** Options that say where an experiment's runs are played. */
final class TestBedOptions {
  /** Asks for the answer alone. */
  static final String QUIET = "--quiet";

  private static final Duration QUIET_TIMEOUT = Duration.ofMinutes(3);

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private ScenarioOptions scenarioOptions;

  @Mixin private EngineOptions engineOptions;

  @Mixin private WorldOptions worldOptions;

  @Mixin private TargetOptions targetOptions;

  @Mixin private ApiKeyOption apiKeyOption;

  @Mixin private DeploymentOptions deploymentOptions;

  @Option(
      names = "--rehearse",
      description = "run on the simulated engine, in virtual time")
  private boolean isRehearsal;

  @Option(
      names = "--serve",
      paramLabel = "COMMAND",
      description =
          "start the engine with this command for each run; {port} and settings such as"
              + " {max_num_seqs} are filled in; it is not run by a shell")
  private String serve;

  @Option(
      names = "--serve-wait",
      paramLabel = "TIME",
      converter = GivenTime.class,
      defaultValue = "10m",
      description = "how long an engine may take to start (default: ${DEFAULT-VALUE})")
  private double serveWaitSeconds;

  @Option(
      names = "--keep-engine",
      description =
          "keep a started engine while its settings stay the same")
  private boolean isEngineKept;

  @Option(names = QUIET, description = "print the answer without progress")
  private boolean isQuiet;

  /** Runs of one setting in a row that one start serves, where nothing carries over. */
  private int runsInARow = 1;

  private final LiveTestBed.Lap lap = new LiveTestBed.Lap();

  /** What is done on a bench. */
  interface Work {
    /** Does it and gives the exit code. */
    int on(TestBed bench) throws IOException, InterruptedException;
  }

  /** Two runs in a row of the same setting may have one start: no prompt comes twice in them. */
  void startOnceForTwoRuns(Workload workload) {
    boolean isNew =
        workload.classes().stream()
            .allMatch(
                one ->
                    one.prefixes().groups() == 0
                        && one.content() instanceof RequestContent.Sampled);
    runsInARow = isNew ? 2 : 1;
  }

  boolean isRehearsal() {
    return isRehearsal;
  }

  /** Whether engines are started here, or rolled out. */
  boolean isServed() {
    return serve != null || deploymentOptions.isGiven();
  }

  /** The scenario that was named. */
  Scenario scenario() throws IOException {
    return scenarioOptions.read(targetOptions.overrides());
  }

  /** The same where each request is to keep all objectives together. */
  Scenario scenarioOfRequests() throws IOException {
    return scenarioOptions.readOfRequests(targetOptions.overrides());
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
    try (EngineProvider engines = engines(scenario, interruption)) {
      return work.on(Mistake.orSay(() -> engines.with(Map.of(), 0)));
    }
  }

  /** The engines that were asked for; their settings may still be varied. */
  EngineProvider engines(Scenario scenario, Interruption interruption)
      throws IOException, InterruptedException, TargetException {
    requireOne(scenario);
    interruption.onInterrupt(() -> {});
    Map<String, String> flags = engineOptions.flags(EngineFlags.of(scenario.engine()));
    if (isRehearsal) {
      int targets = scenario.targets().size();
      return (settings, salt) ->
          new VirtualTestBed(varied(flags, settings), worldOptions.shape(), salt, 1, targets);
    }
    LiveServers.Look look = look(scenario);
    LiveTestBed.Manner manner =
        new LiveTestBed.Manner(
            api(scenario).key(), QUIET_TIMEOUT, interruption,
            isQuiet ? ProgressDisplay.silent() : ProgressDisplay.of(console()), lap);
    Duration patience = Duration.ofMillis(Math.round(1e3 * serveWaitSeconds));
    Optional<Deployment.Order> order = deploymentOptions.order(patience);
    if (order.isPresent()) {
      return deployed(order.get(), look, manner);
    }
    if (serve != null) {
      return served(patience, look, manner);
    }
    if (scenario.access().engines().exists()) {
      throw new Mistake("engines that come and go (targets_file, targets_srv) are for ./tally run");
    }
    if (scenario.targets().isEmpty()) {
      return (settings, salt) ->
          new LiveTestBed(LiveServers.embedded(varied(flags, settings), salt, look), manner);
    }
    TestBed standing = new LiveTestBed(LiveServers.of(look.at(scenario.targets())), manner);
    return (settings, salt) -> {
      if (!settings.isEmpty()) {
        throw new IllegalArgumentException(
            "a server that is up keeps its settings, it cannot have " + settings
                + ": leave the URL out");
      }
      return standing;
    };
  }

  /** Simulated engines of a profile, one for each of these shares of its times. */
  List<EngineProvider> predictors(Scenario scenario, String profile, List<Double> times) {
    int targets = scenario.targets().size();
    if (targets > 1) {
      throw new Mistake(
          "--predict plays one engine, the scenario has " + targets
              + " targets: leave --predict out, or name one target");
    }
    Map<String, String> flags =
        new TreeMap<>(engineOptions.flags(EngineFlags.of(scenario.engine())));
    flags.put("profile", profile);
    return times.stream()
        .<EngineProvider>map(
            share ->
                (settings, salt) ->
                    new VirtualTestBed(
                        varied(flags, settings), worldOptions.shape(), salt, share, 1))
        .toList();
  }

  /** The simulated engine of a profile as it is; none where none was typed. */
  Optional<TestBed> predictor(Scenario scenario, String profile) {
    return Optional.ofNullable(profile)
        .map(name -> predictors(scenario, name, List.of(1.0)).getFirst().with(Map.of(), 0));
  }

  private void requireOne(Scenario scenario) {
    String option = serve == null ? "--serve-deployment" : "--serve";
    if (serve != null && deploymentOptions.isGiven()) {
      throw new Mistake("--serve and --serve-deployment are two engines: name one");
    }
    if (isRehearsal && spec.commandLine().getParseResult().hasMatchedOption("--target")) {
      throw new Mistake("--rehearse calls no server: leave --target out");
    }
    if (isServed() && isRehearsal) {
      throw new Mistake("--rehearse starts nothing: leave " + option + " out");
    }
    if (isServed() && !scenario.targets().isEmpty()) {
      throw new Mistake(
          option + " names the engine itself: leave the URL out, or write --set target=null");
    }
    for (String ofServed : List.of("--keep-engine", "--serve-wait")) {
      if (!isServed() && spec.commandLine().getParseResult().hasMatchedOption(ofServed)) {
        throw new Mistake(ofServed + " is for an engine of --serve or --serve-deployment");
      }
    }
  }

  private Listener listener() {
    return new Listener() {
      @Override
      public void say(String line) {
        if (!isQuiet) {
          warn(line);
        }
      }

      @Override
      public void warn(String line) {
        console().println(line);
      }
    };
  }

  /** What one setting after another is rolled out in; none has started anything yet. */
  private EngineProvider deployed(
      Deployment.Order order, LiveServers.Look look, LiveTestBed.Manner manner)
      throws IOException, InterruptedException {
    Listener listener = listener();
    Deployment deployment;
    try {
      deployment = Deployment.open(order, listener, manner.interruption()::isInterrupted);
    } catch (IllegalArgumentException e) {
      throw new Mistake(e.getMessage());
    }
    return provider(
        settings ->
            LiveServers.deployed(
                deployment, deployment.requireFits(settings), isEngineKept, look, listener),
        deployment::close, manner);
  }

  /** Engines that a command starts. */
  private EngineProvider served(
      Duration patience, LiveServers.Look look, LiveTestBed.Manner manner) {
    CommandTemplate command = Mistake.orSay("--serve: ", () -> CommandTemplate.of(serve));
    Listener listener = listener();
    EngineSlot slot =
        new EngineSlot(
            isEngineKept ? Integer.MAX_VALUE : runsInARow, listener,
            manner.interruption()::isInterrupted);
    return provider(
        settings ->
            LiveServers.started(
                command, command.requireFits(settings), patience, slot, look, listener),
        slot::close, manner);
  }

  /** A scenario's {@code engine:} is of the simulated one; what was typed is for every engine. */
  private EngineProvider provider(
      Function<Map<String, String>, LiveServers> servers, Runnable close,
      LiveTestBed.Manner manner) {
    Map<String, String> typed = EngineFlags.of(engineOptions.flags(Map.of()));
    return new EngineProvider() {
      @Override
      public TestBed with(Map<String, String> settings, long salt) {
        Map<String, String> all = new TreeMap<>(typed);
        all.putAll(EngineFlags.of(settings));
        return new LiveTestBed(servers.apply(all), manner);
      }

      @Override
      public void close() {
        close.run();
      }
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

  private PrintWriter console() {
    return spec.commandLine().getOut();
  }

  private ApiAccess api(Scenario scenario) {
    return apiKeyOption.resolve(scenario.access());
  }

  /** What is noted of one server is noted of the next one, too: it is told once. */
  private LiveServers.Look look(Scenario scenario) throws TargetException {
    Preflight preflight =
        new Preflight(MetricsAccess.of(scenario.access().caFile(), api(scenario)));
    Set<String> told = new HashSet<>();
    return targets -> {
      List<Target> measured = targetOptions.scraped(targets);
      Preflight.Findings findings = preflight.check(measured, scenario.model());
      findings.notes().stream().filter(told::add).forEach(console()::println);
      return new LiveServers.Standing(measured, findings);
    };
  }
}
