package tallystick.experiment.regress;

import java.util.List;
import java.util.stream.Collectors;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Mark;
import tallystick.answer.TestCase;
import tallystick.answer.Tone;
import tallystick.answer.chart.Effects;
import tallystick.answer.words.PercentText;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;

/** How the result of one metric reads: in a sentence, a row, a chart and a test case. */
record MetricText(Judged one) {
  private static final Cell UNKNOWN = Cell.of("–");

  /** Several in the order in which they are judged, the first one in full. */
  static String list(List<Judged> metrics) {
    String others =
        metrics.stream()
            .skip(1)
            .map(one -> one.metric().words() + new MetricText(one).change())
            .collect(Collectors.joining(", "));
    String first = new MetricText(metrics.getFirst()).inFull();
    return others.isEmpty() ? first : first + "; also " + others;
  }

  /** Their names. */
  static String names(List<Judged> metrics) {
    return metrics.stream().map(one -> one.metric().words()).collect(Collectors.joining(", "));
  }

  private boolean isUnknown() {
    return one.base() == 0;
  }

  private String inFull() {
    String name = one.metric().words();
    if (one.isLost()) {
      return name + " " + one.remark();
    }
    return isUnknown()
        ? name + " n/a (" + one.remark() + ")"
        : name + " " + effect() + "; margin " + PercentText.plain(one.margin()) + beyondChance()
            + (one.carriesMore() ? ", but " + one.remark() : "");
  }

  private String effect() {
    return PercentText.signed(one.effect().value()) + " (95 % CI "
        + PercentText.signed(one.effect().low()) + " to "
        + PercentText.signed(one.effect().high()) + ")";
  }

  /** An interval of 95 % of one metric may lie above its margin and prove nothing over all. */
  private String beyondChance() {
    return one.verdict() == Verdict.NOT_PROVEN && one.effect().low() > one.margin()
        ? ", but of all metrics together one looks so by chance in "
            + PercentText.plain(one.chance()) + ", and "
            + PercentText.plain(RegressionJudge.LEVEL) + " is asked"
        : "";
  }

  private String change() {
    if (one.isLost()) {
      return " 0";
    }
    return isUnknown() ? "" : " " + PercentText.signed(one.effect().value());
  }

  private Mark mark() {
    return switch (one.verdict()) {
      case PASSED -> new Mark(Tone.GOOD, "passed");
      case REGRESSED -> new Mark(Tone.BAD, "regressed");
      case NOT_PROVEN -> new Mark(Tone.CAUTION, one.gates() ? "not proven" : "not judged");
      case INVALID -> new Mark(Tone.BAD, "invalid");
    };
  }

  Block.Row row() {
    Cell name = Cell.of(one.metric().words());
    Cell verdict = Cell.of(mark());
    if (isUnknown()) {
      Cell none = Cell.of("n/a");
      return Block.Row.of(name, none, none, none, UNKNOWN, UNKNOWN, verdict);
    }
    Cell base = Cell.of(one.metric().text(one.base()));
    if (one.isLost()) {
      return Block.Row.of(
          name, base, Cell.of("0"), Cell.of("all of it"), UNKNOWN, UNKNOWN, verdict);
    }
    return Block.Row.of(
        name, base, Cell.of(one.metric().text(one.candidate())),
        Cell.of(PercentText.signed(one.effect().value())),
        Cell.of(
            PercentText.signed(one.effect().low()).replace(" %", "") + " … "
                + PercentText.signed(one.effect().high())),
        Cell.of(PercentText.plain(one.couldSee())), verdict);
  }

  Effects.Effect drawn() {
    boolean isKnown = !isUnknown() && !one.isLost();
    String why = one.isLost() ? "lost" : "n/a";
    return new Effects.Effect(
        one.metric().words(), isKnown ? one.effect().low() : Double.NaN, one.effect().value(),
        one.effect().high(), one.margin(), mark().tone(),
        isKnown ? PercentText.signed(one.effect().value()) + ", " + mark().word() : why);
  }

  TestCase testCase() {
    TestCase.Result result =
        switch (one.verdict()) {
          case PASSED -> TestCase.Result.PASSED;
          case REGRESSED -> TestCase.Result.FAILURE;
          case NOT_PROVEN, INVALID -> TestCase.Result.SKIPPED;
        };
    String claim =
        one.metric().words() + " is worse by less than " + PercentText.plain(one.margin());
    return new TestCase("metrics", claim, result, sentence());
  }

  private String sentence() {
    if (isUnknown()) {
      return "n/a (" + one.remark() + ")";
    }
    if (one.isLost()) {
      return one.remark();
    }
    String found =
        "worse by " + effect() + ", margin " + PercentText.plain(one.margin())
            + ", could see " + PercentText.plain(one.couldSee());
    return one.remark().isEmpty() ? found : found + "; " + one.remark();
  }
}
