package tallystick.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tallystick.cli.exit.ExitCode;
import tallystick.report.screen.Screen;
import tallystick.runrecord.Sample;
import tallystick.scenario.Counted;
import tallystick.scrape.HealthRule;
import tallystick.scrape.SnapshotText;

/**
 * A rule of the user's beside the samples it speaks of.
 *
 * @param holding those for which it holds
 * @param closest where it holds for none, the one nearest to it; empty where nothing is exposed
 * @param unknown why it cannot be judged; empty where it can
 */
record JudgedRule(
    HealthRule rule, List<Sample> holding, Optional<Sample> closest, String unknown) {

  static JudgedRule of(HealthRule rule, List<Sample> samples) {
    Optional<Sample> closest = rule.closest(samples);
    return new JudgedRule(
        rule, rule.matches(samples), closest, closest.isPresent() ? "" : why(rule, samples));
  }

  private static String why(HealthRule rule, List<Sample> samples) {
    HealthRule ofCount = new HealthRule(rule.name() + "_count", rule.comparison(), 0);
    if (samples.stream().anyMatch(ofCount::concerns)) {
      return rule.name() + " is a histogram; name a part of it, " + ofCount.name() + " or "
          + rule.name() + "_sum";
    }
    return "the target exposes no " + rule.name()
        + rule.nearest(samples).map(near -> "; did you mean " + near + "?").orElse("");
  }

  ExitCode code() {
    if (!unknown.isEmpty()) {
      return ExitCode.NOT_TRUSTED;
    }
    return holding.isEmpty() ? ExitCode.GOOD : ExitCode.RESULT_FAILS;
  }

  /** One line for each sample that the rule warns of, or why it cannot be judged. */
  List<String> warnings() {
    if (!unknown.isEmpty()) {
      return List.of("UNKNOWN: " + rule + ": " + unknown);
    }
    return holding.stream()
        .map(
            sample ->
                "WARNING: " + rule + ": " + named(sample) + " "
                    + SnapshotText.number(sample.value()))
        .toList();
  }

  private static String named(Sample sample) {
    return SnapshotText.named(sample.series().name(), sample.series().labels());
  }

  /** The rules on one screen, each with its value. */
  static Screen screen(String url, List<JudgedRule> rules, ExitCode code, int room) {
    long held = rules.stream().filter(rule -> !rule.holding().isEmpty()).count();
    Screen screen =
        new Screen(
            "snapshot", url,
            held + " of " + Counted.of(rules.size(), "rule holds", "rules hold"),
            "exit " + code.number());
    List<List<String>> rows = rules.stream().flatMap(rule -> rule.rows().stream()).toList();
    screen.table(List.of("", "", ""), rows.subList(0, Math.min(rows.size(), Math.max(1, room))));
    if (rows.size() > Math.max(1, room)) {
      screen.plain("", "and " + (rows.size() - Math.max(1, room)) + " more values");
    }
    rules.stream()
        .filter(rule -> !rule.unknown().isEmpty())
        .limit(room)
        .forEach(rule -> screen.caution("UNKNOWN", rule.rule() + ": " + rule.unknown()));
    return screen;
  }

  private List<List<String>> rows() {
    String limit = " " + rule.comparison().sign() + " " + SnapshotText.number(rule.limit());
    if (!unknown.isEmpty()) {
      return List.of(List.of(rule.name(), "n/a" + limit, "UNKNOWN"));
    }
    List<List<String>> rows = new ArrayList<>();
    for (Sample sample : holding) {
      String name = holding.size() == 1 ? rule.name() : named(sample);
      rows.add(List.of(name, value(sample, limit), "HOLDS"));
    }
    if (holding.isEmpty()) {
      rows.add(List.of(rule.name(), value(closest.orElseThrow(), limit), "no"));
    }
    return rows;
  }

  private static String value(Sample sample, String limit) {
    return SnapshotText.number(sample.value()) + limit;
  }
}
