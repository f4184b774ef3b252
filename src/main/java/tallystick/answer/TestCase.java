package tallystick.answer;

/**
 * One claim of an answer as a pipeline reads it.
 *
 * @param group what it belongs to
 * @param name what is claimed
 * @param result what came of it
 * @param text why
 */
public record TestCase(String group, String name, Result result, String text) {
  /** What came of a claim. */
  public enum Result {
    PASSED,
    FAILURE,
    ERROR,
    SKIPPED
  }
}
