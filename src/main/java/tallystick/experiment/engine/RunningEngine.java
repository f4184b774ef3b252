package tallystick.experiment.engine;

import java.io.IOException;

/** An engine that is loaded now, and may end in the middle. */
public interface RunningEngine {

  /** What to do when it ends, as far as that is noticed; at once if it has ended. */
  void onEnd(Runnable action);

  /**
   * Nothing, while it is the engine that was started.
   *
   * @throws IOException if it is not, or if nobody can say
   */
  void requireAlive() throws IOException, InterruptedException;
}
