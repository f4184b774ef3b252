package tallystick.alerting;

import java.util.List;

/**
 * The text of an expression.
 *
 * @param written as it stands in the file
 * @param read as the parser read it: the variables of a dashboard have values there
 * @param replaced what stands for variables, in the order in which it was put in
 */
public record QueryText(String written, String read, List<Replacement> replaced) {
  /** A value that stands for what is written. */
  public record Replacement(String value, String written) {}

  public QueryText {
    replaced = List.copyOf(replaced);
  }

  /** A text without variables. */
  public static QueryText plain(String text) {
    return new QueryText(text, text, List.of());
  }

  /** A text made from the one that was read, with the variables put back. */
  public String restored(String text) {
    String restored = text;
    for (Replacement each : replaced.reversed()) {
      restored = restored.replace(each.value(), each.written());
    }
    return restored;
  }
}
