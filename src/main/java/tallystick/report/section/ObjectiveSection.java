package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Goodput;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.ObjectiveEvidence;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.answer.Block;
import tallystick.answer.Fact;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.scenario.Objective;

/** The objectives: each with its verdict and how it did. */
public final class ObjectiveSection {
  private static final String TOGETHER =
      "The answer above is of one step. These verdicts cover the whole run, the overloaded steps"
          + " too.";

  private ObjectiveSection() {}

  /**
   * The objectives of all phases together.
   *
   * @param isStepped whether the answer is the highest step that holds
   */
  public static Section of(List<ObjectiveResult> results, boolean isStepped, Goodput goodput) {
    if (results.isEmpty()) {
      return Section.of("objectives", "Objectives", new Block.Text(Tone.MUTED, "None were set."));
    }
    List<Block> blocks = new ArrayList<>();
    if (isStepped) {
      blocks.add(new Block.Text(Tone.MUTED, TOGETHER));
    }
    blocks.add(new Block.Items(false, results.stream().map(ObjectiveSection::item).toList()));
    if (!goodput.limits().isEmpty()) {
      blocks.add(new Block.Groups(
          List.of(Block.Group.of("Goodput: " + together(goodput.limits()), goodput(goodput)))));
    }
    return Section.of(
        "objectives", isStepped ? "Objectives, all phases together" : "Objectives", blocks);
  }

  private static String together(List<Objective> limits) {
    return String.join(" and ", limits.stream().map(ObjectiveSection::limit).toList());
  }

  private static String limit(Objective limit) {
    String whose = limit.requestClass().isEmpty() ? "" : " of class " + limit.requestClass();
    return Wording.limits(limit) + whose;
  }

  private static List<Fact> goodput(Goodput goodput) {
    Goodput.Kept kept = goodput.fromIntended();
    Goodput.Kept fromStart = goodput.fromStart();
    return List.of(
        new Fact(
            "requests that keep all of it",
            Numbers.count(kept.good()) + " of " + Numbers.count(kept.judged())),
        new Fact("good requests/s", Numbers.number(kept.requestsPerSecond())),
        new Fact("their output tokens/s", Numbers.number(kept.outputTokensPerSecond())),
        new Fact(
            "from the actual start, requests/s", Numbers.number(fromStart.requestsPerSecond())),
        new Fact(
            "from the actual start, output tokens/s",
            Numbers.number(fromStart.outputTokensPerSecond())));
  }

  private static Block.Item item(ObjectiveResult result) {
    return new Block.Item(
        mark(result.judgement()), Wording.objective(result.objective()), result(result), List.of());
  }

  /** The verdict, and how sure it is. */
  public static Mark mark(Judgement judged) {
    Tone tone = judged.isMet() ? Tone.GOOD : judged.isMissed() ? Tone.BAD : Tone.CAUTION;
    return new Mark(tone, judged.words());
  }

  /**
   * {@code 1,180 of 1,200 good, 98.33 % (90 % CI 97.64 to 98.83 %); P95 268 ms (90 % CI 258 to 291
   * ms)}, and what a verdict that is not proven lacks.
   */
  public static String result(ObjectiveResult result) {
    String counts =
        Numbers.count(result.good()) + " of " + Numbers.count(result.judged()) + " good";
    String interval = interval(result);
    String share = ", " + Numbers.percent(result.share());
    return counts
        + share
        + (interval.isEmpty() ? "" : " (" + interval + ")")
        + percentile(result)
        + lack(result);
  }

  /** The interval of the share of good things; empty where there is none. */
  private static String interval(ObjectiveResult result) {
    return result.low() instanceof Figure.Known low && result.high() instanceof Figure.Known high
        ? "90 % CI "
            + Numbers.percent(low.value()).replace(" %", "")
            + " to "
            + Numbers.percent(high.value())
        : "";
  }

  /** The percentile that decides, with its interval; empty where nobody knows what it is worth. */
  public static String percentile(ObjectiveResult result) {
    ObjectiveEvidence evidence = result.evidence();
    String name = "; " + Numbers.percentile(result.objective().share()) + " ";
    return switch (evidence.percentile()) {
      case Figure.Unavailable none -> result.judged() == 0 ? "" : name + none.reason();
      case Figure.Known value when result.objective().metric() == Objective.Metric.ALL ->
          "; " + Numbers.percentile(result.objective().share()) + " of the largest part of a limit "
              + Numbers.percent(value.value()) + parts(evidence);
      // Without an interval nobody knows what the percentile of so few is worth.
      case Figure.Known value when ends(evidence, LatencyUnit.SECONDS).isEmpty() -> "";
      case Figure.Known value -> {
        LatencyUnit unit = Wording.unit(result.objective().metric(), value.value());
        yield name + unit.text(value.value()) + ends(evidence, unit);
      }
    };
  }

  private static String ends(ObjectiveEvidence evidence, LatencyUnit unit) {
    boolean hasLow = evidence.low() instanceof Figure.Known;
    boolean hasHigh = evidence.high() instanceof Figure.Known;
    if (!hasLow && !hasHigh) {
      return "";
    }
    String low = evidence.low() instanceof Figure.Known end ? unit.number(end.value()) : "";
    String high = evidence.high() instanceof Figure.Known end ? unit.number(end.value()) : "";
    String ends = "up to " + high + " " + unit.symbol();
    if (hasLow) {
      ends =
          hasHigh
              ? low + " to " + high + " " + unit.symbol()
              : "from " + low + " " + unit.symbol() + " on";
    }
    return " (90 % CI " + ends + ")";
  }

  private static String parts(ObjectiveEvidence evidence) {
    boolean isWhole =
        evidence.low() instanceof Figure.Known && evidence.high() instanceof Figure.Known;
    return isWhole
        ? " (90 % CI " + Numbers.percent(evidence.low()).replace(" %", "") + " to "
            + Numbers.percent(evidence.high()) + ")"
        : "";
  }

  private static String lack(ObjectiveResult result) {
    ObjectiveEvidence evidence = result.evidence();
    if (evidence.reason().isEmpty()) {
      return "";
    }
    String needs =
        evidence.neededRequests() instanceof Figure.Known needed
            ? ": needs about " + Numbers.count(needed.value())
                + (result.objective().judgesSessions() ? " sessions" : " requests")
            : "";
    return "; " + evidence.reason() + needs;
  }
}
