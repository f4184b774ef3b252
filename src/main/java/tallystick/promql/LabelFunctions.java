package tallystick.promql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
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

  static Vector call(Expression.Call call, Vector given) {
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
    RegularExpression expression = RegularExpression.read(text(call, 4));
    String template = text(call, 2);
    return given.elements().stream()
        .map(
            element -> {
              Labels labels = element.labels();
              return expression
                  .match(labels.get(text(call, 3)))
                  .map(found -> labels.with(text(call, 1), expanded(template, found)))
                  .map(replaced -> new Element(replaced, element.value()))
                  .orElse(element);
            })
        .toList();
  }

  /** Go takes the longest name after a dollar; one the pattern does not have is empty. */
  private static String expanded(String template, UnaryOperator<String> groups) {
    return REFERENCE
        .matcher(template)
        .replaceAll(
            reference -> Matcher.quoteReplacement(name(reference).map(groups).orElse("$")));
  }

  /** Empty for two dollars, which stand for one. */
  private static Optional<String> name(MatchResult reference) {
    return Optional.ofNullable(reference.group(2))
        .or(() -> Optional.ofNullable(reference.group(3)));
  }
}
