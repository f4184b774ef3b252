package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tallystick.analysis.client.RowCheck;
import tallystick.analysis.engine.TimeIdentities;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.Finding.Severity;
import tallystick.analysis.result.RunAnalysis;
import tallystick.plan.LoopShape;
import tallystick.plan.Settings;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.Manifest;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;
import tallystick.scenario.Target;

/** What a reader must know of the record itself: whole, closed, and of sound clocks or not. */
final class RecordFindings {
  /** A wall clock may drift this much against the monotonic one without a step. */
  private static final double CLOCK_STEP_SECONDS = 0.1;

  private static final double CLOCK_DRIFT = 5e-4; // 500 ppm: the most that NTP slews a clock

  private static final double MOST_OUT_OF_ORDER = 0.01; // of more, a P99 is that of a choice

  /** Scrapes in the middle of an answer that gauges at 0 must have missed. */
  private static final long FEWEST_WITNESSED = 10;

  private final RunReading run;
  private final Manifest manifest;
  private final RunAnalysis.Counts counts;
  private final List<Finding> findings = new ArrayList<>();

  RecordFindings(RunReading run, RunAnalysis.Counts counts) {
    this.run = run;
    this.manifest = run.manifest();
    this.counts = counts;
  }

  /**
   * The findings.
   *
   * @param droppedRows rows lost while the record was written
   */
  List<Finding> all(long droppedRows) {
    addUnknowns();
    addChanges();
    addState();
    addMissing();
    addFaults(droppedRows);
    addClock();
    addQuiet();
    addHistograms();
    addGauges();
    return List.copyOf(findings);
  }

  private void addUnknowns() {
    if (!run.rows().unknowns().isEmpty()) {
      note(Code.RECORD_DAMAGED,
          "The record is damaged: it no longer holds everything about the run.",
          run.rows().unknowns(),
          "The figures cover the rows that are left. Copy the record again from where it was"
              + " made.");
    }
    boolean isEndUnknown =
        manifest.isComplete() && run.harness().at(HarnessRow.Mark.Kind.WINDOW_DRAINED).isEmpty();
    if (isEndUnknown && !run.window().isEstimated()) {
      note(Code.MARKS_MISSING,
          "harness.ndjson does not say when the window ended. Its last note is used instead.",
          "Copy the record again if it was whole where it was made.");
    }
    if (run.window().isEstimated()) {
      note(Code.MARKS_MISSING,
          "harness.ndjson does not say when the window began and ended. The first start and the"
              + " last end of a request are used instead.",
          "Copy the record again if it was whole where it was made.");
    }
  }

  private void addState() {
    Manifest.Ending ending = manifest.ending();
    if (manifest.isComplete()) {
      addWithoutRow();
      if (counts.planned() > counts.sent() && run.settings().loop() == LoopShape.OPEN) {
        boolean mayHaveLeft = counts.ended() > counts.ok() && run.rows().hasConversations();
        note(Code.PLAN_NOT_SENT,
            "Only %s of %s planned requests were sent%s.".formatted(
                counts.sent(), counts.planned(),
                mayHaveLeft ? ": a session ends with a request that fails or is left" : ""),
            // What to do about failures comes first.
            mayHaveLeft
                ? ""
                : "Read the figures as those of a smaller load; look at the run's own output for"
                    + " why.");
      }
      addUsedUpPlan();
      return;
    }
    String detail = ending.detail().isEmpty() ? "" : ": " + ending.detail();
    boolean byRule = ending.state() == Manifest.Ending.State.STOPPED;
    findings.add(new Finding(Code.INCOMPLETE_RECORD, byRule ? Severity.WARNING : Severity.INVALID,
        "The run did not reach its planned end ("
            + ending.state().name().toLowerCase(Locale.ROOT) + detail + ").",
        sentAtTheEnd(),
        isShardMissing()
            ? "Merge again with the folder of each shard; where one is lost, run all again."
            : "The figures cover the part that ran. Run again for the whole."));
  }

  private List<String> sentAtTheEnd() {
    String sent = "%s of %s planned requests were sent".formatted(counts.sent(), counts.planned());
    return switch (counts.withoutRow()) {
      case Figure.Known lost ->
          List.of(sent, lost.value() == 0
              ? "each of them has a row"
              : (long) lost.value() + " of them have no row");
      case Figure.Unavailable any ->
          List.of(
              "at least " + sent,
              "how many were in flight at the end is not known (last note: %s)"
                  .formatted(run.harness().lastNoteOfInFlight()),
              "requests without a row are in no figure: the last seconds show too few starts, and"
                  + " too few in flight");
    };
  }

  private boolean isShardMissing() {
    return manifest.host().containsKey("shards")
        && manifest.ending().detail().matches(".*\\bshard \\d+ of \\d+ is missing\\b.*");
  }

  /** Whoever ends is written down, so a complete run has a row for each request that was sent. */
  private void addWithoutRow() {
    long unended = Math.max(0, counts.sent() - counts.ended());
    long holes = leavesSomeUnsent() ? 0 : run.client().check().holes();
    if (unended > 0 || holes > 0) {
      note(Code.REQUESTS_WITHOUT_ROW,
          "A complete run lacks the rows of %s: sent %s, ended %s."
              .formatted(
                  Counted.of(Math.max(unended, holes), "request", "requests"), counts.sent(),
                  counts.ended()),
          "Copy the record again from where it was made.");
    }
  }

  /**
   * Turns of a conversation that was given up are never sent. Where time ends a closed loop, users
   * who would think beyond it leave what they took; and each of several shards leaves the rest of
   * its own part, which lies between those of the others.
   */
  private boolean leavesSomeUnsent() {
    return run.rows().hasConversations()
        || run.settings().loop() == LoopShape.CLOSED
            && (manifest.host().containsKey("shards") || run.settings().timing().thinkNanos() > 0)
            && (endsByTime(true) || endsByTime(false));
  }

  private boolean endsByTime(boolean ofWarmup) {
    return run.settings().windowNanos(ofWarmup) < Settings.Timing.UNBOUNDED_NANOS;
  }

  /** A closed loop takes requests from its plan until the time is over, or until none is left. */
  private void addUsedUpPlan() {
    Settings.Timing timing = run.settings().timing();
    if (run.settings().loop() != LoopShape.CLOSED
        || !timing.isBounded()
        || counts.ended() == 0
        || counts.sent() < counts.planned()) {
      return;
    }
    long origin = run.window().originNanos();
    double usedUp = (run.client().counts().lastIntendedNanos() - origin) / 1e9;
    double duration = timing.durationNanos() / 1e9;
    if (usedUp < duration) {
      note(Code.PLAN_USED_UP,
          Formatted.of(
              "All %d planned requests had been started after %.1f of %.1f s. After that, users"
                  + " had nothing left to send.",
              counts.planned(), usedUp, duration),
          "Plan more requests or a shorter duration, or read only the figures of the time before.");
    }
  }

  /** Rows the closed record says were written and that are not there any more. */
  private void addMissing() {
    Manifest.Ending ending = manifest.ending();
    addMissing("requests.ndjson", ending.requestRows(), run.client().check().rows());
    addMissing("scrapes.ndjson", ending.scrapeRows(), run.scrapes().rows());
    addMissing("plan.json", run.rows().plan().planned(), run.rows().plan().rows());
    addMissing("harness.ndjson", ending.harnessRows(), run.harness().rows());
  }

  private void addMissing(String file, long written, long read) {
    if (read < written) {
      note(Code.ROWS_MISSING,
          "%s holds %s of the %s rows that were written.".formatted(file, read, written),
          "Copy the record again from where it was made.");
    }
  }

  private void addChanges() {
    List<String> changes = run.rows().changes();
    if (!changes.isEmpty()) {
      note(Code.RECORD_CHANGED,
          "The record is not what was written: " + changes.getFirst() + ".",
          changes.subList(1, changes.size()),
          "Copy the record again from where it was made; ./tally verify says more of it.");
    }
  }

  private void addFaults(long droppedRows) {
    List<String> recordFaults = run.rows().faults();
    if (!recordFaults.isEmpty()) {
      note(Code.RECORD_FAULTS,
          "Some lines of the record could not be used and were left out.", recordFaults,
          "Copy the record again if nobody was meant to change it.");
    }
    if (droppedRows > 0) {
      addDropped(droppedRows);
    }
    RowCheck check = run.client().check();
    if (check.repeated() > 0) {
      note(Code.REPEATED_ROWS,
          Counted.of(check.repeated(), "request row repeats", "request rows repeat")
              + " a request; only its first row counts.",
          "Copy the record again if nobody was meant to change it.");
    }
    addOutOfOrder(check.outOfOrder());
    if (check.outOfPlace() > 0) {
      note(Code.ROWS_OUT_OF_PLACE,
          Counted.of(
                  check.outOfPlace(),
                  "measured request is not that", "measured requests are not those")
              + " of the plan: of another phase, class or user,"
              + " with another start or max_tokens, or outside the window.",
          "Copy the record again: its files are of two runs, or rows were changed.");
    }
    if (check.contradicting() > 0) {
      note(Code.ROWS_CONTRADICT,
          Counted.of(check.contradicting(), "request has", "requests have")
              + " chunks whose tokens do not add up to what the server counted, or a whole answer"
              + " although the client left.",
          "Check whether the record was changed: the client notes it where a server does so.");
    }
  }

  /** A few say nothing of the others; where they are many, latencies are those of a choice. */
  private void addOutOfOrder(long requests) {
    if (requests > 0) {
      boolean areMany = requests > MOST_OUT_OF_ORDER * counts.ended();
      Severity grave = areMany ? Severity.INVALID : Severity.WARNING;
      findings.add(new Finding(Code.TIMES_OUT_OF_ORDER, grave,
          Counted.of(requests, "request has", "requests have")
              + " steps out of order in time: counted, but used by no latency.",
          List.of(),
          "Check whether the record was changed: the client's clock does not run backwards."));
    }
  }

  private void addDropped(long rows) {
    boolean brokeOff = manifest.ending().detail().startsWith(Manifest.Ending.UNWRITTEN);
    note(Code.DROPPED_ROWS,
        Counted.of(rows, "row was", "rows were") + " lost because "
            + (brokeOff
                ? "the record could not be written any more."
                : "a queue to the record was full."),
        brokeOff
            ? "Make room on the disk, or record to another with --out."
            : "Write the record to a faster disk or lower the rate.");
  }

  /** What is missing explains why a scrape is not where it was; a store's times are its own. */
  private void addQuiet() {
    boolean isTold =
        findings.stream()
            .anyMatch(
                finding ->
                    finding.code() == Code.ROWS_MISSING || finding.code() == Code.DROPPED_ROWS);
    if (isTold || manifest.targets().stream().anyMatch(Target::isReadFromStore)) {
      return;
    }
    List<String> missing = run.scrapes().quiet().missing();
    if (!missing.isEmpty()) {
      note(Code.ROWS_OUT_OF_PLACE,
          "scrapes.ndjson has no scrape where harness.ndjson says that the engine was idle.",
          missing,
          "Copy the record again: its files are of two runs, or times were changed.");
    }
  }

  private void addHistograms() {
    List<String> lines = new ArrayList<>();
    boolean endsQuiet = manifest.ending().state() == Manifest.Ending.State.COMPLETED;
    run.reading()
        .targets()
        .forEach(
            (index, target) ->
                target.impossibleHistograms(endsQuiet).forEach(
                    line -> lines.add("target " + index + ", " + line)));
    lines.addAll(
        new TimeIdentities(run.totals(), run.client().tally(), run.client().latencies()).faults());
    if (!lines.isEmpty()) {
      note(Code.IMPOSSIBLE_HISTOGRAM,
          "Figures of the engine contradict each other: no set of requests gives these"
              + " buckets, counts and sums. Nothing is compared with them.",
          lines,
          "Check that one process answers /metrics and that nobody edited the record.");
    }
  }

  private void addGauges() {
    long witnessed = run.witness().count();
    List<String> still = run.reading().gauges().stillAtZero();
    if (witnessed >= FEWEST_WITNESSED && !still.isEmpty()) {
      note(Code.GAUGES_AT_ZERO,
          "The engine shows 0 requests running and waiting in every scrape, although answers"
              + " were streaming during %s of them.".formatted(witnessed),
          still, "Do not use these gauges. Check what answers /metrics.");
      return;
    }
    new RunningCheck(run)
        .fault()
        .ifPresent(
            line ->
                note(Code.GAUGE_CONTRADICTS,
                    "The engine's gauge of running requests does not fit the running times"
                        + " that it reports for its requests.",
                    List.of(line),
                    "Do not use this gauge. Check that one process answers /metrics."));
  }

  private void addClock() {
    Manifest.Clock clock = manifest.clock();
    if (clock.closedNanos() <= 0) {
      return;
    }
    double wall = (clock.closedUtcNanos() - clock.originUtcNanos()) / 1e9;
    double monotonic = clock.closedNanos() / 1e9;
    double allowed = CLOCK_STEP_SECONDS + CLOCK_DRIFT * monotonic;
    if (Math.abs(wall - monotonic) > allowed) {
      note(Code.CLOCK_STEPPED,
          Formatted.of(
              "The wall clock moved by %.3f s against the monotonic one during the run.",
              wall - monotonic),
          "Latencies are not affected. Times of day in this report may be wrong by as much.");
    }
  }

  private void note(Code code, String text, String... remedy) {
    note(code, text, List.of(), remedy);
  }

  private void note(Code code, String text, List<String> evidence, String... remedy) {
    findings.add(new Finding(code, text, evidence, String.join("", remedy)));
  }
}
