package tallystick.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** An experiment that a test plays in a folder. */
public final class PlayedExperiment {
  private PlayedExperiment() {}

  /** Its answer; empty if it was stopped. */
  public static <E extends JournalEntry, A> Optional<A> run(
      Design<E, A> design, Path folder, Listener listener, BooleanSupplier stop)
      throws IOException, InterruptedException {
    return ExperimentLoop.run(design, new Site(folder, listener, stop));
  }
}
