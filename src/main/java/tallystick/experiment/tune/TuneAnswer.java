package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tallystick.analysis.result.Strength;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Invocation;
import tallystick.answer.words.Numbers;
import tallystick.experiment.Budget;
import tallystick.experiment.JointObjective;
import tallystick.experiment.RateFormat;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;

/** How a tuning ends; each end says itself. */
sealed interface TuneAnswer {
  /** From so many on, blocks are no way to an answer. */
  int MOST_BLOCKS = 100;

  /** Nobody changes a setting for less. */
  double EQUAL = 0.01;

  /** From so many times on, a digit behind the point says nothing. */
  double TENFOLD = 10;

  /** Its verdict, what to do next, its figures, and what it comes to. */
  Said said(Tried tried, Invocation asked);

  /**
   * What was tried, as sentences name it.
   *
   * @param objective what a cell had to hold
   * @param isClosedLoop whether users wait for answers
   * @param ratePerSecond the scenario's one rate; 0 where it has none
   * @param isAllMeasured whether no cell was left out because a profile called it worse
   * @param isPredictedOnly whether the other cells were only predicted to fail
   * @param blocks that count
   * @param blockSeconds what one more takes
   * @param runSeconds what one more run of the fresh pairs takes
   */
  record Tried(
      DesignSpace grid, JointObjective objective, boolean isClosedLoop, double ratePerSecond,
      boolean isAllMeasured, boolean isPredictedOnly, int blocks, double blockSeconds,
      double runSeconds) {
    private String now() {
      return "today's " + grid.current().words();
    }

    private String pairs(int more) {
      return Counted.of(more, "more pair", "more pairs") + " (about "
          + Budget.minutes(2 * more * runSeconds) + " min)";
    }
  }

  /**
   * What an end says.
   *
   * @param head the word before its first sentence
   * @param strength how sure it is; empty where nothing is said of settings
   * @param word of the file of figures
   * @param lines the verdict and what belongs to it
   * @param next commands and sentences
   */
  record Said(
      AnswerStatus outcome, String head, Optional<Strength> strength, String word,
      List<String> lines, List<String> next) {

    private static Said tooClose(List<String> lines, String next) {
      return new Said(
          AnswerStatus.TOO_CLOSE, "TOO CLOSE", Optional.of(Strength.TOO_CLOSE), "too_close", lines,
          List.of(next));
    }

    private static Said keep(Strength strength, List<String> lines, String next) {
      return new Said(
          AnswerStatus.GOOD, "KEEP", Optional.of(strength), "keep_current", lines, List.of(next));
    }

    private static Said use(
        Strength strength, Configuration cell, Tried tried, List<String> lines) {
      return new Said(
          AnswerStatus.GOOD, "USE", Optional.of(strength), "recommended", lines,
          start(cell, tried));
    }

    private Said then(String... more) {
      List<String> all = new ArrayList<>(next);
      all.addAll(List.of(more));
      return new Said(outcome, head, strength, word, lines, all);
    }

    private static List<String> start(Configuration cell, Tried tried) {
      List<String> next = new ArrayList<>();
      next.add("Start the engine with " + options(cell) + ".");
      if (tried.grid().isAtTheEdge(cell)) {
        next.add("The best setting lies at the edge of what you tried: try going further.");
      }
      return next;
    }

    private static String options(Configuration cell) {
      return cell.settings().entrySet().stream()
          .map(one -> "--" + one.getKey().replace('_', '-') + " " + one.getValue())
          .collect(Collectors.joining(" "));
    }
  }

  /** Fresh pairs of the cell that looked best in the blocks. */
  record Compared(Confirmation confirmation) implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      Configuration cell = confirmation.cell();
      Strength strength = confirmation.strength();
      String pairs = confirmation.pairs() + " fresh pairs";
      String gain = over(confirmation.gain(), tried);
      List<String> lines = new ArrayList<>();
      if (confirmation.isBetter()) {
        lines.add(
            cell.flags() + " (" + strength.words() + "): "
                + (confirmation.baseFails()
                    ? "keeps the objectives, which " + tried.now() + " breaks; "
                    : "")
                + gain + guarded() + "; " + confirmation.agreeing() + " of " + pairs + " agree");
        surer(tried).ifPresent(lines::add);
        return Said.use(strength, cell, tried, lines);
      }
      String looked =
          cell.flags() + " looked best (" + gain + " in " + pairs + "), but "
              + String.join("; ", confirmation.objections());
      if (strength != Strength.TOO_CLOSE) {
        lines.add(nothingBetter(tried, strength));
        lines.add(looked);
        return Said.keep(strength, lines, otherLoad(tried));
      }
      lines.add(looked);
      surer(tried).ifPresent(lines::add);
      int needed = confirmation.pairsNeeded();
      return Said.tooClose(
          lines,
          "Run the same command again with another --seed, "
              + (needed == 0 ? "more --repeats" : "--repeats " + needed)
              + " and a larger --budget.");
    }

    private Optional<String> surer(Tried tried) {
      int more = confirmation.pairsNeeded() - confirmation.pairs();
      return more <= 0
          ? Optional.empty()
          : Optional.of(tried.pairs(more) + " would make it sure");
    }

    /** What it was not allowed to cost, and what it does to it. */
    private String guarded() {
      return confirmation.guarded().stream()
          .map(
              one ->
                  ", " + one.metric().words()
                      + (Math.abs(one.effect().value()) < EQUAL
                          ? " equal"
                          : " " + Numbers.signedPercent(one.effect().value())))
          .collect(Collectors.joining());
    }
  }

  /**
   * A cell whose gain neither drift nor chance explains; there was no time for fresh pairs.
   *
   * @param pairs that would make it sure
   */
  record Plain(Configuration cell, SmallSampleStatistics.Gain gain, int blocks, int pairs)
      implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      return Said.use(
              Strength.LIKELY, cell, tried,
              List.of(
                  cell.flags() + " (likely): " + over(gain, tried) + " in "
                      + Counted.of(blocks, "block", "blocks"),
                  "no fresh pairs yet: " + tried.pairs(pairs) + " would make it sure"))
          .then(
              "To play the fresh pairs:",
              asked.resume() + " --blocks " + Math.max(2, tried.blocks()));
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
      return Said.keep(
          Strength.LIKELY,
          List.of(
              nothingBetter(tried, Strength.LIKELY),
              cell.flags() + " looked best, but its engine died during the fresh pairs: "
                  + why),
          "See why it ended in confirm/runs/…/engine.log; then leave this setting out.");
    }
  }

  /** No other cell gains enough to be worth a change. */
  record KeepCurrent(Strength strength) implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      return Said.keep(
          strength,
          List.of(
              nothingBetter(tried, strength) + ": no other"
                  + (tried.isAllMeasured() ? "" : " that was measured")
                  + " keeps the objectives and serves "
                  + Numbers.percent(TunedMetric.WORTH) + " more good requests"),
          otherLoad(tried));
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
              ? "Try another load or other values: no --margin allows this price."
              : "If that price is fine, run the same command with --margin "
                  + String.join(" --margin ", margins) + ".";
      return Said.keep(
          Strength.LIKELY,
          List.of(
              nothingBetter(tried, Strength.LIKELY),
              cell.flags() + " has goodput " + words(gain) + ", but costs "
                  + String.join(", ", prices)),
          next);
    }
  }

  /** The runs cannot tell yet. */
  record CannotTell(String why, int blocksNeeded) implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      List<String> lines = new ArrayList<>(List.of(why));
      more(blocksNeeded, tried).ifPresent(lines::add);
      return Said.tooClose(lines, again(blocksNeeded, tried, asked));
    }
  }

  /**
   * The cell with the most goodput, where today's breaks the objectives and it may as well: a gain
   * that neither drift nor chance explains.
   *
   * @param goodShare of its requests
   * @param requests that it answered
   */
  record Ahead(
      Configuration cell, SmallSampleStatistics.Gain gain, double goodShare, long requests) {
    private String words(Tried tried) {
      return cell.flags() + " (likely): " + over(gain, tried) + " in "
          + Counted.of(tried.blocks(), "block", "blocks");
    }

    private String good() {
      return Numbers.percent(goodShare) + " of " + Numbers.count(requests)
          + " requests were good";
    }
  }

  /**
   * A cell does far better than today's, and nobody knows yet whether that is enough.
   *
   * @param blocksNeeded to know
   */
  record MayHold(Ahead ahead, int blocksNeeded) implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      List<String> lines =
          new ArrayList<>(
              List.of(
                  ahead.words(tried),
                  "whether it keeps " + tried.objective().words() + " is too close to call: "
                      + ahead.good()));
      more(blocksNeeded, tried).ifPresent(lines::add);
      List<String> next = new ArrayList<>(Said.start(ahead.cell(), tried));
      next.add(again(blocksNeeded, tried, asked));
      return new Said(
          AnswerStatus.TOO_CLOSE, "BETTER", Optional.of(Strength.TOO_CLOSE), "too_close", lines,
          next);
    }
  }

  /**
   * No cell holds the objectives under this load.
   *
   * @param ahead what comes closest, if anything does
   */
  record NoneHolds(Strength strength, Optional<Ahead> ahead) implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      List<String> lines = new ArrayList<>();
      lines.add(
          "no setting keeps " + tried.objective().words() + " under this load ("
              + strength.words() + ")");
      ahead.ifPresent(
          one -> lines.add("closest to it: " + one.words(tried) + "; " + one.good()));
      return new Said(
          AnswerStatus.FAILS, "NONE", Optional.of(strength), "none_holds", lines,
          List.of(
              tried.ratePerSecond() > 0 && !tried.isClosedLoop()
                  ? "First try half of this rate, --set workload.rate="
                      + RateFormat.text(tried.ratePerSecond() / 2) + ", or other values."
                  : "Try a lower " + (tried.isClosedLoop() ? "concurrency" : "rate")
                      + ", or other values."));
    }
  }

  /** Too many runs cannot be used. */
  record Untrusted(String why) implements TuneAnswer {
    @Override
    public Said said(Tried tried, Invocation asked) {
      return new Said(
          AnswerStatus.NOT_TRUSTED, "INVALID", Optional.empty(), "not_trusted",
          List.of("too many runs cannot be used: " + why),
          List.of("What is wrong with a run:", "./tally report " + asked.in("runs/RUN")));
    }
  }

  /** What more blocks would take to tell; empty where the number is not known. */
  private static Optional<String> more(int blocks, Tried tried) {
    if (blocks >= MOST_BLOCKS) {
      return Optional.of("deciding this would take more blocks than it is worth");
    }
    return blocks == 0
        ? Optional.empty()
        : Optional.of(
            "about " + Counted.of(blocks, "more block", "more blocks") + " ("
                + Budget.minutes(blocks * tried.blockSeconds()) + " min) would tell");
  }

  private static String again(int blocks, Tried tried, Invocation asked) {
    if (tried.isPredictedOnly()) {
      return "Give the same command without --predict: it measures every setting.";
    }
    return blocks >= MOST_BLOCKS
        ? "Use longer runs, or a load under which the settings differ more."
        : asked.resume() + " --blocks " + Math.max(2, tried.blocks() + blocks);
  }

  private static String nothingBetter(Tried tried, Strength strength) {
    return "no setting is clearly better than " + tried.now() + " (" + strength.words() + ")";
  }

  private static String otherLoad(Tried tried) {
    return tried.isClosedLoop()
        ? "Try a higher concurrency, where settings differ."
        : "Try a higher rate, where settings differ; tally capacity finds it.";
  }

  /** Percent up to twice as much; beyond that people think in times. */
  private static String over(SmallSampleStatistics.Gain gain, Tried tried) {
    return gain.value() < 1
        ? "goodput " + words(gain) + " over " + tried.now()
        : times(gain.value()) + " times (" + times(gain.low()) + " to " + times(gain.high())
            + ") the goodput of " + tried.now();
  }

  /** A change as a share of what was: {@code +14 %}, or {@code 48 times}. */
  static String change(double share) {
    return share < 1 ? Numbers.signedPercent(share) : times(share) + " times";
  }

  private static String times(double share) {
    return Formatted.of(1 + share < TENFOLD ? "%.1f" : "%,.0f", 1 + share);
  }

  private static String words(SmallSampleStatistics.Gain gain) {
    return Numbers.signedPercent(gain.value()) + " (" + end(gain.low()) + " to " + end(gain.high())
        + ")";
  }

  private static String end(double share) {
    return Numbers.signedPercent(share).replace(" %", "");
  }
}
