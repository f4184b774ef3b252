package tallystick.alerting.lint;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;

/**
 * A file with renamed metrics as they are called now, and every other letter as it was.
 *
 * @param names what each was called, and what it is called now
 */
public record RenamedMetrics(String text, SortedMap<String, String> names) {
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
    SortedMap<String, String> names = new TreeMap<>();
    int done = 0;
    for (RuleSource rule : rules) {
      int end = rule.text().scalar().end();
      Map<String, String> renamed =
          rule.expression()
              .map(read -> new LintedRule(file, recordings, rule, read, exposed, List.of()))
              .map(SelectorChecks::renamed)
              .orElse(Map.of());
      if (!renamed.isEmpty() && end > done) {
        mended.append(text, done, rule.text().scalar().begin());
        String written = text.substring(rule.text().scalar().begin(), end);
        for (Map.Entry<String, String> name : renamed.entrySet()) {
          written =
              Pattern.compile("(?<![\\w:])" + Pattern.quote(name.getKey()) + "(?![\\w:])")
                  .matcher(written)
                  .replaceAll(name.getValue());
        }
        names.putAll(renamed);
        mended.append(written);
        done = end;
      }
    }
    return new RenamedMetrics(mended.append(text, done, text.length()).toString(), names);
  }
}
