package tallystick.experiment;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * Where an experiment is played, and by whose leave.
 *
 * @param folder of its journal, its runs and its answer
 * @param listener is told how far it is
 * @param stop whether somebody has asked it to stop
 */
public record Site(Path folder, Listener listener, BooleanSupplier stop) {

  /** Tells the listener. */
  public void say(String line) {
    listener.say(line);
  }

  /** Whether somebody has asked it to stop. */
  public boolean isStopped() {
    return stop.getAsBoolean();
  }

  /** The same for an experiment that is a part of this one, in a folder of its own. */
  public Site in(Path part) {
    return new Site(part, listener, stop);
  }
}
