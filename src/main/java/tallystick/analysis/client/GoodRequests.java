package tallystick.analysis.client;

import java.util.List;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Goodput;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

/** The requests that keep every limit of every objective at once, and their output tokens. */
public final class GoodRequests {
  private final List<Objective> limits;
  private final Kept fromIntended;
  private final Kept fromStart;

  GoodRequests(List<Objective> objectives) {
    this.limits =
        objectives.stream()
            .filter(objective -> objective.metric() != Metric.ITL)
            .flatMap(objective -> objective.parts().stream())
            .toList();
    this.fromIntended = new Kept(ObjectiveReading.ofAll(limits, true));
    this.fromStart = new Kept(ObjectiveReading.ofAll(limits, false));
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
              addGood(TokenCount.of(row));
            }
          });
    }

    private void addGood(int outputTokens) {
      good++;
      tokens += Math.max(0, outputTokens);
      withoutTokens += outputTokens < 0 ? 1 : 0;
    }

    private Goodput.Kept over(double seconds) {
      Figure none = Figure.missing("no request that an objective judges");
      if (judged == 0 || seconds <= 0) {
        return new Goodput.Kept(good, judged, none, none);
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
