package tallystick.alerting.lint;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tallystick.alerting.RuleSource;
import tallystick.promql.Expression.Cardinality;
import tallystick.promql.Expression.Type;
import tallystick.promql.Expression;
import tallystick.promql.Expressions;

/**
 * The labels that the elements of an expression have, as far as its text tells.
 *
 * @param labels those it has
 * @param whole whether it has no others
 * @param lacks those it does not have, where it may have others
 */
record LabelSet(Set<String> labels, boolean whole, Set<String> lacks) {
  /** Labels that only an engine's own series have. */
  private static final String MODEL = "model_name";

  private static final String SETTING = "block_size";

  /** What every series that was scraped has. */
  private static final LabelSet SCRAPED = new LabelSet(Set.of("instance", "job"), false);

  /** What Prometheus says of a target or a process of itself: of no model. */
  private static final LabelSet OF_TARGET =
      new LabelSet(Set.of("instance", "job"), false, Set.of(MODEL));

  private static final LabelSet OF_VLLM =
      new LabelSet(Set.of("instance", "job", MODEL), false, Set.of(SETTING));

  private static final LabelSet SETTINGS =
      new LabelSet(Set.of("instance", "job", SETTING), false, Set.of(MODEL));

  private static final LabelSet UNKNOWN = new LabelSet(Set.of(), false);
  private static final LabelSet NONE = new LabelSet(Set.of(), true);

  LabelSet {
    labels = Set.copyOf(labels);
    lacks = Set.copyOf(lacks);
  }

  private LabelSet(Set<String> labels, boolean whole) {
    this(labels, whole, Set.of());
  }

  /** Of an expression, recordings seen through; each is read once, however often it stands. */
  static LabelSet of(Expression expression, Recordings recordings) {
    return of(expression, new Metrics(recordings, new HashMap<>()));
  }

  private static LabelSet of(Expression expression, Metrics metrics) {
    return switch (expression) {
      case Expression.NumberLiteral ignored -> NONE;
      case Expression.StringLiteral ignored -> UNKNOWN;
      case Expression.VectorSelector selector -> metrics.of(selector.metric());
      case Expression.RangeSelector range -> of(range.selector(), metrics);
      case Expression.Subquery subquery -> of(subquery.inner(), metrics);
      case Expression.Call call -> of(call, metrics);
      case Expression.Aggregation aggregation -> of(aggregation, metrics);
      case Expression.BinaryOperation operation -> of(operation, metrics);
      case Expression.Negation negation -> of(negation.operand(), metrics);
      case Expression.Parentheses parentheses -> of(parentheses.inner(), metrics);
    };
  }

  private static LabelSet of(Expression.Call call, Metrics metrics) {
    return switch (call.function()) {
      case "absent", "absent_over_time", "label_replace", "label_join" -> UNKNOWN;
      case "vector", "time", "pi", "scalar" -> NONE;
      case "histogram_quantile" -> of(call.arguments().get(1), metrics).without(Set.of("le"));
      case "quantile_over_time" -> of(call.arguments().get(1), metrics);
      default ->
          call.arguments().isEmpty() ? NONE : of(call.arguments().getFirst(), metrics);
    };
  }

  private static LabelSet of(Expression.Aggregation aggregation, Metrics metrics) {
    LabelSet inner = of(aggregation.operand(), metrics);
    return switch (aggregation.operator()) {
      case "topk", "bottomk" -> inner;
      case "count_values" -> UNKNOWN;
      default ->
          aggregation.without()
              ? inner.without(Set.copyOf(aggregation.grouping()))
              : new LabelSet(Set.copyOf(aggregation.grouping()), true);
    };
  }

  private static LabelSet of(Expression.BinaryOperation operation, Metrics metrics) {
    LabelSet left = of(operation.left(), metrics);
    LabelSet right = of(operation.right(), metrics);
    if (isScalar(operation.left())) {
      return right;
    }
    boolean keeps = isScalar(operation.right()) || operation.isSetOperation();
    if (operation.operator().equals("or") && !left.equals(right)) {
      return UNKNOWN;
    }
    Cardinality cardinality = operation.matching().cardinality();
    if (keeps || cardinality == Cardinality.ONE_TO_ONE && !operation.matching().on()) {
      return left;
    }
    return switch (cardinality) {
      case ONE_TO_ONE -> new LabelSet(Set.copyOf(operation.matching().labels()), true);
      case GROUP_LEFT -> left.with(operation.matching().include());
      case GROUP_RIGHT -> right.with(operation.matching().include());
    };
  }

  /** Labels by the metric's name. One that reads itself is not known to itself. */
  private record Metrics(Recordings recordings, Map<String, LabelSet> known) {
    LabelSet of(String metric) {
      if (metric.isEmpty()) {
        return UNKNOWN;
      }
      List<RuleSource> named = recordings.named(metric);
      if (named.isEmpty()) {
        return scraped(metric);
      }
      if (!known.containsKey(metric)) {
        known.put(metric, UNKNOWN);
        named.getFirst().expression().ifPresent(
            recorded -> known.put(metric, LabelSet.of(recorded, this)));
      }
      return known.get(metric);
    }
  }

  private static LabelSet scraped(String metric) {
    boolean ofVllm =
        ExposedSeries.family(metric)
            .filter(family -> family.labels().model().equals(MODEL))
            .filter(family -> family.title().equals("vLLM"))
            .isPresent();
    if (ofVllm && ExposedSeries.concept(metric).isPresent()) {
      return switch (ExposedSeries.concept(metric).get()) {
        case CACHE_CONFIG -> SETTINGS;
        case LORA_REQUESTS -> SCRAPED;
        default -> OF_VLLM;
      };
    }
    return metric.matches("up|(scrape|process)_.*") ? OF_TARGET : SCRAPED;
  }

  /** Whether an expression is a number and not a vector. */
  static boolean isScalar(Expression expression) {
    return Expressions.type(expression) == Type.SCALAR;
  }

  private LabelSet without(Set<String> gone) {
    Set<String> rest = new TreeSet<>(labels);
    rest.removeAll(gone);
    Set<String> lacking = new TreeSet<>(lacks);
    lacking.addAll(gone);
    return new LabelSet(rest, whole, lacking);
  }

  private LabelSet with(List<String> more) {
    Set<String> all = new TreeSet<>(labels);
    all.addAll(more);
    Set<String> lacking = new TreeSet<>(lacks);
    lacking.removeAll(all);
    return new LabelSet(all, whole, lacking);
  }

  /** Labels that one side has and the other cannot have; empty if the two may match. */
  static Optional<Set<String>> apart(LabelSet left, LabelSet right, Set<String> ignored) {
    Set<String> apart = new TreeSet<>();
    left.labels().stream().filter(right::cannotHave).forEach(apart::add);
    right.labels().stream().filter(left::cannotHave).forEach(apart::add);
    apart.removeAll(ignored);
    return apart.isEmpty() ? Optional.empty() : Optional.of(apart);
  }

  private boolean cannotHave(String label) {
    return !labels.contains(label) && (whole || lacks.contains(label));
  }
}
