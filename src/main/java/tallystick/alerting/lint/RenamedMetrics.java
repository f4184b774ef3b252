package tallystick.alerting.lint;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;

/** A file with renamed metrics as they are called now, and every other letter as it was. */
public record RenamedMetrics(String text, int names) {
  /**
   * Mends the expressions of a file.
   *
   * @param text what the file was read from
   */
  public static RenamedMetrics of(RuleFile file, String text, ExposedSeries exposed) {
    Recordings recordings = Recordings.of(file);
    List<RuleSource> rules =
        file.rules().stream()
            .sorted(Comparator.comparingInt(rule -> rule.text().scalar().begin()))
            .toList();
    StringBuilder mended = new StringBuilder();
    int names = 0;
    int done = 0;
    for (RuleSource rule : rules) {
      int end = rule.text().scalar().end();
      Map<String, String> renamed =
          rule.expression()
              .map(read -> new LintedRule(file, recordings, rule, read, exposed))
              .map(SelectorChecks::renamed)
              .orElse(Map.of());
      if (!renamed.isEmpty() && end > done) {
        mended.append(text, done, rule.text().scalar().begin());
        String written = text.substring(rule.text().scalar().begin(), end);
        for (Map.Entry<String, String> name : renamed.entrySet()) {
          Matcher old =
              Pattern.compile("(?<![\\w:])" + Pattern.quote(name.getKey()) + "(?![\\w:])")
                  .matcher(written);
          names += (int) old.results().count();
          written = old.replaceAll(name.getValue());
        }
        mended.append(written);
        done = end;
      }
    }
    return new RenamedMetrics(mended.append(text, done, text.length()).toString(), names);
  }
}
