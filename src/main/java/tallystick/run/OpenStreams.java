package tallystick.run;

import java.util.HashSet;
import java.util.Set;
import tallystick.plan.LoopShape;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Settings;

/** How many requests of a plan may be open at a time. */
final class OpenStreams {
  /** How long an answer takes where nothing is known. */
  static final long USUAL_ANSWER_NANOS = 10_000_000_000L;

  private OpenStreams() {}

  /** The most if each takes so long to answer; sessions count as large as they are on average. */
  static long most(Plan plan, long answerNanos) {
    Settings settings = plan.settings();
    long sessions = plan.requests().stream().filter(one -> one.turn() == 0).count();
    if (settings.loop() == LoopShape.CLOSED) {
      return onAverage(settings.concurrency() * agents(plan), sessions);
    }
    if (settings.concurrency() > 0) {
      return settings.concurrency();
    }
    long[] starts =
        plan.requests().stream()
            .filter(one -> one.turn() == 0)
            .mapToLong(PlannedRequest::offsetNanos)
            .sorted()
            .toArray();
    int most = 0;
    for (int first = 0, next = 0; next < starts.length; next++) {
      while (starts[next] - starts[first] > answerNanos) {
        first++;
      }
      most = Math.max(most, next - first + 1);
    }
    return onAverage((long) most * plan.requests().size(), sessions);
  }

  /** Agents of all sessions: those of one may ask at the same time. */
  private static long agents(Plan plan) {
    Set<Integer> ofSession = new HashSet<>();
    long agents = 0;
    for (PlannedRequest request : plan.requests()) {
      if (request.turn() == 0) {
        ofSession.clear();
      }
      agents += ofSession.add(request.agent()) ? 1 : 0;
    }
    return agents;
  }

  private static long onAverage(long ofAll, long sessions) {
    return (long) Math.ceil((double) ofAll / Math.max(1, sessions));
  }
}
