package tallystick.cli.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ScenarioOptions;
import tallystick.launch.LaunchOrder;
import tallystick.plan.ShardPlan;
import tallystick.runrecord.Shard;
import tallystick.scenario.Scenario;

/** What is launched, whatever the cluster. */
final class LaunchOptions {
  @Mixin private ScenarioOptions scenarioOptions;

  @Option(names = "--target", paramLabel = "URL", description = "base URL of the server to test")
  private String target;

  @Option(
      names = "--shards",
      required = true,
      paramLabel = "N",
      description = "number of machines that send the load")
  private int shards;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = "launch",
      description = "where to write the files (default: ${DEFAULT-VALUE})")
  private Path out;

  @Option(
      names = "--drain",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = "time from the warm-up's last start to the window (default: ${DEFAULT-VALUE})")
  private String drain;

  @Option(
      names = "--submit",
      description = "submit the files with the cluster's own client, and wait for the run's end")
  private boolean isSubmitted;

  Path folder() {
    return out;
  }

  boolean isSubmitted() {
    return isSubmitted;
  }

  Scenario scenario() {
    List<String> own = new ArrayList<>();
    if (target != null) {
      own.add("target=" + target);
    }
    Scenario scenario = scenarioOptions.read(own);
    if (scenario.targets().isEmpty()) {
      throw new Mistake("name the server that all shards load with --target URL");
    }
    return scenario;
  }

  /**
   * The order.
   *
   * @param suffix ends the run's name
   */
  LaunchOrder order(Scenario scenario, String suffix) {
    if (shards < 1 || shards > Shard.MOST) {
      throw new Mistake("--shards must be 1 to " + Shard.MOST + ", was " + shards);
    }
    String obstacle = new ShardPlan(scenarioOptions.plan(scenario), shards).obstacle();
    if (!obstacle.isEmpty()) {
      throw new Mistake("--shards " + shards + ": " + obstacle);
    }
    GivenTime.seconds("--drain", drain);
    List<String> arguments = new ArrayList<>(scenarioOptions.words());
    if (target != null) {
      arguments.addAll(List.of("--target", target));
    }
    arguments.addAll(List.of("--drain", drain));
    return new LaunchOrder(
        scenarioOptions.file(), LaunchOrder.name(scenario.name(), suffix), shards, arguments);
  }

  /** A launcher that every machine finds under one name. */
  static Path launcher(Path given) {
    Path launcher = given.toAbsolutePath().normalize();
    return Files.isExecutable(launcher) ? launcher : given;
  }
}
