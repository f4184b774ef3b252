package tallystick.experiment.regress;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import tallystick.analysis.result.Strength;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Mark;
import tallystick.answer.TestCase;
import tallystick.answer.Tone;
import tallystick.answer.chart.Effects;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.PercentText;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;

/** How the result of one metric reads: in a sentence, a row, a chart and a test case. */
record MetricText(Judged one) {
  private static final Cell UNKNOWN = Cell.of("–");

  /** A row without figures leaves a short screen before anything that tells something. */
  private static final int SPARED = 9;

  /** Several in the order given, the first one in full. */
  static String list(List<Judged> metrics, RegressReport report) {
    String others =
        metrics.stream()
            .skip(1)
            .map(one -> one.metric().words() + new MetricText(one).change())
            .collect(Collectors.joining(", "));
    String first = new MetricText(metrics.getFirst()).inFull(report);
    return others.isEmpty() ? first : first + "; also " + others;
  }

  /** Their names. */
  static String names(List<Judged> metrics) {
    return metrics.stream().map(one -> one.metric().words()).collect(Collectors.joining(", "));
  }

  private String inFull(RegressReport report) {
    String name = one.metric().words();
    if (one.isUnknown()) {
      return name + " n/a (" + one.remark() + ")";
    }
    if (one.carriesMore()) {
      return name + " " + effect() + ", but " + one.remark();
    }
    if (one.metric().isShare() && one.verdict() == Verdict.REGRESSED) {
      return name + " " + span(report.baseRuns()) + " in the base's runs, "
          + span(report.candidateRuns()) + " in the candidate's";
    }
    String spans = span(report.baseRuns()) + " -> " + span(report.candidateRuns());
    if (one.isWithoutSize()) {
      return name + " " + spans;
    }
    return one.is(Verdict.REGRESSED, Strength.LIKELY)
        ? name + inPairs(report) + ": " + spans + " (" + size(one.effect().value()) + ", "
            + ends(" to ") + ")"
        : name + " " + effect();
  }

  private String inPairs(RegressReport report) {
    return one.pairs() == 0
        ? ""
        : " in " + one.pairs() + " of " + report.regression().design().base() + " pairs";
  }

  /** Between which values its runs lie. */
  private String span(List<ComparedRun> runs) {
    List<Double> all = runs.stream().flatMap(run -> run.figure(one.metric()).stream()).toList();
    return Numbers.span(
        one.metric().text(Collections.min(all)), one.metric().text(Collections.max(all)));
  }

  private String effect() {
    return size(one.effect().value()) + " (95 %: " + ends(" to ") + "; allowed "
        + bare(one.margin()) + ")";
  }

  /** Of its interval, the smaller number first. */
  private String ends(String between) {
    String low = bare(one.effect().low());
    String high = bare(one.effect().high());
    return one.metric().isBetterHigh() ? high + between + low : low + between + high;
  }

  /**
   * How far a worsening moves the metric: a share of requests in percentage points, all else by a
   * share of the base's. A worsening of a rate by one half, 1.5 times as long for a token, leaves
   * two thirds of it.
   */
  String size(double worsening) {
    if (one.metric().isShare()) {
      return PercentText.signed(-worsening).replace(" %", " pp");
    }
    return PercentText.signed(
        one.metric().isBetterHigh() ? 1 / (1 + worsening) - 1 : worsening);
  }

  /** The margin without a sign. */
  String allowed() {
    String share = PercentText.plain(one.margin());
    return one.metric().isShare() ? share.replace(" %", " pp") : share;
  }

  private String bare(double worsening) {
    return size(worsening).replaceFirst(" (%|pp)$", "");
  }

  private String change() {
    return one.isUnknown() || one.isWithoutSize() ? "" : " " + size(one.effect().value());
  }

  private Mark mark() {
    return switch (one.verdict()) {
      case PASSED -> new Mark(Tone.GOOD, "no worse" + likely());
      case REGRESSED ->
          one.strength() == Strength.SURE
              ? new Mark(Tone.BAD, "regressed")
              : new Mark(Tone.CAUTION, "likely worse");
      case TOO_CLOSE ->
          new Mark(Tone.CAUTION, one.gates() && !one.isUnknown() ? "too close" : "not judged");
      case INVALID -> new Mark(Tone.BAD, "invalid");
    };
  }

  private String likely() {
    return one.strength() == Strength.LIKELY ? " (likely)" : "";
  }

  Block.Row row() {
    Cell name = Cell.of(one.metric().words());
    Cell verdict = Cell.of(mark());
    Cell allowed = Cell.of(size(one.margin()));
    if (one.isUnknown()) {
      Cell none = Cell.of("n/a");
      return Block.Row.of(name, none, none, none, UNKNOWN, allowed, verdict).spare(SPARED);
    }
    Cell base = Cell.of(one.metric().text(one.base()));
    Cell candidate = Cell.of(one.metric().text(one.candidate()));
    return one.isWithoutSize()
        ? Block.Row.of(name, base, candidate, Cell.of("grows"), UNKNOWN, allowed, verdict)
        : Block.Row.of(
            name, base, candidate, Cell.of(size(one.effect().value())), Cell.of(ends(" … ")),
            allowed, verdict);
  }

  Effects.Effect drawn() {
    boolean isKnown = !one.isUnknown() && !one.isWithoutSize();
    return new Effects.Effect(
        one.metric().words(), isKnown ? one.effect().low() : Double.NaN, one.effect().value(),
        one.effect().high(), one.margin(), mark().tone(),
        isKnown ? size(one.effect().value()) + ", " + mark().word() : mark().word());
  }

  TestCase testCase() {
    TestCase.Result result =
        switch (one.verdict()) {
          case PASSED -> TestCase.Result.PASSED;
          case REGRESSED ->
              one.strength() == Strength.SURE ? TestCase.Result.FAILURE : TestCase.Result.SKIPPED;
          case TOO_CLOSE, INVALID -> TestCase.Result.SKIPPED;
        };
    String claim = one.metric().words() + " is worse by less than " + allowed();
    return new TestCase("metrics", claim, result, sentence());
  }

  private String sentence() {
    if (one.isUnknown()) {
      return "n/a (" + one.remark() + ")";
    }
    if (one.isWithoutSize()) {
      return mark().word() + "; " + one.remark();
    }
    String found = mark().word() + ": " + effect();
    return one.remark().isEmpty() ? found : found + "; " + one.remark();
  }
}
