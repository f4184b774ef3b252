package tallystick.cli.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Planner;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;
import tallystick.simengine.EngineSettings;

/** What every command that takes a scenario asks for: the file, overrides, labels, the seed. */
public final class ScenarioOptions {
  @Parameters(
      paramLabel = "SCENARIO",
      converter = ShippedScenario.class,
      description = "a scenario's file, or the name of a bundled one: quickstart")
  private Path file;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "replace a value: --set workload.rate=8")
  private List<String> overrides = List.of();

  @Option(names = "--label", paramLabel = "NAME=VALUE", description = "label the run: gpu=H100")
  private List<String> labels = List.of();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "seed of every random choice (default: the scenario's)")
  private Long seed;

  @Option(
      names = "--speed",
      paramLabel = "FACTOR",
      description = "replay a trace this many times faster")
  private String speed;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** The scenario's file. */
  public Path file() {
    return file;
  }

  /** The scenario, with what the command's own options say before the user's overrides. */
  public Scenario read(List<String> ofCommand) {
    return read(ofCommand, false);
  }

  /** The same where each request is to keep all objectives together. */
  public Scenario readOfRequests(List<String> ofCommand) {
    return read(ofCommand, true);
  }

  /** Where the file is refused, what was read as what is of no use yet. */
  private Scenario read(List<String> ofCommand, boolean isOfRequests) {
    List<String> notes = new ArrayList<>();
    Scenario scenario =
        ScenarioReader.read(file, all(ofCommand), labels, isOfRequests, notes::add);
    notes.forEach(note -> command.commandLine().getErr().println("note: " + note));
    return scenario;
  }

  private List<String> all(List<String> ofCommand) {
    List<String> all = new ArrayList<>(ofCommand);
    if (speed != null) {
      all.add("workload.speed=" + speed);
    }
    all.addAll(overrides);
    return all;
  }

  /** These options again, as another process is given them. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    overrides.forEach(one -> words.addAll(List.of("--set", one)));
    labels.forEach(one -> words.addAll(List.of("--label", one)));
    if (seed != null) {
      words.addAll(List.of("--seed", seed.toString()));
    }
    if (speed != null) {
      words.addAll(List.of("--speed", speed));
    }
    return words;
  }

  /** The seed of every random choice. */
  public long seed(Scenario scenario) {
    return seed == null ? scenario.seed() : seed;
  }

  /** The simulated engine of a scenario. */
  public EngineSettings engine(Scenario scenario) {
    return Mistake.orSay(
        file + ": engine: ", () -> EngineFlags.settings(EngineFlags.of(scenario.engine())));
  }

  /**
   * The plan of a scenario.
   *
   * @throws Mistake if nothing would be measured
   */
  public Plan plan(Scenario scenario) {
    Plan plan = Planner.plan(scenario, seed(scenario));
    if (plan.requests().stream().allMatch(PlannedRequest::isWarmup)) {
      throw new Mistake(
          file + ": the plan has no request in its window; raise the rate or the duration");
    }
    return plan;
  }
}
