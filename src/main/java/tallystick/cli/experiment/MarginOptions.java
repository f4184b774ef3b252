package tallystick.cli.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tallystick.cli.option.GivenFile;
import tallystick.cli.option.Mistake;
import tallystick.experiment.regress.BaselineVariance;
import tallystick.experiment.regress.JsonInputFile;
import tallystick.experiment.regress.NonInferiorityMargins;

/** How much worse a candidate may be, and how much equal runs differ here. */
final class MarginOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--margin",
      paramLabel = "METRIC=SHARE",
      description =
          "allowed worsening: ttft_p95=5%% (default: ttft_p95 10%%, completed 1 pp,"
              + " good_share 5 pp, others 5%%)")
  private List<String> margins = List.of();

  @Option(
      names = "--margins",
      paramLabel = "FILE",
      description = "such margins in a YAML file: \"ttft_p95: 10%%\"")
  private Path marginFile;

  @Option(
      names = "--noise",
      paramLabel = "FILE",
      defaultValue = "tally-noise.json",
      description = "A/A noise of this installation (${DEFAULT-VALUE})")
  private Path noiseFile;

  Path noiseFile() {
    return noiseFile;
  }

  /** The margins that were given, over the usual ones. */
  NonInferiorityMargins margins() throws IOException {
    List<String> all = new ArrayList<>();
    if (marginFile != null) {
      all.addAll(GivenFile.read(marginFile, NonInferiorityMargins::lines));
    }
    all.addAll(margins);
    return Mistake.orSay("--margin: ", () -> NonInferiorityMargins.of(all));
  }

  /** The noise of this installation, where it was measured; a file that is named must be there. */
  Optional<BaselineVariance> noise() throws IOException {
    boolean isNamed = spec.commandLine().getParseResult().hasMatchedOption("--noise");
    return isNamed || Files.exists(noiseFile)
        ? Optional.of(GivenFile.read(noiseFile, JsonInputFile::noise))
        : Optional.empty();
  }
}
