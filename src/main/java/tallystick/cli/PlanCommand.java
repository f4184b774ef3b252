package tallystick.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tallystick.plan.Plan;
import tallystick.plan.PlanListing;
import tallystick.plan.Planner;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;

/** Prints what a scenario would send, without sending it. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = "Print the exact starts and requests of a scenario; nothing is sent.")
final class PlanCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SCENARIO", description = "for example scenarios/quickstart.yaml")
  private Path scenarioFile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "override a value: --set workload.rate=8")
  private List<String> overrides = List.of();

  @Option(names = "--label", paramLabel = "NAME=VALUE", description = "add a label to the run")
  private List<String> labels = List.of();

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "10",
      description = "requests to print of each phase (default: ${DEFAULT-VALUE})")
  private int rows;

  @Override
  public Integer call() {
    Scenario scenario = ScenarioReader.read(scenarioFile, overrides, labels);
    Plan plan = Planner.plan(scenario, scenario.seed());
    PrintWriter out = spec.commandLine().getOut();
    PlanListing.firstRequests(plan, Math.max(0, rows)).forEach(out::println);
    out.println();
    PlanListing.totals(plan).forEach(out::println);
    out.flush();
    return 0;
  }
}
