package tallystick.experiment.engine;

import java.io.IOException;

/** An engine that is loaded now, and may end in the middle. */
public interface RunningEngine {
  /** One that somebody else looks after. */
  RunningEngine NONE = new RunningEngine() {};

  /**
   * What to do when it ends, as far as that is noticed before the run is over; at once if it has
   * ended.
   */
  default void onEnd(Runnable action) {}

  /**
   * Nothing, while it is the engine that was started.
   *
   * @throws IOException if it is not, or if nobody can say
   */
  default void requireAlive() throws IOException, InterruptedException {}
}
