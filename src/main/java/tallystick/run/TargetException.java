package tallystick.run;

/** A target that cannot be measured, in words for the person who runs the test. */
public final class TargetException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Whose move it is. */
  public enum Fault {
    /** The user asked for something the target does not have: exit code 2. */
    USER,
    /** The target or the world between is not as it must be: exit code 3. */
    WORLD
  }

  private final Fault fault;

  /** A message that says what is wrong and what to do. */
  public TargetException(Fault fault, String message) {
    super(message);
    this.fault = fault;
  }

  /** Whose move it is. */
  public Fault fault() {
    return fault;
  }
}
