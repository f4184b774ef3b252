package tallystick.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import tallystick.alerting.derivation.AlertDerivation;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Objective;
import tallystick.scenario.ObjectiveFile;

/** Which objective alerts are about: the one in the user's file, or else the runs' own. */
final class SloOption {
  @Option(
      names = "--slo",
      paramLabel = "FILE",
      description = "objectives to judge users by; else the runs' own")
  private Path file = Path.of("");

  /** The first objective the engine has a histogram for, those for TTFT first. */
  Objective objective(CommandSpec spec, List<? extends RunRows> runs) throws IOException {
    List<Objective> given =
        file.toString().isEmpty()
            ? runs.getFirst().settings().objectives()
            : GivenFile.read(spec, file, ObjectiveFile::read);
    return Stream.concat(
            given.stream().filter(objective -> objective.metric() == Objective.Metric.TTFT),
            given.stream())
        .filter(objective -> AlertDerivation.histogram(objective.metric()).isPresent())
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "no objective the engine has a histogram for; give one with --slo FILE that"
                        + " says objectives: [{ttft: 1s, share: 0.99}]"));
  }
}
