package tallystick.runrecord;

import java.io.IOException;

/** The folder that was named holds no run. */
public final class NoRecordException extends IOException {
  private static final long serialVersionUID = 1L;

  NoRecordException(String message) {
    super(message);
  }
}
