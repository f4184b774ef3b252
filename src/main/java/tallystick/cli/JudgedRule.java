package tallystick.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Mark;
import tallystick.answer.Tone;
import tallystick.cli.exit.ExitCode;
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

  /** What rules come to together; one that holds outweighs one that could not be judged. */
  static AnswerStatus together(List<JudgedRule> rules) {
    if (rules.stream().anyMatch(rule -> !rule.holding().isEmpty())) {
      return AnswerStatus.FAILS;
    }
    boolean isOpen = rules.stream().anyMatch(rule -> !rule.unknown().isEmpty());
    return isOpen ? AnswerStatus.NOT_TRUSTED : AnswerStatus.GOOD;
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

  /** For programs: {@code fires}, {@code no}, {@code unknown}. */
  String says() {
    return !unknown.isEmpty() ? "unknown" : holding.isEmpty() ? "no" : "fires";
  }

  private static String named(Sample sample) {
    return SnapshotText.named(sample.series().name(), sample.series().labels());
  }

  /** The rules, each with its value; the first stays where a screen is too short. */
  static Answer answer(String url, List<JudgedRule> rules) {
    long held = rules.stream().filter(rule -> !rule.holding().isEmpty()).count();
    AnswerStatus outcome = together(rules);
    List<Block.Row> rows = new ArrayList<>();
    rules.stream()
        .flatMap(rule -> rule.rows().stream())
        .forEach(row -> rows.add(row.spare(rows.isEmpty() ? 0 : rows.size() + 1)));
    List<Column> columns = List.of(Column.words(""), Column.number(""), Column.words(""));
    List<Block.Item> unknown = new ArrayList<>();
    for (JudgedRule rule : rules) {
      if (!rule.unknown().isEmpty()) {
        Mark mark = new Mark(Tone.CAUTION, "UNKNOWN");
        String text = rule.rule() + ": " + rule.unknown();
        unknown.add(new Block.Item(mark, text, "", List.of(), unknown.size() + 1));
      }
    }
    return Answer.of(
            "snapshot", url,
            held + " of " + Counted.of(rules.size(), "warning fires", "warnings fire"),
            "exit " + ExitCode.of(outcome).number())
        .block(new Block.Table("", false, columns, rows, Block.Rest.of("and %d more values")))
        .block(new Block.Items(false, unknown))
        .comesTo(outcome);
  }

  private List<Block.Row> rows() {
    String limit = " " + rule.comparison().sign() + " " + SnapshotText.number(rule.limit());
    if (!unknown.isEmpty()) {
      return List.of(row(rule.name(), "n/a" + limit, "UNKNOWN"));
    }
    if (holding.isEmpty()) {
      return List.of(row(rule.name(), value(closest.orElseThrow(), limit), "no"));
    }
    return holding.stream()
        .map(
            sample ->
                row(
                    holding.size() == 1 ? rule.name() : named(sample), value(sample, limit),
                    "FIRES"))
        .toList();
  }

  private static Block.Row row(String name, String value, String says) {
    return Block.Row.of(Cell.of(name), Cell.of(value), Cell.of(says));
  }

  private static String value(Sample sample, String limit) {
    return SnapshotText.number(sample.value()) + limit;
  }
}
