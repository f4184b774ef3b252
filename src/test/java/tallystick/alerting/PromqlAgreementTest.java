package tallystick.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.promql.NotUnderstoodException;
import tallystick.promql.PromqlException;
import tallystick.promql.PromqlFuzzTest;
import tallystick.promql.PromqlParser;

/** What our parser calls wrong, Prometheus calls wrong, and the other way round. */
@Tag("promtool")
class PromqlAgreementTest {
  private static final int BATCH = 2_000;
  private static final Pattern NUMBER = Pattern.compile("rule (\\d+), \"r:r\"");

  @TempDir private Path folder;

  @Test
  void accusesTheExpressionsThatPrometheusAccuses() throws Exception {
    long until = System.nanoTime() + 1_000_000_000L * Long.getLong("fuzz.brief", 2);
    int accepted = 0;
    List<String> faults = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(Long.getLong("fuzz.seed", 1));
    do {
      List<String> texts = texts(random);
      Set<Integer> wrong = wrongForPrometheus(texts);
      assertThat(wrong).isNotEmpty();
      for (int i = 0; i < texts.size(); i++) {
        Verdict ours = verdict(texts.get(i));
        accepted += ours == Verdict.SOUND ? 1 : 0;
        if (ours != Verdict.NOT_UNDERSTOOD && (ours == Verdict.WRONG) != wrong.contains(i + 1)) {
          faults.add(ours + ": " + texts.get(i));
        }
      }
    } while (System.nanoTime() < until);
    assertThat(faults).isEmpty();
    assertThat(accepted).isGreaterThan(100);
  }

  private enum Verdict {
    SOUND,
    WRONG,
    NOT_UNDERSTOOD
  }

  private static Verdict verdict(String text) {
    try {
      PromqlParser.parse(text);
      return Verdict.SOUND;
    } catch (NotUnderstoodException e) {
      return Verdict.NOT_UNDERSTOOD;
    } catch (PromqlException e) {
      return Verdict.WRONG;
    }
  }

  /** Without what a rule file cannot carry to Prometheus as it is. */
  private static List<String> texts(SplittableRandom random) {
    List<String> texts = new ArrayList<>();
    while (texts.size() < BATCH) {
      byte[] input = PromqlFuzzTest.inputs().make(random.split());
      String text = new String(input, StandardCharsets.UTF_8);
      if (!text.isBlank() && text.chars().allMatch(c -> c >= ' ' && c < 127 || c == '\n')) {
        texts.add(text);
      }
    }
    return texts;
  }

  private Set<Integer> wrongForPrometheus(List<String> texts) throws Exception {
    StringBuilder file = new StringBuilder("groups:\n- name: g\n  rules:\n");
    for (int i = 0; i < texts.size(); i++) {
      String quoted =
          texts.get(i).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
      file.append("  - {record: \"r:r\", labels: {n: \"").append(i).append("\"}, expr: \"")
          .append(quoted).append("\"}\n");
    }
    Files.writeString(folder.resolve("rules.yaml"), file);
    Matcher said = NUMBER.matcher(Promtool.say(folder, "check", "rules", "rules.yaml"));
    Set<Integer> wrong = new HashSet<>();
    while (said.find()) {
      wrong.add(Integer.parseInt(said.group(1)));
    }
    return wrong;
  }
}
