package tallystick.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.EngineFlags;
import tallystick.cli.option.EngineOptions;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.OutOption;
import tallystick.cli.option.ScenarioOptions;
import tallystick.cli.option.ShellCommand;
import tallystick.cli.option.StrengthOption;
import tallystick.cli.option.WorldOptions;
import tallystick.plan.Plan;
import tallystick.runrecord.RecordFiles;
import tallystick.scenario.Scenario;
import tallystick.simengine.EngineSettings;
import tallystick.virtualrun.VirtualRecord;
import tallystick.virtualrun.VirtualWorld;

/** Plays a scenario on the simulated engine in virtual time and reports it like any other run. */
@Command(
    name = "simulate",
    description = {
      "Run a scenario on a simulated engine in virtual time: an hour takes seconds.",
      "Every figure is simulated, and the record and the report say so."
    })
public final class SimulateCommand extends ShellCommand {
  @Mixin private ScenarioOptions scenarioOptions;

  @Mixin private WorldOptions worldOptions;

  @Mixin private StrengthOption strength;

  @Mixin private AnswerOptions options;

  @Mixin private OutOption out;

  @Option(names = "--no-report", description = "write the record, but no report")
  private boolean noReport;

  @Mixin private EngineOptions engineOptions;

  @Override
  public Integer call() throws Exception {
    return SpareHeap.during(this::simulate);
  }

  private Integer simulate() throws IOException, InterruptedException {
    Scenario scenario = scenarioOptions.read(List.of());
    Plan plan = scenarioOptions.plan(scenario);
    EngineSettings settings =
        Mistake.orSay(
            "engine: ", () -> engineOptions.settings(EngineFlags.of(scenario.engine())));
    VirtualWorld.Shape world = Mistake.orSay(worldOptions::shape);
    String nonce = HexFormat.of().toHexDigits(plan.settings().seed());
    Path folder =
        RunFolder.create(
            out.folder(), plan.settings().scenario() + "-virtual", nonce, Clock.systemUTC());
    console().println("Simulating in virtual time; recording to " + folder);
    long begin = System.nanoTime();
    VirtualRecord.Played played =
        new VirtualRecord(plan, settings, world, Versions.tally())
            .write(RecordFiles.ofRun(folder));
    console().printf(
        Locale.ROOT,
        "%.1f s of virtual time in %.1f s, %d engine steps%n",
        played.nanos() / 1e9, (System.nanoTime() - begin) / 1e9, played.engineSteps());
    if (noReport) {
      return ExitCode.GOOD.number();
    }
    return new RunReport(options, strength).write(folder, false).number();
  }
}
