package tallystick.scrape;

import java.io.IOException;

/** A Prometheus understood what it was asked and does not answer it: the fault is the query's. */
public final class RefusedQueryException extends IOException {
  private static final long serialVersionUID = 1;

  private final String reason;

  RefusedQueryException(int status, String reason) {
    super("Prometheus answered HTTP " + status + ": " + reason);
    this.reason = reason;
  }

  /** What it says is wrong with the query. */
  public String reason() {
    return reason;
  }

  /** Whether a shorter range may be answered. */
  boolean isTooLarge() {
    return reason.contains("too many samples");
  }
}
