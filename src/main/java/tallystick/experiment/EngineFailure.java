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
  private final boolean isOfCandidate;

  /** A message that ends with the engine's last words. */
  public EngineFailure(Moment moment, String message) {
    this(moment, message, false);
  }

  private EngineFailure(Moment moment, String message, boolean isOfCandidate) {
    super(message);
    this.moment = moment;
    this.isOfCandidate = isOfCandidate;
  }

  /** The same of the side that is compared with the one of today. */
  public EngineFailure ofCandidate() {
    return new EngineFailure(moment, getMessage(), true);
  }

  /** Whether it was the engine of the side that is compared with the one of today. */
  public boolean isOfCandidate() {
    return isOfCandidate;
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
