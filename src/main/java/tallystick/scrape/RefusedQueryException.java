package tallystick.scrape;

import java.io.IOException;

/** A Prometheus understood what it was asked and does not answer it: the fault is the query's. */
public final class RefusedQueryException extends IOException {
  private static final long serialVersionUID = 1;

  RefusedQueryException(String message) {
    super(message);
  }

  /** Whether a shorter range may be answered. */
  boolean isTooLarge() {
    return getMessage().contains("too many samples");
  }
}
