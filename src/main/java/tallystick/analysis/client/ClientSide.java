package tallystick.analysis.client;

import java.util.List;
import java.util.Optional;
import tallystick.analysis.statistics.TimeBatches;
import tallystick.analysis.statistics.TimeUnits;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.runrecord.PlanTable;
import tallystick.runrecord.RequestRow;

/**
 * What one pass over the requests gathers, by purpose; nothing can be asked before it has ended.
 *
 * @param isClosed whether users ask again when they were answered
 * @param lane where a second core reads what {@link #readBeside} names
 */
public record ClientSide(
    LatencySamples latencies,
    RequestCounts counts,
    ClientTally tally,
    ClientTimeline timeline,
    ObjectiveJudges objectives,
    GoodRequests goodRequests,
    SessionSamples sessions,
    ClientBatches batches,
    ClientIntervals intervals,
    StallCandidates stalls,
    StreamShape shape,
    ThinkTimeOverhead turnarounds,
    DispatchLateness sendDelays,
    RowCheck check,
    PromptLengths promptLengths,
    AnswerLengths answerLengths,
    TargetAnswers answers,
    List<PhaseSamples> phases,
    boolean isClosed,
    BackgroundReader lane) {

  /** Nothing read so far. */
  public static ClientSide of(Settings settings, ClientFrame frame) {
    MeasuredWindow window = frame.window();
    long lastNanos = frame.lastNanos();
    TimeUnits units = TimeUnits.between(window.originNanos(), lastNanos);
    double expectedSeconds = Math.max(1, window.secondsAfterOrigin(lastNanos));
    List<Phase> measured = settings.phases().stream().filter(phase -> !phase.warmup()).toList();
    LatencySamples latencies =
        new LatencySamples(frame.ttftEdges(), frame.e2eEdges(), frame.itlEdges(), units);
    Optional<LatencySamples> ofOnly =
        frame.sharesPhase() && measured.size() == 1 ? Optional.of(latencies) : Optional.empty();
    return new ClientSide(
        latencies,
        new RequestCounts(window, frame.sentUntilNanos()),
        new ClientTally(),
        new ClientTimeline(window, expectedSeconds),
        ObjectiveJudges.beside(
            settings.objectives(), frame.plan(), units, frame.clock(),
            latencies.timedChunkGaps()),
        new GoodRequests(settings.objectives()),
        new SessionSamples(frame.plan(), window, settings.objectives(), units),
        new ClientBatches(window, frame.batches()),
        new ClientIntervals(window, frame.scrapeSeconds()),
        new StallCandidates(),
        new StreamShape(frame.still()),
        new ThinkTimeOverhead(window.originNanos(), units, frame.clock()),
        new DispatchLateness(frame.clock()),
        new RowCheck(window, settings, frame.plan()),
        new PromptLengths(),
        new AnswerLengths(),
        new TargetAnswers(),
        measured.stream()
            .map(phase -> new PhaseSamples(phase, frame, settings, ofOnly))
            .toList(),
        settings.loop() == LoopShape.CLOSED,
        new BackgroundReader());
  }

  /**
   * Takes a measured request that asks for so many answers. One whose steps run backwards in time
   * counts, but says nothing of any duration.
   */
  public void read(RequestRow row, int choices) {
    counts.read(row);
    check.look(row);
    tally.read(row, choices);
    promptLengths.read(row);
    answerLengths.read(row, choices);
    answers.read(row);
    boolean isInOrder = check.isInOrder(row);
    RequestRow due = due(row);
    sessions.read(due, choices, isInOrder);
    if (isInOrder) {
      lane.add(() -> readBeside(row, due, choices));
      latencies.readLateness(row);
      latencies.read(due, choices);
    }
    objectives.read(due, choices, isInOrder);
    for (PhaseSamples phase : phases) {
      phase.read(due, choices, isInOrder);
    }
  }

  /** Ends the reading. */
  public void end() {
    lane.end();
    objectives.end();
    phases.forEach(PhaseSamples::end);
  }

  /** Whether the only phase shares the run's samples and not every request is of it. */
  public boolean isPhaseMistaken() {
    return phases.stream().anyMatch(PhaseSamples::isMistaken);
  }

  /**
   * A user of a closed loop asks when the client asks for it: what the client took after the answer
   * before is no wait of this one. It is the turnaround, and lowers the load.
   */
  private RequestRow due(RequestRow row) {
    return isClosed && row.times().started() >= 0 ? row.dueWhenStarted() : row;
  }

  private void readBeside(RequestRow row, RequestRow due, int choices) {
    timeline.read(due);
    goodRequests.read(due, choices);
    batches.read(due);
    intervals.read(due);
    shape.read(row, choices);
    turnarounds.read(row);
    sendDelays.read(due);
    if (choices == 1) {
      stalls.read(row);
    }
  }
}
