package tallystick.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tallystick.plan.Plan;
import tallystick.plan.PlanListing;
import tallystick.runrecord.PlanJson;
import tallystick.scenario.Scenario;

/** Prints what a scenario would send, without sending it. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = "Print which requests a scenario would send, and when. Sends nothing.")
final class PlanCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private ScenarioOptions scenarioOptions;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "10",
      description = "requests to print for each phase (default: ${DEFAULT-VALUE})")
  private int rows;

  @Option(
      names = "--json",
      description = "print the whole plan in the format of a record's plan.json")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    Scenario scenario = scenarioOptions.read(List.of());
    Plan plan = scenarioOptions.plan(scenario);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      PlanJson.write(plan, bytes);
      out.print(bytes.toString(StandardCharsets.UTF_8));
    } else {
      PlanListing.firstRequests(plan, Math.max(0, rows)).forEach(out::println);
      out.println();
      PlanListing.totals(plan).forEach(out::println);
    }
    out.flush();
    return 0;
  }
}
