package tallystick.analysis.client;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tallystick.runrecord.PlanTable;
import tallystick.runrecord.RequestRow;

/** Puts requests together to sessions; holds those that go on, however many there were. */
final class OpenSessions {
  private final PlanTable plan;
  private final Map<Integer, Session> open = new HashMap<>();
  private final BitSet over = new BitSet();

  /** None is open. */
  OpenSessions(PlanTable plan) {
    this.plan = plan;
  }

  /** Whether a request belongs to a session; others stand alone. */
  boolean isOfSession(RequestRow row) {
    return plan.session(row).isPresent();
  }

  /**
   * The session of a request that ended, with it; empty for a single request, and for one that went
   * on while its session was given up.
   */
  Optional<Session> with(RequestRow row, boolean isReliable) {
    return plan.session(row)
        .filter(place -> !over.get(place.first()))
        .map(place -> with(row, place, isReliable));
  }

  private Session with(RequestRow row, PlanTable.SessionPlace place, boolean isReliable) {
    int first = place.first();
    Session session = open.computeIfAbsent(first, any -> new Session(plan.sessionLength(first)));
    session.add(row, place, isReliable);
    if (session.isOver()) {
      open.remove(first);
      over.set(first);
    }
    return session;
  }

  int count() {
    return open.size();
  }
}
