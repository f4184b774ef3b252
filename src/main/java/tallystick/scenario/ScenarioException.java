package tallystick.scenario;

import java.util.List;

/**
 * A mistake in a scenario, an override or a file a scenario names; the user can fix it.
 *
 * <p>The message has the form {@code scenarios/x.yaml:12: what is wrong; what to write instead}. A
 * mistake in an option names the option in place of file and line. Further mistakes stand in lines
 * of their own.
 */
public final class ScenarioException extends RuntimeException {
  private final String place;
  private final String file;
  private final int line;
  private final String problem;
  private final String remedy;

  /**
   * A mistake.
   *
   * @param place file and line, or the option, as the message names it
   */
  ScenarioException(String place, String file, int line, String problem, String remedy) {
    this(place, file, line, problem, remedy, "");
  }

  private ScenarioException(
      String place, String file, int line, String problem, String remedy, String others) {
    super(place + ": " + problem + "; " + remedy + others);
    this.place = place;
    this.file = file;
    this.line = line;
    this.problem = problem;
    this.remedy = remedy;
  }

  /** The same with further mistakes in its message, and what else helps. */
  ScenarioException and(List<ScenarioException> others, String help) {
    StringBuilder lines = new StringBuilder();
    others.forEach(one -> lines.append('\n').append(one.getMessage()));
    lines.append(help);
    return new ScenarioException(place, file, line, problem, remedy, lines.toString());
  }

  /** File and line, or the option, as the message names it. */
  String place() {
    return place;
  }

  /** The file at fault; empty where an option is. */
  public String file() {
    return file;
  }

  /** The line at fault, from 1; 0 where no line can be named. */
  public int line() {
    return line;
  }

  /** What is wrong. */
  public String problem() {
    return problem;
  }

  /** What to write instead. */
  public String remedy() {
    return remedy;
  }
}
