package tallystick.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series;
import tallystick.scrape.HealthRule;

/** What a snapshot says of rules that hold, do not hold, and cannot be judged. */
class JudgedRuleWordsTest {
  @Test
  void rulesOfEachKind() throws IOException {
    check(
        "kinds", 1, "waiting > 1", "waiting < 1", "wait_seconds > 1", "watting > 1", "gone > 1");
  }

  @Test
  void aRuleThatHoldsForManySeries() throws IOException {
    check("many", 40, "waiting > 1", "waiting < 1", "gone > 1", "lost > 2");
  }

  @Test
  void aRuleThatDoesNotHold() throws IOException {
    check("none", 1, "waiting > 9");
  }

  private static void check(String name, int series, String... rules) throws IOException {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < series; i++) {
      samples.add(sample("waiting", Map.of("model", "m" + i), 2 + i));
    }
    samples.add(sample("wait_seconds_count", Map.of(), 7));
    List<JudgedRule> judged =
        List.of(rules).stream()
            .map(rule -> JudgedRule.of(HealthRule.parse(rule), samples))
            .toList();
    FrozenWords.check(
        "snapshot/" + name,
        ScreenWriter.text(
            JudgedRule.answer("http://host:8000/metrics", judged), Terminal.PLAIN));
  }

  private static Sample sample(String name, Map<String, String> labels, double value) {
    return new Sample(Series.of(name, labels, Series.Type.GAUGE), value);
  }
}
