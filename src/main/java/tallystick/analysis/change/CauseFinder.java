package tallystick.analysis.change;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Interpretation.Grown;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.WaitPart;

/**
 * Which causes the parts that grew are most consistent with. A part of the client or of the way
 * names its own cause. A part of the engine is explained by whatever changed in what was asked of
 * it, or by steps that became dearer; only where nothing did, by what such a part usually means.
 */
final class CauseFinder {
  /** A part with less of the rise is named nowhere. */
  private static final double REAL_SHARE = 0.15;

  /** So much of the reference's whole is real, however much more another part gained. */
  private static final double LARGE = 0.25;

  /** Beyond capacity the queue is so much of a rise, at least. */
  private static final double MOST_OF_IT = 0.5;

  /** A smaller rise of the whole needs no cause. */
  private static final double REAL_RISE = 1.1;

  private static final Set<WaitPart> ENGINE_PARTS =
      EnumSet.of(WaitPart.API_SERVER, WaitPart.QUEUE, WaitPart.PREFILL, WaitPart.TOKEN_PACE);

  private final List<Change> changes;
  private final WorkloadFactors circumstances;
  private final Map<Cause, List<Grown>> found = new EnumMap<>(Cause.class);

  CauseFinder(List<Change> changes, WorkloadFactors circumstances) {
    this.changes = changes;
    this.circumstances = circumstances;
  }

  /** Each cause with the parts it explains, the largest share first. */
  Map<Cause, List<Grown>> find() {
    List<Grown> grown = grown();
    Set<Cause> seen = seen(grown);
    for (Grown part : grown) {
      explain(part, seen);
    }
    found.values()
        .forEach(parts -> parts.sort(Comparator.comparingDouble(Grown::share).reversed()));
    return found;
  }

  private void explain(Grown part, Set<Cause> seen) {
    switch (part.part()) {
      case LATENESS -> add(Cause.CLIENT_LATE, part);
      case CONNECT, TLS, WRITE -> add(Cause.CONNECTING, part);
      case OUTSIDE -> add(isOfClient(part) ? Cause.CLIENT_LATE : Cause.OUTSIDE, part);
      case ANSWER_LENGTH -> {
        // Answers that are a little longer by chance are nothing that was asked.
        if (circumstances.areAnswersLonger()) {
          add(Cause.LONGER_ANSWERS, part);
        }
      }
      case WHOLE, OUTSIDE_AND_API_SERVER, AFTER_WRITTEN, API_SERVER, QUEUE, PREFILL, DECODE,
          TOKEN_PACE -> seen.forEach(cause -> add(cause, part));
    }
  }

  /**
   * A client that is late reads late, too. Where it was late for a moment, what all requests waited
   * for outside is not of it.
   */
  private boolean isOfClient(Grown outside) {
    boolean isLateAlways =
        changes.stream()
            .flatMap(change -> change.parts().stream())
            .anyMatch(part -> part.name() == WaitPart.LATENESS && part.rise().low().orNaN() > 0);
    return circumstances.wasClientLate() && (isLateAlways || !(outside.rise().low().orNaN() > 0));
  }

  /** What may explain the engine's parts; the usual meaning of each where nothing is seen. */
  private Set<Cause> seen(List<Grown> grown) {
    Set<Cause> seen = EnumSet.noneOf(Cause.class);
    note(seen, Cause.STANDSTILL, circumstances.didEngineStandStill());
    note(seen, Cause.PREEMPTION, circumstances.isMorePreempted());
    note(seen, Cause.FOREIGN_LOAD, circumstances.isMoreForeign());
    note(seen, Cause.FEWER_ENGINES, circumstances.areEnginesFewer());
    note(seen, Cause.LOAD_BEYOND_CAPACITY, circumstances.isMoreLoad() && isQueueMost(grown));
    note(seen, Cause.MORE_LOAD, circumstances.isMoreLoad() && !isQueueMost(grown));
    note(seen, Cause.FEWER_AT_ONCE, circumstances.areFewerTakenIn());
    note(seen, Cause.BURSTS, circumstances.isBurstier());
    note(
        seen, Cause.MORE_TO_PREFILL,
        circumstances.arePromptsLonger() || circumstances.isLessReused());
    note(seen, Cause.LONGER_ANSWERS, circumstances.areAnswersLonger());
    note(seen, Cause.FEWER_TOKENS_PER_STEP, circumstances.areTokensPerStepFewer());
    note(seen, Cause.SLOW_DECODE, circumstances.isDecodingSlower());
    note(seen, Cause.SLOW_PREFILL, circumstances.isPrefillSlower());
    note(
        seen, Cause.PREFILL_IN_MORE_STEPS,
        grown.stream().anyMatch(part -> part.part() == WaitPart.PREFILL)
            && circumstances.isPrefillInMoreSteps());
    // What a client held back comes all at once, and queues.
    note(seen, Cause.CLIENT_LATE, circumstances.wasClientLate());
    return seen.isEmpty() ? usual(grown) : seen;
  }

  private Set<Cause> usual(List<Grown> grown) {
    List<WaitPart> parts = grown.stream().map(Grown::part).filter(ENGINE_PARTS::contains).toList();
    boolean isPrefillLonger = parts.contains(WaitPart.PREFILL);
    boolean isPaceSlower = parts.contains(WaitPart.TOKEN_PACE);
    if (isPaceSlower && parts.contains(WaitPart.QUEUE)) {
      // Both sides may be full: then what is preempted did not rise, and still is why they wait.
      return EnumSet.of(circumstances.isPreempted() ? Cause.PREEMPTION : Cause.SATURATION);
    }
    // A prefill that takes longer makes others wait, for their first token and for the next.
    if (isPrefillLonger && (!isPaceSlower || circumstances.isOnlyPromptTokenDearer())) {
      return circumstances.isPrefillPerhapsInMoreSteps()
          ? EnumSet.of(Cause.SLOW_PREFILL, Cause.PREFILL_IN_MORE_STEPS)
          : EnumSet.of(Cause.SLOW_PREFILL);
    }
    Set<Cause> usual = EnumSet.noneOf(Cause.class);
    note(usual, Cause.SLOW_DECODE, isPaceSlower);
    if (isQueueMost(grown)) {
      usual.add(waiting());
    }
    note(usual, Cause.API_SERVER, usual.isEmpty() && parts.contains(WaitPart.API_SERVER));
    return usual;
  }

  /** A few requests that meet by chance queue for a step of somebody else; that is no overload. */
  private static boolean isQueueMost(List<Grown> grown) {
    return grown.stream()
        .anyMatch(part -> part.part() == WaitPart.QUEUE && part.share() >= MOST_OF_IT);
  }

  /** Why requests wait where nothing more is asked. */
  private Cause waiting() {
    // The same users ask no more than before.
    if (!circumstances.isClosedLoop()) {
      return Cause.WAITING_ALONE;
    }
    return circumstances.isPreempted() ? Cause.PREEMPTION : Cause.FEWER_AT_ONCE;
  }

  private static void note(Set<Cause> seen, Cause cause, boolean isSeen) {
    if (isSeen) {
      seen.add(cause);
    }
  }

  private void add(Cause cause, Grown part) {
    found.computeIfAbsent(cause, any -> new ArrayList<>()).add(part);
  }

  /** Parts of TTFT and of E2E that grew, and by a real share of a real rise or by much. */
  private List<Grown> grown() {
    List<Grown> grown = new ArrayList<>();
    for (Change change : changes) {
      if (change.quantity() == Latency.DECODE || !isReal(change.whole())) {
        continue;
      }
      addGrown(grown, change, change.parts());
    }
    return grown;
  }

  private void addGrown(List<Grown> grown, Change change, List<Change.Part> parts) {
    double large = LARGE * change.whole().reference().orNaN();
    for (Change.Part part : parts) {
      double share = part.rise().value().orNaN() / change.whole().rise().value().orNaN();
      // Requests that only the engine counted make the two sides' means differ, too.
      boolean isSpoiled = part.name() == WaitPart.OUTSIDE && circumstances.isMoreForeign();
      double sure = isSpoiled ? part.rise().low().orNaN() : part.rise().value().orNaN();
      boolean isReal = share >= REAL_SHARE || sure >= large;
      if (part.name() == WaitPart.DECODE) {
        of(Latency.DECODE).ifPresent(split -> addGrown(grown, change, split.parts()));
      } else if (part.grew() && isReal) {
        grown.add(new Grown(change.quantity(), part.name(), part.rise(), share));
      }
    }
  }

  private Optional<Change> of(Latency quantity) {
    return changes.stream().filter(change -> change.quantity() == quantity).findFirst();
  }

  private static boolean isReal(Change.Part whole) {
    return whole.grew() && whole.judged().orNaN() >= REAL_RISE * whole.reference().orNaN();
  }

}
