package tallystick.cli.experiment;

import java.io.IOException;
import java.util.OptionalDouble;
import picocli.CommandLine.Mixin;
import tallystick.cli.exit.Interruption;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.ShellCommand;
import tallystick.experiment.Design;
import tallystick.scenario.Scenario;

/** A command that plays runs until they decide; Ctrl-C ends them and keeps what is finished. */
abstract class ExperimentCommand extends ShellCommand {
  final Interruption interruption;

  @Mixin TestBedOptions benches;

  @Mixin ExperimentOptions options;

  ExperimentCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  /** Plays an experiment and ends with its answer, or as somebody interrupted it. */
  final <A> int play(
      Design<?, A> design, Scenario scenario, JsonOption json, ExperimentOptions.End<A> end)
      throws IOException, InterruptedException {
    return options.play(design, benches.seed(scenario), interruption, json, end);
  }

  /** A number that need not be given. */
  static OptionalDouble given(Double value) {
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }
}
