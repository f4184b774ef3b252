package tallystick.experiment;

import java.io.IOException;

/** An engine that was started for a run and is not there for it. */
public final class EngineFailure extends IOException {
  private static final long serialVersionUID = 1L;

  /** When it failed. */
  public enum Moment {
    /** It never answered: these settings cannot be measured. */
    START,
    /** It ended in the middle of a run. */
    RUN
  }

  private final Moment moment;

  /** A message that ends with the engine's last words. */
  public EngineFailure(Moment moment, String message) {
    super(message);
    this.moment = moment;
  }

  /** The same of a run with a name; settings that do not start are no matter of one run. */
  EngineFailure in(String run) {
    return moment == Moment.RUN ? new EngineFailure(moment, run + ": " + getMessage()) : this;
  }

  /** When it failed. */
  public Moment moment() {
    return moment;
  }
}
