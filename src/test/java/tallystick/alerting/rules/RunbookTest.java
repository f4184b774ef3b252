package tallystick.alerting.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.NeedsProgram;
import tallystick.alerting.Promtool;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.MadeAlerts;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expressions;
import tallystick.promql.PromqlParser;
import tallystick.runrecord.MetricVocabulary;
import tallystick.scenario.Objective;

/** The runbook has an entry for every alert, and queries that can be pasted. */
class RunbookTest {
  private static final Path RULES = Path.of("src/main/java/tallystick/alerting/rules");
  private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\"></a>");
  private static final Pattern QUERIES = Pattern.compile("(?ms)^```promql\\n(.*?)^```$");
  private static final Pattern NAME = Pattern.compile("\"(VLLM[A-Z]\\w+)\"");

  @TempDir private Path folder;
  private String runbook;
  private Set<String> anchors;

  @BeforeEach
  void read() throws IOException {
    runbook = Files.readString(Path.of(AlertRequest.RUNBOOK));
    anchors =
        ANCHOR.matcher(runbook).results().map(found -> found.group(1)).collect(Collectors.toSet());
  }

  @ParameterizedTest
  @EnumSource(
      value = Objective.Metric.class,
      names = {"TTFT", "TPOT", "ITL", "E2E"})
  void everyWrittenAlertLinksToItsEntry(Objective.Metric metric) {
    RuleSet set = RuleBook.of(withAvailability(MadeAlerts.withTarget(0.99, metric, 1)));
    for (RuleSet.Rule alert : set.alerts()) {
      String link = alert.annotations().get("runbook_url");
      assertThat(link).isEqualTo(AlertRequest.RUNBOOK + RuleSet.anchor(alert.name()));
      assertThat(anchors).contains(link.substring(link.indexOf('#') + 1));
    }
    for (RefusedAlert refused : set.refusals()) {
      assertThat(anchors).contains(RuleSet.anchor(refused.alertName()).substring(1));
    }
  }

  @Test
  void everyNameOfAnAlertInTheCodeHasAnEntry() throws IOException {
    List<String> names = new ArrayList<>(RuleBook.ABSENCE);
    try (Stream<Path> files = Files.list(RULES)) {
      for (Path file : files.toList()) {
        NAME.matcher(Files.readString(file)).results().forEach(name -> names.add(name.group(1)));
      }
    }
    assertThat(names).contains("VLLMEngineStuck").hasSizeGreaterThan(8);
    for (String name : names) {
      String begin = RuleSet.anchor(name).substring(1);
      assertThat(anchors).as(name).anyMatch(anchor -> anchor.startsWith(begin));
    }
  }

  @Test
  void everyQueryIsPromqlOverMetricsThatExist() {
    MetricVocabulary vocabulary = MetricVocabulary.standard();
    for (String query : queries()) {
      Expressions.all(PromqlParser.parse(query), VectorSelector.class)
          .map(VectorSelector::metric)
          .forEach(
              metric ->
                  assertThat(
                          vocabulary.entryOf(metric).isPresent()
                              || metric.matches("up|process_start_time_seconds|DCGM_FI_\\w+"))
                      .as(metric)
                      .isTrue());
    }
  }

  @Test
  @NeedsProgram("promtool")
  void promtoolReadsEveryQuery() throws Exception {
    StringBuilder rules = new StringBuilder("groups:\n- name: runbook\n  rules:\n");
    for (String query : queries()) {
      rules.append("  - record: a:b\n    labels: {n: \"" + rules.length() + "\"}\n    expr: '");
      rules.append(query.replace("'", "''")).append("'\n");
    }
    Files.writeString(folder.resolve("runbook.yaml"), rules);
    assertThat(Promtool.say(folder, "check", "rules", "runbook.yaml"))
        .contains("SUCCESS: " + queries().size() + " rules found");
  }

  private List<String> queries() {
    List<String> queries =
        QUERIES
            .matcher(runbook)
            .results()
            .map(MatchResult::group)
            .flatMap(String::lines)
            .filter(line -> !line.startsWith("#") && !line.startsWith("```"))
            .toList();
    assertThat(queries).hasSizeGreaterThan(30);
    return queries;
  }

  private static DerivedAlerts withAvailability(DerivedAlerts derived) {
    return MadeAlerts.of(
        MadeAlerts.asked(derived.request(), 0.999, AlertRequest.RUNBOOK), derived.edge(),
        derived.outcomes(), derived.holdMillis(), derived.query(), derived.validity());
  }
}
