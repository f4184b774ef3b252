package tallystick.experiment.warmup;

import java.io.IOException;
import java.nio.file.Path;
import tallystick.experiment.Journal;
import tallystick.runrecord.WholeFile;

/**
 * After how many requests an engine is warm.
 *
 * @param requests 0 where the budget ended before
 * @param ttftSeconds of the last request of the latest run
 */
record WarmupAnswer(int requests, double ttftSeconds) {
  static final String FILE = "warmup.json";

  void write(Path folder) throws IOException {
    WholeFile.write(folder.resolve(FILE), Journal.text(this));
  }
}
