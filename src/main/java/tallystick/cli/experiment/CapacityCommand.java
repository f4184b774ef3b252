package tallystick.cli.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.cli.exit.Interruption;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.experiment.TestBed;
import tallystick.experiment.capacity.CapacityExperiment;
import tallystick.experiment.capacity.DemandProfile;
import tallystick.experiment.capacity.FleetSizing;
import tallystick.plan.Planner;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;

/** Searches the largest rate at which a scenario's objectives hold. */
@Command(
    name = "capacity",
    description = {
      "Find the largest Poisson rate at which the scenario's objectives hold together.",
      "A request is good if it keeps every limit; the scenario says which share must be good.",
      "Without a target the embedded, simulated engine is started on loopback.",
      "Ctrl-C keeps what is finished: --resume goes on from there."
    })
public final class CapacityCommand extends ExperimentCommand {
  private static final double WINDOW_SECONDS = 300;

  @Mixin private JsonOption json;

  @Option(
      names = "--from",
      paramLabel = "RATE",
      description =
          "rate of the first probe (default: three quarters of what a closed loop completes)")
  private Double from;

  @Option(
      names = "--predict",
      paramLabel = "PROFILE",
      description =
          "search first in virtual time with this profile of ./tally fit, begin near its answer,"
              + " and say how far off it was")
  private String profile;

  @Option(
      names = "--share",
      paramLabel = "SHARE",
      description = "share of requests that must keep all limits (default: the objectives')")
  private Double share;

  @Option(
      names = "--peak",
      paramLabel = "RATE",
      description = "peak requests per second of a fleet: says how many replicas it needs")
  private Double peak;

  @Option(
      names = "--price",
      paramLabel = "PER_HOUR",
      description = "price of one replica for an hour: says what a million output tokens cost")
  private Double price;

  @Option(
      names = "--power",
      paramLabel = "WATTS",
      description =
          "power draw of one replica, if no exporter measures it: gives the energy per output"
              + " token")
  private Double power;

  @Option(
      names = "--traffic",
      paramLabel = "SCENARIO",
      description =
          "a scenario of the same mix with a day's traffic: says how many replicas each window"
              + " needs")
  private Path traffic;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      description = "with --traffic: how long each number of replicas is kept (default: 5m)")
  private String window;

  /** The command; Ctrl-C ends its runs and keeps what is finished. */
  public CapacityCommand(Interruption interruption) {
    super(interruption);
  }

  @Override
  public Integer call() throws Exception {
    Scenario scenario = benches.scenarioOfRequests();
    return benches.work(scenario, interruption, bench -> search(scenario, bench));
  }

  private int search(Scenario scenario, TestBed bench) throws IOException, InterruptedException {
    CapacityExperiment experiment =
        Mistake.orSay(
            () ->
                new CapacityExperiment(
                    scenario, asked(scenario), bench, benches.predictor(scenario, profile)));
    return play(experiment, scenario, json, options::show);
  }

  private CapacityExperiment.Asked asked(Scenario scenario) {
    return new CapacityExperiment.Asked(
        given(share), given(from), options.budget(), benches.seed(scenario),
        new FleetSizing(given(peak), given(price), given(power), traffic()));
  }

  private Optional<DemandProfile> traffic() {
    if (traffic == null) {
      if (window != null) {
        throw new IllegalArgumentException("--window belongs to --traffic");
      }
      return Optional.empty();
    }
    Scenario scenario = ScenarioReader.read(traffic, List.of(), List.of());
    double seconds = window == null ? WINDOW_SECONDS : GivenTime.seconds("--window", window);
    return Optional.of(DemandProfile.of(Planner.plan(scenario, scenario.seed()), seconds));
  }
}
