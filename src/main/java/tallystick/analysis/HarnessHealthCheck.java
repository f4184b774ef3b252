package tallystick.analysis;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import tallystick.analysis.client.ClientPauses;
import tallystick.analysis.client.ClientSide;
import tallystick.analysis.client.DispatchLateness;
import tallystick.analysis.client.HarnessAccount;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.ObjectiveJudges;
import tallystick.analysis.client.OwnDelay;
import tallystick.analysis.client.PhaseSamples;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.statistics.SampleSet;
import tallystick.analysis.statistics.TimedSamples;
import tallystick.plan.LoopShape;
import tallystick.plan.Settings;
import tallystick.scenario.Counted;
import tallystick.scenario.Objective;

/** Whether the harness's own delays spoil what it measured. */
final class HarnessHealthCheck {
  /** Clients that kept up beside a busy loop on their core had a P95 turnaround of 3.9 ms. */
  private static final double LATENESS_FLOOR_SECONDS = 0.005;

  private static final double SHARE_OF_OBJECTIVE = 0.1; // less turns only what lies near the limit

  /** So late on average, a client that falls behind sent a fiftieth of a phase when it was over. */
  private static final double LEAST_LATE = 0.01;

  /** A tenth of the load less than was asked for is another load. */
  private static final double LEAST_LOST = 0.1;

  private final Settings settings;
  private final HarnessAccount harness;
  private final MeasuredWindow window;
  private final TimedSamples lateness;
  private final Distribution turnaround;
  private final DispatchLateness sendDelays;
  private final SampleSet readLags;
  private final long withoutDescriptor;
  private final boolean isOpen;
  private final ClientSide client;
  private final List<String> evidence = new ArrayList<>();
  private final List<String> delays = new ArrayList<>();
  private OwnDelay delay = OwnDelay.NONE;
  /** Delays that are told only where a verdict may turn with them. */
  private final List<String> quiet = new ArrayList<>();
  private final Set<String> spoiled = new LinkedHashSet<>();
  private final SampleSet turnarounds;
  private final SampleSet cycles;

  HarnessHealthCheck(
      Settings settings, HarnessAccount harness, MeasuredWindow window, ClientSide client) {
    this.settings = settings;
    this.harness = harness;
    this.window = window;
    this.client = client;
    this.isOpen = settings.loop() == LoopShape.OPEN;
    this.lateness = client.latencies().lateness();
    this.turnarounds = isOpen ? new SampleSet() : client.turnarounds().samples().samples();
    this.cycles = client.turnarounds().cycles();
    this.turnaround =
        isOpen ? turnarounds.distribution() : client.turnarounds().samples().distribution();
    this.sendDelays = client.sendDelays();
    this.readLags = client.shape().readLags();
    this.withoutDescriptor = client.counts().withoutDescriptor();
  }

  /**
   * The health; saturated if P95 read lag or P95 wake-up delay exceeds max(5 ms, 10 % of the
   * smallest objective), P99 of the time to the written request or of an open loop's lateness the
   * same of the smallest objective on a wait; if the process stood still for more than 1 % of the
   * window; if a tenth of the load was not asked for in its time, a request got no socket, or an
   * objective's verdict depends on the client's own delay. Only the last three spoil a run that has
   * objectives. See docs/decisions/analysis-saturated-client.md.
   *
   * @param limit is told each delay
   */
  RunAnalysis.HarnessHealth judge(long droppedRows, ClientLimitCheck limit) {
    judgeDescriptors();
    judgeReadLag();
    judgeStalls();
    judgeWakeUps();
    if (!isOpen) {
      judgeTurnaround();
    }
    if (!isCapped()) {
      judgeSending();
      judgeLoad();
    }
    if (settings.objectives().isEmpty()) {
      // Nobody says what would be too much.
      evidence.addAll(delays);
      delays.clear();
    }
    judgeVerdicts("", client.objectives());
    if (client.phases().size() > 1) {
      client.phases().forEach(one -> judgeVerdicts(" of " + one.phase().name(), one.objectives()));
    }
    noteDelays(limit);
    return new RunAnalysis.HarnessHealth(
        lateness.distribution(),
        turnaround,
        harness.wakeUps().distribution(),
        isSaturated(),
        harness.stalls().distribution(),
        harness.gcPauses(),
        harness.gcSeconds(),
        droppedRows,
        harness.processCores(),
        limit.limit(isSaturated(), stillShare()));
  }

  private boolean isSaturated() {
    return !evidence.isEmpty() || !delays.isEmpty();
  }

  /** What is told of a client that could not keep up. */
  Optional<Finding> finding(String remedy) {
    if (!isSaturated()) {
      return Optional.empty();
    }
    List<String> told = new ArrayList<>(evidence);
    told.addAll(delays);
    boolean isVerdictSafe = evidence.isEmpty();
    told.add(
        (isVerdictSafe ? "No verdict depends on it. Not exact: " : "Not usable: ")
            + String.join("; ", spoiled));
    return Optional.of(
        new Finding(
            Finding.Code.CLIENT_SATURATED,
            isVerdictSafe ? Finding.Severity.WARNING : Finding.Severity.INVALID,
            isVerdictSafe
                ? "The load generator was late at times: its delays are inside the latencies."
                : "The load generator could not keep up: its delays are inside the latencies.",
            told,
            remedy));
  }

  /** Whether stamps were so late that gaps between chunks may be of the client's making. */
  boolean areStampsLate() {
    return delay.isOfStamps();
  }

  /** The largest delay of a stamp that does not spoil the figures. */
  double allowedSeconds() {
    return allowed(limits().mapToDouble(Objective::thresholdSeconds));
  }

  /** The largest lateness that latencies may hold without a word: it is in waits alone. */
  private double allowedWaitSeconds() {
    boolean hasWait = limits().anyMatch(one -> one.metric().isFromStart());
    return allowed(
        limits()
            .filter(limit -> !hasWait || limit.metric().isFromStart())
            .mapToDouble(Objective::thresholdSeconds));
  }

  /** Limits on one request: a session's is of many, and allows none of them a tenth of it. */
  private Stream<Objective> limits() {
    return settings.objectives().stream()
        .flatMap(objective -> objective.parts().stream())
        .filter(limit -> limit.metric().isTime() && !limit.judgesSessions());
  }

  private static double allowed(DoubleStream limits) {
    return Math.max(LATENESS_FLOOR_SECONDS, SHARE_OF_OBJECTIVE * limits.min().orElse(0));
  }

  /** Under a cap on requests in flight a late start is the cap's doing, not the harness's. */
  private boolean isCapped() {
    return isOpen && settings.concurrency() > 0;
  }

  private void noteDelays(ClientLimitCheck limit) {
    double allowed = allowedSeconds();
    double waiting = allowedWaitSeconds();
    limit.note("wake-up delay", harness.wakeUps(), 0.95, allowed);
    limit.note("read lag", readLags, 0.95, allowed);
    if (!isOpen) {
      limit.note("turnaround", turnarounds, 0.95, waiting);
      limit.note("time to the written request", sendDelays.samples(), 0.99, waiting);
    } else if (!isCapped()) {
      limit.note("lateness", lateness.samples(), 0.99, waiting);
      limit.note("time to the written request", sendDelays.samples(), 0.99, waiting);
    }
  }

  /**
   * What comes before the written request is not the server's. An objective says by its own verdict
   * whether that matters; without one nobody knows what would be too much.
   */
  private void judgeSending() {
    // No existence rule here: with few requests the largest lateness is the prudent judge.
    double late = isOpen ? lateness.plainQuantileSeconds(0.99) : 0;
    double sending = sendDelays.p99Seconds();
    double worst = Math.max(late, sending);
    if (!(worst > allowedSeconds())) {
      return;
    }
    double allowed = worst > allowedWaitSeconds() ? allowedWaitSeconds() : allowedSeconds();
    String told =
        String.format(
            Locale.ROOT,
            "P99 from the %s is %.1f ms, allowed are %.1f ms",
            late > allowed
                ? "intended to the actual start"
                : (isOpen ? "intended start" : "start")
                    + " to the request written, without connecting,",
            (late > allowed ? late : sending) * 1e3, allowed * 1e3);
    // What starts late starts together, and lengthens gaps too.
    delay = delay.withStarts(sendDelays.unexplainedSeconds());
    if (!(worst > allowedWaitSeconds())) {
      quiet.add(told);
      return;
    }
    spoiled.add("TTFT and E2E");
    delays.add(told);
  }

  /** A phase whose requests came late was another load, however long the others were. */
  private void judgeLoad() {
    client.phases().stream()
        .filter(phase -> isOpen && isLate(phase))
        .findFirst()
        .ifPresent(
            phase -> {
              spoiled.add("the load: part of it was sent when its time was over");
              evidence.add(
                  String.format(
                      Locale.ROOT, "Requests of phase %s began %.0f ms late on average",
                      phase.phase().name(), phase.meanLatenessSeconds() * 1e3));
            });
  }

  private boolean isLate(PhaseSamples phase) {
    return phase.meanLatenessSeconds()
        > Math.max(allowedWaitSeconds(), LEAST_LATE * phase.lengthSeconds());
  }

  /**
   * A closed loop that is slow to follow up asks less of the server than its users would, and asks
   * at once: users come together.
   */
  private void judgeTurnaround() {
    double lost = turnarounds.sumSeconds() / Math.max(1e-9, cycles.sumSeconds());
    double mean = turnaround.mean().orZero();
    String told =
        String.format(
            Locale.ROOT,
            "Users waited for the client %.1f ms between answer and next request on average",
            mean * 1e3);
    if (turnaround.percentile(0.95) instanceof Figure.Known && lost > LEAST_LOST) {
      evidence.add(String.format(Locale.ROOT, "%s: %.0f %% less load", told, 100 * lost));
      spoiled.add("the load: its users waited for the client");
    } else if (mean > allowedSeconds() && limits().findAny().isPresent()) {
      delay =
          delay.withTurnaround(
              client.turnarounds().unexplained().plainQuantileSeconds(0.99), mean, lost);
      quiet.add(told);
    }
  }

  /** Every stamp is taken by a thread that was woken; a late one dates its event late. */
  private void judgeWakeUps() {
    double p95 = harness.wakeUps().plainQuantileSeconds(0.95);
    if (p95 > allowedSeconds()) {
      delays.add(
          String.format(
              Locale.ROOT,
              "P95 of how late a sleeping thread woke is %.1f ms, allowed are %.1f ms",
              p95 * 1e3,
              allowedSeconds() * 1e3));
      spoiled.add("TTFT, E2E and ITL: stamps were late");
      delay =
          delay.withStamps(
              pausesApart(harness.wakeUps(), 0.99), pausesApart(harness.wakeUps(), 1));
    }
  }

  private double secondsNoted() {
    return window.nanosInside(0, harness.lastNoteNanos()) / 1e9;
  }

  private double stillShare() {
    return secondsNoted() > 0 ? harness.stalls().sumSeconds() / secondsNoted() : 0;
  }

  private void judgeStalls() {
    double still = harness.stalls().sumSeconds();
    double seconds = secondsNoted();
    if (still > ClientLimitCheck.STILL_SHARE * seconds) {
      delays.add(
          String.format(
              Locale.ROOT,
              "The load process stood still for %.2f of %.1f s, %s; allowed are %.0f %%",
              still,
              seconds,
              Counted.of(harness.stalls().count(), "time", "times"),
              ClientLimitCheck.STILL_SHARE * 100));
      spoiled.add("the upper percentiles of TTFT, E2E, ITL and TPOT");
      spoiled.add("largest gaps");
      delay = delay.withPauses(stillShare());
    }
  }

  /**
   * While a chunk that was read waits to be looked at, the next lies in the kernel, and its stamp
   * makes a gap that the server did not make. Each request brings its longest lag, the worst of its
   * hundreds of chunks; P95 over requests is the level at which the largest gaps are still read.
   */
  private void judgeReadLag() {
    double p95 = readLags.plainQuantileSeconds(0.95);
    if (p95 > allowedSeconds()) {
      delays.add(
          String.format(
              Locale.ROOT,
              "P95 over requests of the longest time that a read event waited is %.1f ms,"
                  + " allowed are %.1f ms",
              p95 * 1e3,
              allowedSeconds() * 1e3));
      spoiled.add("largest gaps");
      spoiled.add("the upper percentiles of ITL");
      delay =
          delay.withStamps(readLags.plainQuantileSeconds(0.99), readLags.plainQuantileSeconds(1));
    }
  }

  /** A request that got no socket never reached the server. */
  private void judgeDescriptors() {
    if (withoutDescriptor > 0) {
      evidence.add(
          Counted.of(withoutDescriptor, "request", "requests")
              + " got no socket: the load process has as many files open as it may;"
              + " raise the limit (ulimit -n)");
      spoiled.add("the load: what got no socket was never sent");
    }
  }

  /** Longer ones were noted as pauses, each at its time. */
  private static double pausesApart(SampleSet wakeUps, double level) {
    return Math.min(ClientPauses.SHORTEST_SECONDS, wakeUps.plainQuantileSeconds(level));
  }

  /** Whether a verdict is another without a late start, or if late stamps are put right. */
  private void judgeVerdicts(String where, ObjectiveJudges judges) {
    if (!isCapped()) {
      judges.flips().forEach(flip -> flips(where, flip));
    }
    for (ObjectiveResult result : judges.turning(delay)) {
      evidence.addAll(quiet);
      quiet.clear();
      evidence.add(
          "objective %s%s is %s, and may not be without the client's own delay"
              .formatted(name(result), where, result.judgement().words()));
      spoiled.add("the verdict on " + name(result) + where);
    }
  }

  private void flips(String where, ObjectiveJudges.Flip flip) {
    String name = name(flip.measured());
    evidence.add(
        "objective %s%s is %s with the client's own delay and %s without it"
            .formatted(
                name, where, flip.measured().verdict().words(),
                flip.withoutOwnDelay().verdict().words()));
    spoiled.add("the verdict on " + name + where);
  }

  private static String name(ObjectiveResult result) {
    return result.objective().parts().stream()
        .map(part -> part.metric().name())
        .map(name -> name.contains("_") ? name.toLowerCase(Locale.ROOT).replace('_', ' ') : name)
        .collect(Collectors.joining(" and "));
  }
}
