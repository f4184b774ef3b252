package tallystick.promql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import tallystick.Fuzz;
import tallystick.Fuzz.Growing;
import tallystick.FuzzInputs;
import tallystick.FuzzedReader;

/** Any text is an expression that evaluates and reads back, or an error with its place. */
class PromqlFuzzTest implements FuzzedReader {
  private static final int LONGEST = 400;
  /** A step may cost what the whole expression costs; a fuzzed one takes few of them. */
  private static final int MOST_STEPS = 1000;
  private static final List<String> SOUND =
      List.of(
          "histogram_quantile(0.95, sum by (le, model_name) (rate(vllm:ttft_bucket{a=~\"b|c\"}[5m]"
              + " offset 1m))) > 0.5 and on(x) group_left() (avg_over_time(y[1h:1m]) @ 3)",
          "1 - sum(rate(a{le=\"1.0\"}[1m])) / sum(rate(b[1m])) > bool 0.01",
          "max(max_over_time(a[5m])) or absent(b{job=\"vllm\"}) unless -c ^ 2 % 3",
          "label_replace(x, \"short\", \"$1\", \"id\", \"s(.)\") * ignoring(id) group_right(k) y",
          "topk without (id) (1, x) + quantile by (kind) (0.25, x) - count_values(\"v\", round(x))",
          "clamp(predict_linear(x[4m] offset 30s, -60), 20, 60) atan2 rate(sum(c)[10m:1m])");
  private static final List<String> WORDS =
      List.of(
          "a", "b{x=\"y\"}", "sum", " by ", "(", ")", "[", "]", "{", "}", ",", ":", " @ ",
          " offset ",
          "5m", "1h30m", "9999999999y", "0x1F", "1e999", "017", ".5", "-", "+", "*", "/", "^", "%",
          " == ", "!=", "=~", "!~", "<=", " bool ", " on ", " ignoring ", " group_left ", " and ",
          " or ", " unless ", "rate", "histogram_quantile", "label_replace", "\"(a|b\"", "\"((((\"",
          "'x'", "`y`", "\"\\z\"", "\"\\x41\"", "\"\\u00e9\"", "# c\n", " ", "\n", "NaN", "inf",
          "start()", "quantile", "topk", " without ", "time()", "vector(1)", "\u2028", "é", "1_0",
          "[5m:]", "[5m:1m]", "{__name__=\"a\"}", "{__name__=\"", "{}", "{a=\"\"}", "=", "\"",
          "'", "\\", "1ms");

  /** Expressions and what is nearly one. */
  static FuzzInputs inputs() {
    return FuzzInputs.of(SOUND, WORDS, LONGEST);
  }

  @Override
  public Fuzz fuzz() {
    return new Fuzz("promql", inputs(), this::read);
  }

  @Override
  public List<Growing> growing() {
    return List.of(
        new Growing("a", " # c\n", ""), new Growing("a{", "l%d=\"x\",", "}"),
        new Growing("sum by (", "l%d,", "l) (a)"), new Growing("a{b=\"", "\\\"", "\"}"),
        new Growing("a", " or a", ""), Growing.of("("), Growing.of("-"), Growing.of("a"),
        Growing.of("1"), new Growing("a[", "1s", "]"),
        // RE2/J copies what is left at each repetition and keeps a place for each group: "(x|y)*"
        // of 128 KiB takes 60 ms, three times what a line would give.
        new Growing("a{b=~\"", "(?:x|y)z", "\"}"),
        new Growing("max(", "a, ", "a)"), Growing.of(" "));
  }

  private void read(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    try {
      Expression read = PromqlParser.parse(text);
      String written = ExpressionText.of(read);
      assertThat(ExpressionText.of(PromqlParser.parse(written))).isEqualTo(written);
      new PromqlEvaluator(store(), PrometheusVersion.values()[0], 60_000, MOST_STEPS)
          .evaluate(read, 9000);
    } catch (PromqlException e) {
      assertThat(e.offset()).as(text).isBetween(0, text.length());
    }
  }

  private static SeriesStore store() {
    SeriesStore store = new SeriesStore();
    for (String name : List.of("a", "b", "x")) {
      for (int i = 0; i < 10; i++) {
        store.append(Labels.EMPTY.with(Labels.NAME, name).with("x", "y"), 1000L * i, i);
      }
    }
    return store;
  }
}
