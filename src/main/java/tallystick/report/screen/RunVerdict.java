package tallystick.report.screen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Strength;
import tallystick.answer.Block;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.report.section.ObjectiveSection;
import tallystick.scenario.LengthOfTime;
import tallystick.scenario.Objective;

/** What a trusted run says of its objectives: what it showed, how sure, why no surer, the price. */
record RunVerdict(RunAnalysis analysis) {

  static final String UNASKED = "no verdict: the scenario sets no objective";

  /** The sentences; the first has the verdict's word. */
  List<Block.Item> lines() {
    List<ObjectiveResult> results = analysis.objectives();
    if (results.isEmpty()) {
      return List.of(Block.Item.of(Tone.PLAIN, "DONE", UNASKED));
    }
    Judgement judged = ObjectiveResult.together(results);
    return judged.isMissed() ? missed(judged) : judged.isTooClose() ? tooClose() : met(judged);
  }

  private List<Block.Item> met(Judgement judged) {
    int count = analysis.objectives().size();
    String all =
        switch (count) {
          case 1 -> "the objective";
          case 2 -> "both objectives";
          default -> "all " + count + " objectives";
        };
    List<Block.Item> lines = new ArrayList<>();
    lines.add(Block.Item.of(Tone.GOOD, "MET", all + " (" + judged.strength().words() + ")"));
    weakest(Strength.LIKELY).forEach(one -> lines.add(Block.Item.of(Tone.PLAIN, "", unsure(one))));
    return lines;
  }

  private List<Block.Item> missed(Judgement judged) {
    List<ObjectiveResult> missed =
        analysis.objectives().stream().filter(one -> one.judgement().isMissed()).toList();
    ObjectiveResult first =
        missed.stream().min(Comparator.comparing(ObjectiveResult::strength)).orElseThrow();
    int count = analysis.objectives().size();
    List<Block.Item> lines = new ArrayList<>();
    String which = count == 1 ? "the objective " : missed.size() + " of " + count + " objectives ";
    String how = "(" + judged.strength().words() + "): " + shown(first) + failedAlone(missed);
    lines.add(Block.Item.of(Tone.BAD, "MISSED", which + how));
    if (judged.strength() == Strength.LIKELY) {
      lines.add(Block.Item.of(Tone.PLAIN, "", because(first)));
    }
    return lines;
  }

  private List<Block.Item> tooClose() {
    List<Block.Item> lines = new ArrayList<>();
    List<ObjectiveResult> open =
        analysis.objectives().stream().filter(one -> one.judgement().isTooClose()).toList();
    ObjectiveResult first = open.getFirst();
    boolean isTold = first.judged() > 0;
    lines.add(Block.Item.of(Tone.CAUTION, "TOO CLOSE", isTold ? shown(first) : untold(first)));
    if (isTold) {
      lines.add(Block.Item.of(Tone.PLAIN, "", because(first)));
    }
    int others = analysis.objectives().size() - open.size();
    if (open.size() > 1) {
      String met = others == 0 ? "" : "; the other " + others + " met";
      String more = (open.size() - 1) + " more too close to call" + met;
      lines.add(Block.Item.of(Tone.PLAIN, "", more));
    } else if (others > 0) {
      String met = others == 1 ? "the other is met" : "the other " + others + " are met";
      lines.add(Block.Item.of(Tone.PLAIN, "", met));
    }
    return lines;
  }

  private List<ObjectiveResult> weakest(Strength strength) {
    return analysis.objectives().stream()
        .filter(one -> one.strength() == strength)
        .limit(1)
        .toList();
  }

  private String unsure(ObjectiveResult result) {
    return name(result) + " is likely, not sure: " + because(result);
  }

  private static String name(ObjectiveResult result) {
    Objective objective = result.objective();
    return Wording.metrics(objective)
        + (objective.requestClass().isEmpty() ? "" : " of " + objective.requestClass());
  }

  private static String untold(ObjectiveResult result) {
    return name(result) + ": "
        + (result.objective().judgesSessions() ? result.evidence().reason() : "no answer tells it");
  }

  /** {@code TTFT: 94.6 % within 500 ms, 95 % wanted; P95 512 ms (90 % CI 455 to 590 ms)}. */
  private static String shown(ObjectiveResult result) {
    return name(result) + ": " + Numbers.percent(result.share()) + " within "
        + Wording.threshold(result.objective()) + ", "
        + Numbers.percent(result.objective().share()) + " wanted"
        + ObjectiveSection.percentile(result);
  }

  /** Why it is no surer, and what would make it so. */
  private String because(ObjectiveResult result) {
    if (analysis.findings().stream().anyMatch(one -> one.code() == Finding.Code.SPEED_MOVED)) {
      return "the engine's speed moved within the run: a longer one would mix both as well";
    }
    String price = price(result);
    return result.evidence().reason() + (price.isEmpty() ? "" : "; " + price);
  }

  private String price(ObjectiveResult result) {
    return switch (result.evidence().neededRequests()) {
      case Figure.Unavailable none -> none.reason();
      case Figure.Known needed -> {
        double seconds = Advice.secondsFor(analysis, result, needed.value());
        yield LengthOfTime.words(Math.max(1, seconds - analysis.run().windowSeconds()))
            + " more would " + (result.judgement().isTooClose() ? "settle it" : "make it sure");
      }
    };
  }

  /** A broken promise on time may be no question of time. */
  private String failedAlone(List<ObjectiveResult> missed) {
    RunAnalysis.Counts counts = analysis.counts();
    long left = counts.byOutcome().getOrDefault("client_cancelled", 0L);
    long failed = counts.ended() - counts.ok() - left;
    boolean isFailures =
        failed > 0
            // Who was given up on was too slow.
            && !counts.byOutcome().containsKey("timed_out")
            && missed.stream()
                .allMatch(one -> isOfEachRequest(one) && one.judged() - one.good() == failed);
    return isFailures ? "; the " + failed + " that broke it failed, none was too slow" : "";
  }

  private static boolean isOfEachRequest(ObjectiveResult result) {
    return result.objective().things().equals("requests")
        && result.objective().parts().stream().allMatch(part -> part.requestClass().isEmpty());
  }
}
