package tallystick.experiment.tune;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tallystick.answer.Invocation;
import tallystick.answer.Outcome;
import tallystick.answer.words.Numbers;
import tallystick.experiment.JointObjective;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.scenario.Counted;

/** How a tuning ends; each end says itself. */
sealed interface TuneAnswer {

  /** Its verdict, what to do next, its figures, and what it comes to. */
  Said said(Tried tried, Invocation asked);

  /**
   * What was tried, as sentences name it.
   *
   * @param objective what a cell had to hold
   * @param isClosedLoop whether users wait for answers
   * @param isAllMeasured whether no cell was left out because a profile called it worse
   * @param isPredictedOnly whether the other cells were only predicted to fail
   * @param blocks that count
   */
  record Tried(
      DesignSpace grid, JointObjective objective, boolean isClosedLoop, boolean isAllMeasured,
      boolean isPredictedOnly, int blocks) {
    /** The settings of today. */
    private String now() {
      return grid.current().words();
    }
  }

  /**
   * What an end says.
   *
   * @param word of the file of figures
   * @param next commands and sentences
   * @param grounds its part of {@code tune.json}
   */
  record Said(
      Outcome outcome, String word, String verdict, List<String> next, Grounds grounds) {}

  /** Figures that one way to end rests on and others do not. */
  sealed interface Grounds {

    /** None but those of all cells. */
    @JsonInclude
    record Cells() implements Grounds {}

    /**
     * Fresh pairs.
     *
     * @param confirmation what they say
     */
    record Pairs(Confirmation confirmation) implements Grounds {}

    /**
     * A gain beside what it costs.
     *
     * @param tradeOff both
     */
    record Price(TradeOff tradeOff) implements Grounds {}

    /**
     * Too few runs.
     *
     * @param cannotTell what they do not tell
     */
    record Open(CannotTell cannotTell) implements Grounds {}

    /**
     * An engine that died.
     *
     * @param cell whose engine died in the fresh pairs
     * @param reason its last words
     */
    record Death(Configuration cell, String reason) implements Grounds {}

    /**
     * Runs that cannot be used.
     *
     * @param reason why
     */
    record Doubt(String reason) implements Grounds {}
  }

  /** Fresh pairs confirm that a cell gains. */
  record Recommended(Confirmation confirmation) implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      Configuration cell = confirmation.cell();
      List<String> next = new ArrayList<>();
      next.add("Start the engine with " + flags(cell) + ".");
      if (tried.grid().isAtTheEdge(cell)) {
        next.add("The best lies at the edge of the grid: try values beyond it.");
      }
      String verdict =
          cell.words() + ": goodput " + words(confirmation.gain()) + " over " + tried.now()
              + (confirmation.baseFails() ? ", which breaks the objectives," : ",")
              + " confirmed by " + confirmation.pairs() + " fresh pairs" + guarded();
      return new Said(
          Outcome.GOOD, "recommended", verdict, next, new Grounds.Pairs(confirmation));
    }

    private static String flags(Configuration cell) {
      List<String> words = new ArrayList<>();
      for (Map.Entry<String, String> one : cell.settings().entrySet()) {
        words.add("--" + one.getKey().replace('_', '-') + " " + one.getValue());
      }
      return String.join(" ", words);
    }

    /** What it was not allowed to cost, and whether it is proven that it does not. */
    private String guarded() {
      List<String> words = new ArrayList<>();
      for (Judged one : confirmation.guarded()) {
        String costs =
            Confirmation.isLikelyWorse(one)
                ? " " + Numbers.signedPercent(one.effect().value())
                : " cannot tell";
        words.add(
            one.metric().words() + (one.verdict() == Verdict.PASSED ? " not worse" : costs));
      }
      return words.isEmpty() ? "" : "; " + String.join(", ", words);
    }
  }

  /** The cell that looked best is not confirmed. */
  record NotConfirmed(Confirmation confirmation) implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      int needed = confirmation.pairsNeeded();
      String verdict =
          "not proven: " + confirmation.cell().words() + " looked best, but "
              + String.join("; ", confirmation.objections()) + " (goodput "
              + words(confirmation.gain()) + " over " + tried.now() + " in " + confirmation.pairs()
              + " fresh pairs)"
              + (needed == 0 ? "" : "; about " + needed + " pairs in all are needed");
      String next =
          "Give the same command with another --seed, "
              + (needed == 0 ? "more --repeats" : "--repeats " + needed)
              + " and the budget that takes.";
      return new Said(
          Outcome.TOO_CLOSE, "not_proven", verdict, List.of(next),
          new Grounds.Pairs(confirmation));
    }
  }

  /**
   * The engine of the cell that looked best did not live through the fresh pairs.
   *
   * @param why its last words
   */
  record Died(Configuration cell, String why) implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      return new Said(
          Outcome.TOO_CLOSE, "not_proven",
          "not recommended: " + cell.words()
              + " looked best, but its engine did not live through the fresh pairs: " + why,
          List.of("Read why it ended, in confirm/runs/…/engine.log; then try a grid without it."),
          new Grounds.Death(cell, why));
    }
  }

  /** No other cell can gain enough to be worth a change. */
  record KeepCurrent() implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      String next =
          tried.isClosedLoop()
              ? "Try a higher concurrency, where settings differ."
              : "Try a higher rate, where settings differ; tally capacity finds it.";
      return new Said(
          Outcome.GOOD, "keep_current",
          "keep " + tried.now() + ": no " + (tried.isAllMeasured() ? "" : "measured ")
              + "cell that holds the objectives gains "
              + JointObjective.percent(TunedMetric.WORTH) + " goodput under this load",
          List.of(next), new Grounds.Cells());
    }
  }

  /**
   * A gain costs something else by more than is allowed: a choice for people.
   *
   * @param margins what accepts the price; empty where nothing does
   */
  record TradeOff(
      Configuration cell,
      SmallSampleStatistics.Gain gain,
      List<String> prices,
      List<String> margins)
      implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      String next =
          margins.isEmpty()
              ? "Try another load or other values: no --margin accepts that price."
              : "If that price is fine, give the same command with --margin "
                  + String.join(" --margin ", margins) + ".";
      return new Said(
          Outcome.TOO_CLOSE, "not_proven",
          "no winner: " + cell.words() + " has goodput " + words(gain) + " over " + tried.now()
              + ", but costs " + String.join(", ", prices),
          List.of(next), new Grounds.Price(this));
    }
  }

  /** The runs cannot tell yet. */
  record CannotTell(String why, int blocksNeeded) implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      boolean isTooMany = blocksNeeded >= LeaderSelection.MOST_BLOCKS;
      String needed =
          isTooMany
              ? "more blocks than are worth it are needed"
              : "about "
                  + Counted.of(blocksNeeded, "more block is needed", "more blocks are needed");
      String more =
          isTooMany
              ? "Play longer runs, or a load under which the settings differ more."
              : asked.resume() + " --blocks "
                  + Math.max(2, tried.blocks() + blocksNeeded);
      String next =
          tried.isPredictedOnly()
              ? "Give the same command without --predict: it measures every cell."
              : more;
      return new Said(
          Outcome.TOO_CLOSE, "not_proven",
          "not proven: " + why + (blocksNeeded == 0 ? "" : "; " + needed), List.of(next),
          new Grounds.Open(this));
    }
  }

  /** No cell holds the objectives under this load. */
  record NoneHolds() implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      return new Said(
          Outcome.FAILS, "none_holds",
          "no cell holds " + tried.objective().words() + " under this load",
          List.of(
              "Try a lower " + (tried.isClosedLoop() ? "concurrency" : "rate")
                  + ", or other values."),
          new Grounds.Cells());
    }
  }

  /** Too many runs cannot be used. */
  record Untrusted(String why) implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      return new Said(
          Outcome.NOT_TRUSTED, "not_trusted", "too many runs cannot be used: " + why,
          List.of("What spoiled a run is told by:", "./tally report " + asked.in("runs/RUN")),
          new Grounds.Doubt(why));
    }
  }

  private static String words(SmallSampleStatistics.Gain gain) {
    return Numbers.signedPercent(gain.value()) + " (95 % CI " + Numbers.signedPercent(gain.low())
        + " to " + Numbers.signedPercent(gain.high()) + ")";
  }
}
