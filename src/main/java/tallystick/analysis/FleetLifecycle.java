package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import tallystick.analysis.client.TargetLifecycle;
import tallystick.analysis.engine.TargetReading;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.Finding.Severity;
import tallystick.analysis.result.Reconciliation.Id;
import tallystick.analysis.result.Reconciliation.Row;
import tallystick.analysis.result.Reconciliation.Status;
import tallystick.analysis.result.ReplicaAccount.Move;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.HarnessRow.Scaling;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;
import tallystick.scenario.Target;

/**
 * Targets that came and went in the run, and what of their work no scrape shows. What an engine
 * served before its first scrape or after its last can only be missing in the engines' counts, so
 * counts that are too low are unknown and no difference; counts that are equal are equal.
 */
final class FleetLifecycle {
  private final RunReading run;
  private final TargetLifecycle moves;
  private final List<String> unseen;

  FleetLifecycle(RunReading run) {
    this.run = run;
    this.moves = run.harness().moves();
    this.unseen =
        moves.all().stream()
            .map(Scaling::target)
            .distinct()
            .filter(this::isOfLedger)
            .flatMap(target -> unseenOf(target).stream())
            .toList();
  }

  /** What happened, in order of time. */
  List<Move> moves() {
    return moves.all().stream()
        .map(
            move ->
                new Move(
                    seconds(move.atNanos()), name(move.target()),
                    move.move() == Scaling.Move.JOINED, coverage(move)))
        .toList();
  }

  /** The ledger's rows, those that cannot be checked taken out. */
  List<Row> judged(List<Row> rows) {
    return unseen.isEmpty() ? rows : rows.stream().map(this::judged).toList();
  }

  private Row judged(Row row) {
    boolean mayBeUnseen =
        row.id() == Id.R5 || row.difference() instanceof Figure.Known known && known.value() < 0;
    if (row.status() != Status.DIFFERS || row.id().isOfPrefill() || !mayBeUnseen) {
      return row;
    }
    String rest = unseen.size() > 1 ? " (and " + (unseen.size() - 1) + " more)" : "";
    Figure none =
        Figure.missing(
            "not checked: " + unseen.getFirst() + rest
                + Formatted.of("; the scrapes show %.0f", row.engine().orNaN()));
    return new Row(
        row.id(), row.quantity(), row.client(), none, row.low(), row.high(), Status.NOT_CHECKED,
        row.source(), none);
  }

  /** One line on all that came and went; none where the targets stayed. */
  List<Finding> findings(List<Row> rows) {
    List<Mark> unread = run.harness().all(Mark.Kind.TARGETS_UNREAD);
    if (moves.all().isEmpty() && unread.isEmpty()) {
      return List.of();
    }
    List<String> evidence = new ArrayList<>();
    moves().forEach(move -> evidence.add(words(move)));
    unread.forEach(
        mark ->
            evidence.add(Formatted.of(
                "the list could not be read at %.1f s, the previous one stayed"
                    + " in use: %s",
                seconds(mark.atNanos()), mark.detail())));
    boolean isBlind =
        !unseen.isEmpty() && rows.stream().anyMatch(row -> row.status() == Status.NOT_CHECKED);
    long joined = moves.all().stream().filter(m -> m.move() == Scaling.Move.JOINED).count();
    return List.of(new Finding(Code.TARGETS_CHANGED,
        isBlind || !unread.isEmpty() ? Severity.WARNING : Severity.NOTE,
        "Targets came and went: " + joined + " joined, " + (moves.all().size() - joined)
            + " left" + (isBlind ? "; not all of their work is seen." : "."),
        evidence,
        isBlind ? "Take an engine out of the router, then off the list, then stop it." : ""));
  }

  private static String words(Move move) {
    return Formatted.of(
        "%.1f s: %s %s%s", move.atSeconds(), move.target(),
        move.isJoining() ? "joined" : "left", move.seen().isEmpty() ? "" : "; " + move.seen());
  }

  private boolean isOfLedger(int target) {
    List<Target> targets = run.manifest().targets();
    return target >= targets.size() || !targets.get(target).onlyPrefills();
  }

  /** What of a target's work no scrape shows, in words; empty if all of it is seen. */
  private List<String> unseenOf(int target) {
    return moves.all().stream()
        .filter(move -> move.target() == target && isLast(move))
        .flatMap(move -> unseen(move).stream())
        .toList();
  }

  /** Of a target that left and came back only the newest leaving is one. */
  private boolean isLast(Scaling move) {
    return move.move() == Scaling.Move.JOINED
        ? moves.joined(move.target())
            && moves.all().stream().filter(m -> m.target() == move.target()).findFirst()
                .filter(move::equals).isPresent()
        : OptionalLong.of(move.atNanos()).equals(moves.leftNanos(move.target()));
  }

  private Optional<String> unseen(Scaling move) {
    return move.move() == Scaling.Move.JOINED ? unseenBefore(move) : unseenAfter(move);
  }

  private Optional<String> unseenBefore(Scaling move) {
    if (move.atNanos() >= run.window().drainedNanos()) {
      return Optional.empty();
    }
    String who = who(move) + " joined at " + shown(move.atNanos());
    TargetReading reading = run.reading().targets().get(move.target());
    Optional<long[]> good = run.reading().goodNanos(move.target());
    if (reading == null || good.isEmpty()) {
      return Optional.of(who + ", fewer than two scrapes of it succeeded");
    }
    return reading.beganBefore() || good.get()[0] <= run.window().originNanos()
        ? Optional.empty()
        : Optional.of(
            who + ", what it served before its first scrape at " + shown(good.get()[0])
                + " is unknown");
  }

  private Optional<String> unseenAfter(Scaling move) {
    String who = who(move) + " left at " + shown(move.atNanos());
    Optional<long[]> good = run.reading().goodNanos(move.target());
    if (good.isEmpty()) {
      return move.atNanos() <= run.window().originNanos()
          ? Optional.empty()
          : Optional.of(who + ", no scrape of it succeeded");
    }
    long last = good.get()[1];
    if (last >= run.window().drainedNanos() || move.atNanos() <= run.window().originNanos()) {
      return Optional.empty();
    }
    return Optional.of(who + ", " + lastScrape(move, last) + lost(last, move.atNanos()));
  }

  private static String lastScrape(Scaling move, long last) {
    return Formatted.of(
        "its last scrape is %.1f s %s", Math.abs(move.atNanos() - last) / 1e9,
        last <= move.atNanos() ? "older" : "younger");
  }

  /** Requests that failed while the engine may have been gone already. */
  private String lost(long lastNanos, long leftNanos) {
    if (lastNanos > leftNanos) {
      return "";
    }
    long failed =
        IntStream.range(0, run.manifest().targets().size())
            .mapToLong(i -> run.client().answers().of(i).failedBetween(lastNanos, leftNanos))
            .sum();
    return failed == 0
        ? ""
        : ", and " + Counted.of(failed, "request", "requests") + " failed between the two";
  }

  private String coverage(Scaling move) {
    if (!isLast(move) || !isOfLedger(move.target())) {
      return "";
    }
    return unseen(move)
        .map(words -> words.substring(words.indexOf(", ") + 2))
        .orElse(move.move() == Scaling.Move.JOINED ? "all that it served is counted" : "");
  }

  private String who(Scaling move) {
    return "target " + move.target();
  }

  private String name(int target) {
    List<Target> targets = run.manifest().targets();
    return "target " + target
        + (target < targets.size() ? " (" + targets.get(target).url() + ")" : "");
  }

  private double seconds(long nanos) {
    return run.window().secondsAfterOrigin(nanos);
  }

  private String shown(long nanos) {
    return Formatted.of("%.1f s", seconds(nanos));
  }
}
