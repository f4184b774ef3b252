package tallystick.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ScenarioOptions;
import tallystick.cli.option.ShellCommand;
import tallystick.plan.DatasetListing;
import tallystick.plan.Plan;
import tallystick.plan.PlanListing;
import tallystick.plan.Prompt;
import tallystick.runrecord.PlanJson;
import tallystick.scenario.Counted;
import tallystick.scenario.Scenario;
import tallystick.simengine.EngineSettings;

/** Prints what a scenario would send, without sending it. */
@Command(
    name = "plan",
    description = "Print which requests a scenario would send, and when. Sends nothing.")
final class PlanCommand extends ShellCommand {
  @Mixin private ScenarioOptions scenarioOptions;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "6",
      description = "requests to print for each phase (default: ${DEFAULT-VALUE})")
  private int rows;

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException {
    Scenario scenario = scenarioOptions.read(List.of());
    if (rows < 0) {
      throw new Mistake("--rows must be 0 or more, was " + rows);
    }
    // What would end a run before its first request ends the plan too.
    EngineSettings engine = scenarioOptions.engine(scenario);
    Plan plan = scenarioOptions.plan(scenario);
    if (!json.isWanted()) {
      DatasetListing.of(scenario).forEach(console()::println);
      PlanListing.firstRequests(plan, rows).forEach(console()::println);
      console().println();
      PlanListing.totals(plan).forEach(console()::println);
      if (scenario.targets().isEmpty()) {
        caution(plan, engine.scheduler().maxModelLen()).forEach(console()::println);
      }
    }
    json.print(() -> document(plan));
    return ExitCode.GOOD.number();
  }

  /** Prompts that the embedded engine would refuse; whether a server would nobody knows here. */
  private static List<String> caution(Plan plan, int longest) {
    long tooLong =
        plan.requests().stream()
            .filter(one -> one.prompt() instanceof Prompt.Synthetic it && it.tokens() >= longest)
            .count();
    return tooLong == 0
        ? List.of()
        : List.of(
            "CAUTION  " + Counted.of(tooLong, "prompt does", "prompts do") + " not fit the embedded"
                + " engine's max-model-len of " + longest + ":",
            "         it refuses them. Set engine: {max_model_len: N}, or run with --target.");
  }

  /** The whole plan as a record's {@code plan.json} holds it. */
  private static String document(Plan plan) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      PlanJson.write(plan, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
