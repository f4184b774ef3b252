package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tallystick.analysis.client.HarnessAccount;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.TargetLifecycle;
import tallystick.analysis.engine.EngineReading;
import tallystick.analysis.engine.FamilyGaps;
import tallystick.analysis.engine.SeriesTrack;
import tallystick.analysis.engine.TargetReading;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;
import tallystick.scenario.Target;

/** Why the ledger's window is not closed, so that even equal counts would prove nothing. */
final class WindowFaults {
  private WindowFaults() {}

  /** The faults; empty if the window is closed. */
  static List<Finding> of(RunReading run) {
    MeasuredWindow window = run.window();
    EngineReading reading = run.reading();
    List<Target> targets = run.manifest().targets();
    TargetLifecycle moves = run.harness().moves();
    long allTargets =
        IntStream.range(0, targets.size())
            .filter(i -> !targets.get(i).onlyPrefills() && !targets.get(i).onlyPassesOn())
            .filter(i -> !moves.has(i))
            .count();
    List<Finding> faults = new ArrayList<>();
    addUnquiet(faults, run.harness());
    if (window.quietBefore().isEmpty() || window.quietAfter().isEmpty()) {
      faults.add(new Finding(Code.LEDGER_OPEN,
          "The engine was not seen idle "
              + (window.quietBefore().isEmpty() ? "before" : "after")
              + " the window. The counts may include requests from outside it.",
          run.harness().all(Mark.Kind.NOT_QUIET).isEmpty()
              ? "Let the run end by itself."
              : ""));
    }
    reading.targets().forEach((index, target) -> addTarget(faults, index, target, run));
    addTwins(faults, reading.targets());
    long closed = reading.targets().keySet().stream().filter(i -> !moves.has(i)).count();
    if (closed < allTargets) {
      faults.add(new Finding(Code.TARGET_NOT_SCRAPED,
          Formatted.of(
              "Only %d of %d targets %s metrics around the window.", closed,
              allTargets, closed == 1 ? "has" : "have"),
          "Give every replica its own metrics_url; never one behind a balancer."));
    }
    return faults;
  }

  private static void addUnquiet(List<Finding> faults, HarnessAccount harness) {
    List<String> moved =
        harness.all(Mark.Kind.NOT_QUIET).stream().map(Mark::detail).distinct().toList();
    String unreachable = "UNREACHABLE";
    if (!moved.isEmpty() && moved.stream().allMatch(detail -> detail.startsWith(unreachable))) {
      faults.add(new Finding(Code.NOT_QUIET,
          "Whether the engine became idle is not known: its metrics did not answer.",
          moved, "Look whether it still runs, and whether its metrics can be reached."));
    } else if (!moved.isEmpty()) {
      faults.add(new Finding(Code.NOT_QUIET,
          "The engine did not become idle: somebody else uses it, or requests did not end.",
          moved,
          "Measure on an engine that nobody else uses."));
    }
  }

  private static void addTarget(
      List<Finding> faults, int index, TargetReading target, RunReading run) {
    if (target.alternates()) {
      faults.add(new Finding(Code.SEVERAL_REPLICAS,
          "Scrapes of target " + index + " came from several processes in turn: a load"
              + " balancer is in front of its metrics.",
          resets(target),
          "Name every replica as a target with a metrics_url of its own, past the balancer."));
    } else if (target.restarted()) {
      faults.add(EngineDeath.restart(run, index, target.newLives(), resets(target)));
    }
    if (!target.changedOwners().isEmpty()) {
      faults.add(new Finding(Code.LABELS_CHANGED,
          "Model or engine labels of target " + index + " changed inside the window.",
          List.copyOf(target.changedOwners()), "Do not load or unload models in a run."));
    }
    addGaps(faults, index, target.gaps());
    if (!target.beganBefore() && !run.harness().moves().joined(index)) {
      faults.add(new Finding(Code.LEDGER_OPEN,
          "Target " + index + " has no good scrape before the window.",
          "Check that /metrics answers before the run."));
    }
  }

  /** The scrape succeeded, so nothing else tells that a part of it was missing. */
  private static void addGaps(List<Finding> faults, int index, FamilyGaps gaps) {
    if (!gaps.gone().isEmpty()) {
      faults.add(new Finding(Code.FAMILIES_GONE,
          "Target " + index + " exposes "
              + Counted.of(gaps.gone().size(), "family", "families")
              + " no more at the end of the window. What was counted after that is unknown.",
          gaps.gone(), "Find out why the answer of /metrics changed during the run."));
    }
    if (!gaps.holes().isEmpty()) {
      faults.add(new Finding(Code.FAMILIES_MISSING,
          "Some scrapes of target " + index + " lack families that others show. Counters are"
              + " complete; gauges and figures over time have holes.",
          gaps.holes(), "Check what answers /metrics: a proxy may cut it."));
    }
  }

  private static void addTwins(List<Finding> faults, Map<Integer, TargetReading> targets) {
    targets.forEach(
        (index, target) ->
            targets.forEach(
                (other, twin) -> {
                  if (index < other && target.isSameProcessAs(twin)) {
                    faults.add(new Finding(Code.SAME_ENGINE_TWICE,
                        "Targets " + index + " and " + other + " show the same process: its"
                            + " series began at the same moments and ended at the same counts."
                            + " Its counts are added up twice.",
                        "Name each engine once, with a metrics_url of its own."));
                  }
                }));
  }

  private static List<String> resets(TargetReading target) {
    return target.tracks().stream()
        .filter(track -> track.resets() > 0)
        .map(SeriesTrack::family)
        .distinct()
        .limit(5)
        .toList();
  }
}
