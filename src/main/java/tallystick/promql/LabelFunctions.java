package tallystick.promql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tallystick.promql.Value.Element;
import tallystick.promql.Value.Vector;

/** Functions that rewrite labels. */
final class LabelFunctions {
  private static final Pattern REFERENCE =
      Pattern.compile("\\$(?:(\\$)|(\\w+)|\\{(\\w+)\\})");

  private LabelFunctions() {}

  static Vector call(Operands operands, Expression.Call call, long atMillis) {
    Vector given = operands.vector(call.arguments().getFirst(), atMillis);
    List<Element> elements =
        call.function().equals("label_join") ? joined(call, given) : replaced(call, given);
    return Vector.distinct(elements, call.at());
  }

  private static String text(Expression.Call call, int index) {
    if (call.arguments().get(index).bare() instanceof Expression.StringLiteral literal) {
      return literal.value();
    }
    throw new PromqlException(call.function() + " expects a text", call.at());
  }

  private static List<Element> joined(Expression.Call call, Vector given) {
    String target = text(call, 1);
    String between = text(call, 2);
    List<String> sources = new ArrayList<>();
    for (int i = 3; i < call.arguments().size(); i++) {
      sources.add(text(call, i));
    }
    return given.elements().stream()
        .map(
            element ->
                new Element(
                    element
                        .labels()
                        .with(
                            target,
                            sources.stream()
                                .map(element.labels()::get)
                                .collect(Collectors.joining(between))),
                    element.value()))
        .toList();
  }

  private static List<Element> replaced(Expression.Call call, Vector given) {
    RegularExpression.Read read = RegularExpression.read(text(call, 4));
    List<Element> elements = new ArrayList<>();
    for (Element element : given.elements()) {
      Matcher matcher = read.pattern().matcher(element.labels().get(text(call, 3)));
      Labels labels = element.labels();
      if (matcher.matches()) {
        labels = labels.with(text(call, 1), expanded(text(call, 2), matcher, read));
      }
      elements.add(new Element(labels, element.value()));
    }
    return elements;
  }

  /** Go takes the longest name after a dollar; one the pattern does not have is empty. */
  private static String expanded(
      String template, Matcher found, RegularExpression.Read read) {
    return REFERENCE
        .matcher(template)
        .replaceAll(reference -> Matcher.quoteReplacement(group(reference, found, read)));
  }

  private static String group(
      MatchResult reference, Matcher found, RegularExpression.Read read) {
    if (reference.group(1) != null) {
      return "$";
    }
    String name = reference.group(2) != null ? reference.group(2) : reference.group(3);
    if (name.matches("\\d+")) {
      int index = name.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(name);
      String group = index <= found.groupCount() ? found.group(index) : "";
      return group == null ? "" : group;
    }
    Integer index = read.names().get(name);
    String group = index == null ? "" : found.group(index);
    return group == null ? "" : group;
  }
}
