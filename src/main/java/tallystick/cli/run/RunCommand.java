package tallystick.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.exit.FailureWords;
import tallystick.cli.exit.Interruption;
import tallystick.cli.option.ApiKeyOption;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.OutOption;
import tallystick.cli.option.ScenarioOptions;
import tallystick.cli.option.ShellCommand;
import tallystick.cli.option.StrengthOption;
import tallystick.cli.option.TargetOptions;
import tallystick.cli.option.TypedCommand;
import tallystick.cli.terminal.ProgressDisplay;
import tallystick.plan.Plan;
import tallystick.plan.PlanListing;
import tallystick.reach.ApiAccess;
import tallystick.run.LoadHeap;
import tallystick.run.Preflight;
import tallystick.run.Run;
import tallystick.run.RunEnd;
import tallystick.run.RunOrders;
import tallystick.run.TargetException;
import tallystick.runrecord.Shard;
import tallystick.scenario.Scenario;
import tallystick.scenario.Target;
import tallystick.scenario.TargetList;
import tallystick.scrape.MetricsAccess;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/** Loads a target, records both sides, analyses and reports. */
@Command(
    name = "run",
    description = {
      "Send load to a server, record what client and engine see, and report both.",
      "Without a target, tally starts its own simulated engine on this machine."
    })
public final class RunCommand extends ShellCommand {
  private final Interruption interruption;

  @Mixin private ScenarioOptions scenarioOptions;

  @Mixin private AnswerOptions options;

  @Mixin private TargetOptions targetOptions;

  @Option(
      names = "--no-scrape",
      description = "do not read the server's metrics; engine figures are n/a")
  private boolean noScrape;

  @Option(
      names = "--same-prompts",
      description = "send the prompts of earlier runs again; the prefix cache may know them")
  private boolean samePrompts;

  @Option(
      names = "--allow-foreign-traffic",
      description = "run although others use the server; client and engine counts then differ")
  private boolean allowForeignTraffic;

  @Option(
      names = "--quiet-timeout",
      paramLabel = "TIME",
      converter = GivenTime.class,
      defaultValue = "60s",
      description = "how long to wait until the server is idle (default: ${DEFAULT-VALUE})")
  private double quietTimeoutSeconds;

  @Option(
      names = "--otlp-port",
      paramLabel = "PORT",
      description = "receive the engine's traces on this local port and match them to requests")
  private int otlpPort;

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      description = "serve the client's metrics to Prometheus on this port while it runs")
  private int metricsPort;

  @Option(
      names = "--load-heap",
      paramLabel = "SIZE",
      description = "Java heap of the load process, for example 512m (default: from the plan)")
  private String loadHeap;

  @Option(names = "--quiet", description = "do not show progress")
  private boolean isQuiet;

  @Mixin private ApiKeyOption apiKeyOption;

  @Mixin private StrengthOption strength;

  @Mixin private ShardOptions shardOptions;

  @Mixin private OutOption out;

  /** The command; Ctrl-C closes its record and reports it. */
  public RunCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws Exception {
    givenHeap();
    Scenario scenario = scenarioOptions.read(ownOverrides());
    ApiAccess api = apiKeyOption.resolve(scenario.access());
    shardOptions.check(scenario);
    refuseContradiction(scenario);
    if (!scenario.targets().isEmpty()) {
      return load(scenario, scenario.targets(), api, false);
    }
    console().println("No target is given: starting the embedded, simulated engine.");
    EngineSettings settings = scenarioOptions.engine(scenario);
    try (EmbeddedEngine engine = EmbeddedEngine.start(settings, "127.0.0.1", 0)) {
      return load(scenario, List.of(Target.at(engine.url())), api, true);
    }
  }

  /** What is said of the engines' metrics must hold together. */
  private void refuseContradiction(Scenario scenario) {
    boolean lists = scenario.access().engines().exists();
    if (noScrape && lists) {
      throw new Mistake(
          "--no-scrape reads no engine: leave their list out with --set targets_file=null or"
              + " --set targets_srv=null");
    }
    if (!targetOptions.namesMetrics()) {
      return;
    }
    if (noScrape) {
      throw new Mistake("--no-scrape reads no metrics: leave --metrics-url out");
    }
    if (lists) {
      throw new Mistake(
          "--metrics-url and the scenario's list of engines (targets_file, targets_srv) both name"
              + " engines: keep one of them");
    }
    if (scenario.targets().isEmpty()) {
      throw new Mistake(
          "--metrics-url says where a target's metrics are, and no --target is given");
    }
  }

  private int load(Scenario scenario, List<Target> targets, ApiAccess api, boolean isEmbedded)
      throws IOException, InterruptedException, TargetException {
    Plan plan = scenarioOptions.plan(scenario);
    Optional<Shard> asked = shardOptions.shard(plan);
    boolean isScraping = !noScrape && asked.map(Shard::scrapes).orElse(true);
    List<Target> measured = scraped(targets, isScraping);
    announce();
    Preflight preflight = new Preflight(MetricsAccess.of(scenario.access().caFile(), api));
    TargetList listed = scenario.access().engines();
    Preflight.Findings named = preflight.check(measured, scenario.model());
    Preflight.Findings findings = isScraping ? preflight.checkListed(listed, named) : named;
    findings.notes().forEach(console()::println);
    preflight.checkExporters(isScraping ? scenario.exporters() : List.of());
    if (!measured.stream().allMatch(Target::isLoopback)) {
      List<String> loaded = Target.loaded(measured).map(Target::url).toList();
      console().println("About to send to " + loaded + ":");
      PlanListing.totals(plan).forEach(console()::println);
    }
    Optional<Shard> shard =
        asked.isEmpty()
            ? asked
            : Optional.of(shardOptions.agreed(asked.get(), plan, out.folder(), console()));
    RunSetup setup =
        RunSetup.of(plan, measured, findings, isEmbedded, allowForeignTraffic)
            .typed(shard, givenHeap(), TypedCommand.of(spec()));
    Path folder = setup.createFolder(out.folder());
    console().println("Recording to " + folder);
    shard.ifPresent(one -> console().println(ShardOptions.announcement(one)));
    RunOrders.Ports ports = new RunOrders.Ports(otlpPort, metricsPort);
    Duration quiet = Duration.ofMillis(Math.round(1e3 * quietTimeoutSeconds));
    RunEnd end = execute(new Run(setup.orders(folder, quiet, ports, api.key())));
    return shard.isPresent()
        ? ShardOptions.conclude(end, folder, console())
        : conclude(end, folder);
  }

  private Optional<LoadHeap> givenHeap() {
    return Mistake.orSay("--load-heap ", () -> Optional.ofNullable(loadHeap).map(LoadHeap::given));
  }

  private void announce() throws TargetException {
    Preflight.collector(System.getenv()).ifPresent(console()::println);
    if (metricsPort != 0) {
      Preflight.checkFree(metricsPort, "--metrics-port");
      console().println(
          "Serving the client's metrics at http://127.0.0.1:" + metricsPort + "/metrics");
    }
    if (otlpPort != 0) {
      String endpoint = Preflight.traceEndpoint(otlpPort);
      console().println(
          "Taking traces at " + endpoint + ": vLLM sends them if started"
              + " with\n  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf vllm serve …"
              + " --otlp-traces-endpoint " + endpoint);
    }
  }

  private RunEnd execute(Run run) throws IOException, InterruptedException {
    interruption.onInterrupt(run::stop);
    ProgressDisplay display = isQuiet ? ProgressDisplay.silent() : ProgressDisplay.of(console());
    try {
      return run.execute(display::show);
    } finally {
      display.close();
      interruption.onInterrupt(() -> {});
    }
  }

  private int conclude(RunEnd end, Path folder) throws IOException {
    switch (end.kind()) {
      case TARGET_BUSY -> {
        boolean isBalanced = end.detail().contains("behind a load balancer");
        console().println(
            "The target is not idle: " + end.detail() + "\nThe load was not sent. "
                + (isBalanced
                    ? "Name each replica past the balancer: --metrics-url once for each."
                    : "Wait until nobody else uses it, or run with --allow-foreign-traffic:"
                        + " client and engine counts then differ."));
        return ExitCode.NOT_TRUSTED.number();
      }
      case METRICS_LOST -> {
        console().println(
            "The target's metrics cannot be read: " + end.detail() + "\nThe load was not sent. Look"
                + " at the server, or run with --no-scrape: then only the client is recorded.");
        return ExitCode.WORLD_FAILED.number();
      }
      case REFUSED -> {
        console().println(end.detail() + "\nThe load was not sent.");
        return ExitCode.USER_MISTAKE.number();
      }
      case DISK_FAILED -> {
        console().println(
            "The run ended early: " + FailureWords.plain(end.detail(), folder) + "\n" + folder
                + " holds what was written until then: ./tally report " + folder);
        return ExitCode.WORLD_FAILED.number();
      }
      case LATE -> throw new IllegalStateException("only a shard is late");
      case CRASHED -> console().println("The load ended in the middle: " + end.detail());
      case STOPPED -> console().println("The run ended early: " + end.detail());
      case COMPLETED, INTERRUPTED -> {}
    }
    ExitCode code = new RunReport(options, strength).write(folder, allowForeignTraffic);
    if (interruption.isInterrupted() || end.kind() == RunEnd.Kind.INTERRUPTED) {
      return ExitCode.INTERRUPTED.number();
    }
    return code.number();
  }

  private List<String> ownOverrides() {
    List<String> all = targetOptions.overrides();
    if (samePrompts) {
      all.add("request.same_prompts=true");
    }
    return all;
  }

  private List<Target> scraped(List<Target> given, boolean isScraping) {
    List<Target> scraped = targetOptions.scraped(given);
    return isScraping ? scraped : scraped.stream().map(one -> one.scrapedAt("")).toList();
  }
}
