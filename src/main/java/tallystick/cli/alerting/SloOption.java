package tallystick.cli.alerting;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Option;
import tallystick.alerting.derivation.Signal;
import tallystick.cli.option.GivenFile;
import tallystick.cli.option.Mistake;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Objective;
import tallystick.scenario.ObjectiveFile;

/** Which objectives alerts are about: the one in the user's file, or else the runs' own. */
final class SloOption {
  @Option(
      names = "--slo",
      paramLabel = "FILE",
      description = "file of objectives; default: those of the runs")
  private Path file = Path.of("");

  /** Those that the engine has a histogram for, metric by metric, TTFT first. */
  List<Objective> objectives(List<? extends RunRows> runs) throws IOException {
    List<Objective> usable = new ArrayList<>();
    for (Objective objective : given(runs)) {
      if (Signal.histogram(objective.metric()).isPresent()
          && usable.stream().noneMatch(other -> isAlike(other, objective))) {
        usable.add(objective);
      }
    }
    if (usable.isEmpty()) {
      throw new Mistake(
          "no objective the engine has a histogram for; give one with --slo FILE that"
              + " says objectives: [{ttft: 1s, share: 0.99}]");
    }
    return usable.stream().sorted(Comparator.comparing(Objective::metric)).toList();
  }

  /** Of two classes of requests: the engine's histograms do not tell them apart. */
  private static boolean isAlike(Objective one, Objective other) {
    return one.metric() == other.metric()
        && (!one.requestClass().equals(other.requestClass())
            || one.thresholdSeconds() == other.thresholdSeconds()
                && one.share() == other.share());
  }

  /** The objectives that alerts cannot be about, or not as well. */
  List<Objective> leftOut(List<? extends RunRows> runs) throws IOException {
    List<Objective> rest = new ArrayList<>(given(runs));
    rest.removeAll(objectives(runs));
    return rest;
  }

  private List<Objective> given(List<? extends RunRows> runs)
      throws IOException {
    return file.toString().isEmpty()
        ? runs.getFirst().settings().objectives()
        : GivenFile.read(file, ObjectiveFile::read);
  }
}
