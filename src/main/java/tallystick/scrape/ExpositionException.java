package tallystick.scrape;

import java.io.IOException;

/** An exposition that cannot be read; the whole scrape is then refused, never half of it kept. */
public final class ExpositionException extends IOException {
  private static final long serialVersionUID = 1L;
  private final int line;

  ExpositionException(int line, String what) {
    super("line " + line + ": " + what);
    this.line = line;
  }

  /** The faulty line, counted from 1. */
  public int line() {
    return line;
  }
}
