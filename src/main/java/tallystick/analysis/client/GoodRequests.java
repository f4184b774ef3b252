package tallystick.analysis.client;

import java.util.List;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Goodput;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

/** The requests that keep every limit of every objective at once, and their output tokens. */
public final class GoodRequests {
  /** From so many on no single request moves the share of a phase by more than a twentieth. */
  private static final int FEWEST = 20;

  private static final Figure NONE = Figure.missing("no request that an objective judges");

  private final List<Objective> limits;
  private final Kept fromIntended;
  private final Kept fromStart;

  GoodRequests(List<Objective> objectives) {
    this.limits = limits(objectives);
    this.fromIntended = new Kept(ObjectiveReading.ofAll(limits, WaitStart.INTENDED));
    this.fromStart = new Kept(ObjectiveReading.ofAll(limits, WaitStart.ACTUAL));
  }

  /** What a good request keeps: the limits of all objectives that judge requests. */
  private static List<Objective> limits(List<Objective> objectives) {
    return limitsOfSessions(objectives).stream().filter(limit -> !limit.judgesSessions()).toList();
  }

  /** The same, and those of sessions: what a good session and each of its requests keep. */
  static List<Objective> limitsOfSessions(List<Objective> objectives) {
    return objectives.stream()
        .filter(objective -> objective.metric() != Metric.ITL)
        .flatMap(objective -> objective.parts().stream())
        .toList();
  }

  /** Takes a measured request for so many answers. */
  void read(RequestRow row, int choices) {
    fromIntended.read(row, choices);
    fromStart.read(row, choices);
  }

  /** The goodput over a window of this length. */
  public Goodput goodput(double seconds) {
    return new Goodput(limits, fromIntended.over(seconds), fromStart.over(seconds));
  }

  /** The goodput of one phase; a rate that is not constant is 0. */
  PhaseAnalysis.PhaseGoodput ofPhase(double offeredPerSecond) {
    long good = fromIntended.good;
    long judged = fromIntended.judged;
    if (judged < FEWEST) {
      Figure few =
          judged == 0 ? NONE : Figure.missing("n=" + judged + ", need " + FEWEST);
      return new PhaseAnalysis.PhaseGoodput(good, judged, few, few);
    }
    double share = (double) good / judged;
    // Requests over seconds would be wrong of a phase that was stopped early.
    Figure perSecond =
        offeredPerSecond > 0
            ? Figure.of(offeredPerSecond * share)
            : Figure.missing(PhaseAnalysis.NO_RATE);
    return new PhaseAnalysis.PhaseGoodput(good, judged, Figure.of(share), perSecond);
  }

  private static final class Kept {
    private final ObjectiveReading reading;
    private long good;
    private long judged;
    private long tokens;
    private long withoutTokens;

    private Kept(ObjectiveReading reading) {
      this.reading = reading;
    }

    private void read(RequestRow row, int choices) {
      reading.judge(
          row,
          choices,
          (at, isGood) -> {
            judged++;
            if (isGood) {
              addGood(row.outputTokens());
            }
          });
    }

    private void addGood(int outputTokens) {
      good++;
      tokens += Math.max(0, outputTokens);
      withoutTokens += outputTokens < 0 ? 1 : 0;
    }

    private Goodput.Kept over(double seconds) {
      if (judged == 0 || seconds <= 0) {
        return new Goodput.Kept(good, judged, NONE, NONE);
      }
      Figure ofTokens =
          withoutTokens == 0
              ? Figure.of(tokens / seconds)
              : Figure.missing(
                  "the tokens of " + withoutTokens + " of " + good + " good requests are unknown");
      return new Goodput.Kept(good, judged, Figure.of(good / seconds), ofTokens);
    }
  }
}
