package tallystick.promql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.NeedsProgram;
import tallystick.alerting.Promtool;

/**
 * Real Prometheus and this parser over the same expressions: none that it reads is refused here,
 * none that it refuses passes here. What is not understood here is no answer, so it cannot differ.
 * {@code -Dpromql.expressions} and {@code -Dpromql.seed} ask for more or for others.
 */
@NeedsProgram("promtool")
class PromqlDifferenceTest {
  private static final Pattern REFUSED =
      Pattern.compile("\"r:(\\d+)\": could not parse expression: (.*)");

  /**
   * What only an older Prometheus refuses. Since 2.54 it reads a number of seconds as a duration,
   * and the other way round; since 3.0 a label to group by may hold a colon or be quoted, and a
   * regular expression may end in an open quote.
   */
  private static final Pattern READ_LATER =
      Pattern.compile(
          ".*(missing unit character in duration|unexpected duration"
              + "|unexpected number .* in (offset|subquery selector)|bad number or duration syntax"
              + "|trailing commas not allowed in function call args"
              + "|missing closing \\): `\\^\\(\\?:[^`]*\\\\Q.*"
              + "|duration must be greater than 0"
              + "|unexpected (metric identifier|string) .* in grouping opts, expected label).*");
  private static final int EXPRESSIONS = Integer.getInteger("promql.expressions", 3000);
  private static final long SEED = Long.getLong("promql.seed", 1);

  @TempDir private Path folder;

  @Test
  void ourParserAndPrometheusAgree() throws Exception {
    differenceOf(new RandomExpressions(SEED).next(EXPRESSIONS));
  }

  @Test
  void theyAgreeOnWhatIsNearlyAnExpression() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    // A rule file cannot carry the others to Prometheus as they are.
    Pattern carried = Pattern.compile("[ -~\\n]*[!-~][ -~\\n]*");
    differenceOf(
        Stream.generate(() -> PromqlFuzzTest.inputs().make(random.split()))
            .map(input -> new String(input, StandardCharsets.UTF_8))
            .filter(text -> carried.matcher(text).matches())
            .limit(EXPRESSIONS)
            .toList());
  }

  private void differenceOf(List<String> expressions) throws Exception {
    Map<Integer, String> refused = refusedByPrometheus(expressions);
    List<String> differences = new ArrayList<>();
    int understood = 0;
    for (int i = 0; i < expressions.size(); i++) {
      String ours = ours(expressions.get(i));
      understood += ours.startsWith("not understood") ? 0 : 1;
      if (ours.isEmpty() && refused.containsKey(i)
          && !READ_LATER.matcher(refused.get(i)).matches()) {
        differences.add("passes here, there " + refused.get(i) + ": " + expressions.get(i));
      } else if (!ours.isEmpty() && !ours.startsWith("not understood") && !refused.containsKey(i)) {
        differences.add("refused here (" + ours + "), passes there: " + expressions.get(i));
      }
    }
    assertThat(differences).isEmpty();
    assertThat(refused.size()).isBetween(EXPRESSIONS / 10, EXPRESSIONS * 9 / 10);
    assertThat(understood).isGreaterThan(EXPRESSIONS * 8 / 10);
  }

  private static String ours(String expression) {
    try {
      PromqlParser.parse(expression);
      return "";
    } catch (NotUnderstoodException e) {
      return "not understood: " + e.getMessage();
    } catch (PromqlException e) {
      return e.getMessage();
    }
  }

  private Map<Integer, String> refusedByPrometheus(List<String> expressions)
      throws IOException, InterruptedException {
    ObjectMapper json = new ObjectMapper();
    StringBuilder rules = new StringBuilder("groups:\n- name: g\n  rules:\n");
    for (int i = 0; i < expressions.size(); i++) {
      rules.append("  - record: r:").append(i).append("\n    expr: ");
      rules.append(json.writeValueAsString(expressions.get(i))).append("\n");
    }
    Files.writeString(folder.resolve("rules.yaml"), rules);
    String said = Promtool.say(folder, "check", "rules", "rules.yaml");
    assertThat(said).contains("Checking rules.yaml");
    return REFUSED
        .matcher(said)
        .results()
        .collect(
            Collectors.toMap(found -> Integer.valueOf(found.group(1)), found -> found.group(2)));
  }
}
