package tallystick.cli.option;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a command makes the folders of its runs. */
public final class OutOption {
  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = "reports",
      description = "where to make the run's folder (default: ${DEFAULT-VALUE})")
  private Path out;

  /** The folder that takes them. */
  public Path folder() {
    return out;
  }
}
