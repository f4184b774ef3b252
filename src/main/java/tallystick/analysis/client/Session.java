package tallystick.analysis.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.PlanTable;
import tallystick.runrecord.RequestRow;

/** A session as far as its requests have ended. */
final class Session {
  private final int planned;
  private final List<Stay> stays = new ArrayList<>();
  private final Map<Integer, Turn> turns = new HashMap<>();
  private final LargestPart used = new LargestPart();
  private Outcome outcome = Outcome.OK;
  private boolean isTimed = true;
  private boolean isLatestTimed = true;

  /**
   * A request's time in it.
   *
   * @param intended when it was due
   * @param started when the client began it
   * @param tool whether it brings a tool's result, for which the session waited
   */
  private record Stay(long intended, long started, long ended, boolean tool) {}

  /** A user's turn as far as its requests have ended. */
  private static final class Turn {
    private long begunNanos = Long.MAX_VALUE;
    private int ended;
  }

  /** One in which no request has ended; so many are planned. */
  Session(int planned) {
    this.planned = planned;
  }

  /** Takes a request that ended; whether its moments can be believed. */
  void add(RequestRow row, PlanTable.SessionPlace place, boolean isReliable) {
    RequestRow.Times times = row.times();
    stays.add(new Stay(
        times.intended(), Math.max(times.intended(), times.started()), times.ended(),
        place.tool()));
    Turn turn = turns.computeIfAbsent(place.turn(), any -> new Turn());
    turn.begunNanos = Math.min(turn.begunNanos, times.intended());
    turn.ended++;
    isTimed &= isReliable;
    isLatestTimed = isReliable;
    outcome = row.ending().outcome();
  }

  int planned() {
    return planned;
  }

  /** How many of its requests have ended. */
  int ended() {
    return stays.size();
  }

  /** Whether nothing of it is to come: all was done, or it was given up. */
  boolean isOver() {
    return outcome != Outcome.OK || stays.size() == planned;
  }

  /** How its latest request ended; {@code OK} of one that is over: every request ended well. */
  Outcome outcome() {
    return outcome;
  }

  /** Whether its moments can be believed. */
  boolean isTimed() {
    return isTimed;
  }

  /** Whether those of its latest request can be. */
  boolean isLatestTimed() {
    return isLatestTimed;
  }

  /** What its requests used of limits that they must keep. */
  LargestPart used() {
    return used;
  }

  /** From its first start to its last end. */
  long nanos(boolean fromIntended) {
    Stay first = inOrder().getFirst();
    long last = stays.stream().mapToLong(Stay::ended).max().orElseThrow();
    return last - (fromIntended ? first.intended() : first.started());
  }

  /** In which one of its requests at least was under way. */
  long requestNanos() {
    List<Stay> inOrder = inOrder();
    long sum = 0;
    long ended = Long.MIN_VALUE;
    for (Stay stay : inOrder) {
      sum += Math.max(0, stay.ended() - Math.max(ended, stay.intended()));
      ended = Math.max(ended, stay.ended());
    }
    return sum;
  }

  /**
   * Of a turn whose last request is the latest to end, all of them well: from its first start to
   * its last end.
   */
  OptionalLong turnNanos(PlanTable.SessionPlace place) {
    if (!isTimed || outcome != Outcome.OK) {
      return OptionalLong.empty();
    }
    Turn turn = turns.get(place.turn());
    return turn.ended < place.turnRequests()
        ? OptionalLong.empty()
        : OptionalLong.of(stays.getLast().ended() - turn.begunNanos);
  }

  /** The pauses in which none of its requests was under way and a tool's result was waited for. */
  long toolNanos() {
    List<Stay> inOrder = inOrder();
    long sum = 0;
    long ended = inOrder.getFirst().intended();
    for (Stay stay : inOrder) {
      sum += stay.tool() ? Math.max(0, stay.intended() - ended) : 0;
      ended = Math.max(ended, stay.ended());
    }
    return sum;
  }

  private List<Stay> inOrder() {
    return stays.stream().sorted(Comparator.comparingLong(Stay::intended)).toList();
  }
}
