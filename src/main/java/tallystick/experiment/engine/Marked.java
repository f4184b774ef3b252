package tallystick.experiment.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The processes that inherited a mark in their environment, also those that left their parents.
 *
 * @param mark no other engine's
 */
record Marked(String mark) {
  /** The variable that holds the mark. */
  static final String VARIABLE = "TALLY_ENGINE";

  /** Those that run now; none where the system does not show environments. */
  List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses().filter(this::isMarked).toList();
  }

  private boolean isMarked(ProcessHandle process) {
    try {
      Path environment = Path.of("/proc", Long.toString(process.pid()), "environ");
      return Files.isReadable(environment)
          && new String(Files.readAllBytes(environment), StandardCharsets.ISO_8859_1)
              .contains(VARIABLE + "=" + mark);
    } catch (IOException e) {
      return false;
    }
  }
}
