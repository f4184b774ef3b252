package tallystick.promql;

import java.util.List;
import java.util.Locale;
import tallystick.promql.Expression.Type;

/** Refuses expressions that Prometheus refuses for their types. */
final class TypeCheck {
  private TypeCheck() {}

  static void operation(Expression.BinaryOperation operation) {
    for (Expression side : List.of(operation.left(), operation.right())) {
      Type type = Expressions.type(side);
      if (type != Type.SCALAR && type != Type.INSTANT_VECTOR) {
        throw new PromqlException(
            operation.operator() + " cannot take a " + shown(type), operation.at());
      }
      if (operation.isSetOperation() && type == Type.SCALAR) {
        throw new PromqlException(
            operation.operator() + " cannot take a scalar", operation.at());
      }
    }
    boolean vectors =
        Expressions.type(operation.left()) == Type.INSTANT_VECTOR
            && Expressions.type(operation.right()) == Type.INSTANT_VECTOR;
    if (!vectors && !operation.matching().labels().isEmpty()) {
      throw new PromqlException("only vectors are matched by their labels", operation.at());
    }
    boolean scalars = Expressions.type(operation) == Type.SCALAR;
    if (scalars && operation.isComparison() && !operation.matching().returnsBool()) {
      throw new PromqlException("a comparison of scalars needs bool", operation.at());
    }
  }

  static void sign(Expression operand, int at) {
    Type type = Expressions.type(operand);
    if (type != Type.SCALAR && type != Type.INSTANT_VECTOR) {
      throw new PromqlException("a sign cannot stand before a " + shown(type), at);
    }
  }

  static void call(Expression.Call call) {
    String kinds =
        Signatures.arguments(call.function())
            .orElseThrow(
                () -> new NotUnderstoodException("function " + call.function(), call.at()));
    int least = kinds.indexOf('?') >= 0 ? kinds.indexOf('?') : kinds.length();
    boolean open = kinds.endsWith("*");
    String plain = kinds.replace("?", "").replace("*", "");
    int count = call.arguments().size();
    if (count < Math.min(least, plain.length()) || count > plain.length() && !open) {
      throw new PromqlException(
          call.function() + " takes " + plain.length() + " argument(s), found " + count,
          call.at());
    }
    for (int i = 0; i < count; i++) {
      char kind = plain.charAt(Math.min(i, plain.length() - 1));
      expect(Signatures.typeOf(kind), call.arguments().get(i), call.function());
    }
  }

  static void expect(Type expected, Expression argument, String where) {
    Type actual = Expressions.type(argument);
    if (actual != expected) {
      throw new PromqlException(
          where + " expects " + shown(expected) + ", found " + shown(actual), argument.at());
    }
  }

  private static String shown(Type type) {
    String words = type.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return (words.startsWith("i") ? "an " : "a ") + words;
  }
}
