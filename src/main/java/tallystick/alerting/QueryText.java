package tallystick.alerting;

import java.util.List;
import java.util.regex.Pattern;
import tallystick.alerting.YamlNode.Scalar;

/**
 * The text of an expression.
 *
 * @param scalar as it stands in the file, which may be more than the expression
 * @param read as the parser read it: the variables of a dashboard have values there
 * @param replaced what stands for variables, in the order in which it was put in
 */
public record QueryText(Scalar scalar, String read, List<Replacement> replaced) {
  private static final String LABEL_VALUES = "label_values(";
  private static final Pattern GROUP =
      Pattern.compile("\\A\\Qgroup by (\\E(\\w+)\\) \\((.*)\\)\\z", Pattern.DOTALL);

  /** A value that stands for what is written. */
  public record Replacement(String value, String written) {}

  public QueryText {
    replaced = List.copyOf(replaced);
  }

  /** A text without variables. */
  static QueryText plain(Scalar scalar) {
    return new QueryText(scalar, scalar.text(), List.of());
  }

  /** What a template variable asks for when it wants the values of a label. */
  public static String labelValues(String selector, String label) {
    return "group by (" + label + ") (" + selector + ")";
  }

  /** A text made from the one that was read, with the variables put back. */
  public String restored(String text) {
    String restored = text;
    for (Replacement each : replaced.reversed()) {
      restored = restored.replace(each.value(), each.written());
    }
    return scalar.text().contains(LABEL_VALUES)
        ? GROUP.matcher(restored).replaceFirst(LABEL_VALUES + "$2, $1)")
        : restored;
  }
}
