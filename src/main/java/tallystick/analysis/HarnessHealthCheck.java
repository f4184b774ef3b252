package tallystick.analysis;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import tallystick.analysis.client.ClientSide;
import tallystick.analysis.client.DispatchLateness;
import tallystick.analysis.client.HarnessAccount;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
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
  private static final double LATENESS_FLOOR_SECONDS = 0.005;
  private static final double SHARE_OF_OBJECTIVE = 0.1;

  private final Settings settings;
  private final HarnessAccount harness;
  private final MeasuredWindow window;
  private final TimedSamples lateness;
  private final Distribution turnaround;
  private final DispatchLateness sendDelays;
  private final SampleSet readLags;
  private final long withoutDescriptor;
  private final boolean isOpen;
  private final List<String> evidence = new ArrayList<>();
  private final Set<String> spoiled = new LinkedHashSet<>();
  private final SampleSet turnarounds;
  private boolean areStampsLate;

  HarnessHealthCheck(
      Settings settings, HarnessAccount harness, MeasuredWindow window, ClientSide client) {
    this.settings = settings;
    this.harness = harness;
    this.window = window;
    this.isOpen = settings.loop() == LoopShape.OPEN;
    this.lateness = client.latencies().lateness();
    this.turnarounds = isOpen ? new SampleSet() : client.turnarounds().samples().samples();
    this.turnaround =
        isOpen ? turnarounds.distribution() : client.turnarounds().samples().distribution();
    this.sendDelays = client.sendDelays();
    this.readLags = client.shape().readLags();
    this.withoutDescriptor = client.counts().withoutDescriptor();
  }

  /**
   * The health; saturated if P95 read lag, P95 wake-up delay, of an open loop P99 lateness or time
   * to the written request, of a closed one P95 turnaround or what its users' first requests bring
   * to P99, exceeds max(5 ms, 10 % of the smallest objective), if the process stood still for more
   * than 1 % of the window, or if an objective's verdict depends on whether lateness counts. See
   * docs/decisions/analysis-saturated-client.md.
   *
   * @param fromIntended objectives judged from the intended start
   * @param fromStart the same from the actual start
   * @param limit is told each delay
   */
  RunAnalysis.HarnessHealth judge(
      List<ObjectiveResult> fromIntended,
      List<ObjectiveResult> fromStart,
      long droppedRows,
      ClientLimitCheck limit) {
    judgeDescriptors();
    judgeReadLag();
    judgeStalls();
    judgeWakeUps();
    if (!isOpen) {
      judgeTurnaround();
      judgeFirsts();
    } else if (!isCapped()) {
      judgeLateness();
    }
    for (int i = 0; i < fromIntended.size() && !isCapped(); i++) {
      judgeFlip(fromIntended.get(i), fromStart.get(i));
    }
    noteDelays(limit);
    return new RunAnalysis.HarnessHealth(
        lateness.distribution(),
        turnaround,
        harness.wakeUps().distribution(),
        !evidence.isEmpty(),
        harness.stalls().distribution(),
        harness.gcPauses(),
        harness.gcSeconds(),
        droppedRows,
        harness.processCores(),
        limit.limit(!evidence.isEmpty(), stillShare()));
  }

  /** Why the client is called saturated; empty if it is not. */
  List<String> evidence() {
    return List.copyOf(evidence);
  }

  /** Which figures hold the client's own delay; empty if none does. */
  List<String> spoiled() {
    return List.copyOf(spoiled);
  }

  /** Whether stamps were so late that gaps between chunks may be of the client's making. */
  boolean areStampsLate() {
    return areStampsLate;
  }

  /** The largest P99 lateness that does not spoil the figures. */
  double allowedSeconds() {
    double smallest =
        settings.objectives().stream()
            .flatMap(objective -> objective.parts().stream())
            .mapToDouble(Objective::thresholdSeconds)
            .min()
            .orElse(0);
    return Math.max(LATENESS_FLOOR_SECONDS, SHARE_OF_OBJECTIVE * smallest);
  }

  /** Under a cap on requests in flight a late start is the cap's doing, not the harness's. */
  private boolean isCapped() {
    return isOpen && settings.concurrency() > 0;
  }

  private void noteDelays(ClientLimitCheck limit) {
    double allowed = allowedSeconds();
    limit.note("wake-up delay", harness.wakeUps(), 0.95, allowed);
    limit.note("read lag", readLags, 0.95, allowed);
    if (!isOpen) {
      limit.note("turnaround", turnarounds, 0.95, allowed);
      limit.note("first requests' part of P99 delay", sendDelays.p99OfFirstsSeconds(),
          allowed);
    } else if (!isCapped()) {
      limit.note("lateness", lateness.samples(), 0.99, allowed);
      limit.note("time to the written request", sendDelays.samples(), 0.99, allowed);
    }
  }

  private void judgeLateness() {
    // No existence rule here: with few requests the largest lateness is the prudent judge.
    double p99 = lateness.plainQuantileSeconds(0.99);
    if (p99 > allowedSeconds()) {
      evidence.add(
          String.format(
              Locale.ROOT,
              "P99 of actual minus intended start is %.1f ms, allowed are %.1f ms",
              p99 * 1e3,
              allowedSeconds() * 1e3));
      spoiled.add("TTFT and E2E from the intended start, and objectives on them");
    } else {
      judgeSending(sendDelays.p99Seconds(), "P99");
    }
  }

  /** Users who begin together stand in line for the client, and TTFT counts their wait. */
  private void judgeFirsts() {
    judgeSending(sendDelays.p99OfFirstsSeconds(), "among the users' first requests P99 of all");
  }

  /** What comes between an open gate and the written request is not the server's either. */
  private void judgeSending(double seconds, String which) {
    if (seconds > allowedSeconds()) {
      evidence.add(
          String.format(
              Locale.ROOT,
              "From the intended start to the request written, connecting left out, %s is %.1f ms,"
                  + " allowed are %.1f ms",
              which,
              seconds * 1e3,
              allowedSeconds() * 1e3));
      spoiled.add("TTFT and E2E from the intended start, and objectives on them");
    }
  }

  /**
   * A closed loop that is slow to follow up asks less of the server than its users would. Judged
   * only where P95 exists: of few requests one is late on any machine.
   */
  private void judgeTurnaround() {
    if (turnaround.percentile(0.95) instanceof Figure.Known p95
        && p95.value() > allowedSeconds()) {
      evidence.add(
          String.format(
              Locale.ROOT,
              "P95 of the start after the answer before it is %.1f ms, allowed are %.1f ms",
              p95.value() * 1e3,
              allowedSeconds() * 1e3));
      spoiled.add("the load: its users waited for the client");
      spoiled.add("TTFT and E2E from the intended start, and objectives on them");
    }
  }

  /** Every stamp is taken by a thread that was woken; a late one dates its event late. */
  private void judgeWakeUps() {
    double p95 = harness.wakeUps().plainQuantileSeconds(0.95);
    if (p95 > allowedSeconds()) {
      evidence.add(
          String.format(
              Locale.ROOT,
              "P95 of how late a sleeping thread woke is %.1f ms, allowed are %.1f ms",
              p95 * 1e3,
              allowedSeconds() * 1e3));
      spoiled.add("TTFT, E2E and ITL: stamps were late");
      areStampsLate = true;
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
      evidence.add(
          String.format(
              Locale.ROOT,
              "The load process stood still for %.2f of %.1f s, %s; allowed are %.0f %%",
              still,
              seconds,
              Counted.of(harness.stalls().count(), "time", "times"),
              ClientLimitCheck.STILL_SHARE * 100));
      spoiled.add("the upper percentiles of TTFT, E2E, ITL and TPOT");
      spoiled.add("largest gaps");
      areStampsLate = true;
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
      evidence.add(
          String.format(
              Locale.ROOT,
              "P95 over requests of the longest time that a read event waited is %.1f ms,"
                  + " allowed are %.1f ms",
              p95 * 1e3,
              allowedSeconds() * 1e3));
      spoiled.add("largest gaps");
      spoiled.add("the upper percentiles of ITL");
      areStampsLate = true;
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

  private void judgeFlip(
      ObjectiveResult intended, ObjectiveResult started) {
    if (!intended.verdict().equals(started.verdict())) {
      String name =
          intended.objective().parts().stream()
              .map(part -> part.metric().name())
              .collect(Collectors.joining(" and "));
      evidence.add(
          "objective "
              + name
              + " is "
              + intended.verdict().words()
              + " from the intended and "
              + started.verdict().words()
              + " from the actual start");
      spoiled.add("the verdict on " + name);
    }
  }
}
