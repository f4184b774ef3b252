package tallystick.runrecord;

import java.io.IOException;

/** A file of a record that is missing, cut or holds something else. */
final class DamagedFileException extends IOException {
  private static final long serialVersionUID = 1;

  DamagedFileException(String message, Exception cause) {
    super(message, cause);
  }
}
