package tallystick.analysis.result;

import java.util.List;

/**
 * Something a reader must know before trusting or acting on the figures.
 *
 * @param code stable word, for example {@code foreign_traffic}, {@code incomplete_record}
 * @param severity how it bears on the run
 * @param text one sentence: what is so
 * @param evidence figures behind it, one per line
 * @param remedy what to do; empty where nothing is to be done
 */
public record Finding(
    String code, Severity severity, String text, List<String> evidence, String remedy) {

  /** How a finding bears on the run. */
  public enum Severity {
    /** The measurement cannot be trusted: exit code 4. */
    INVALID,
    /** Some figures are spoiled or missing. */
    WARNING,
    /** Good to know. */
    NOTE
  }

  public Finding {
    evidence = List.copyOf(evidence);
  }
}
