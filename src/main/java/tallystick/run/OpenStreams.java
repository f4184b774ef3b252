package tallystick.run;

import tallystick.plan.LoopShape;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Settings;

/** How many requests of a plan may be open at a time. */
final class OpenStreams {
  /** How long an answer takes where nothing is known. */
  static final long USUAL_ANSWER_NANOS = 10_000_000_000L;

  private OpenStreams() {}

  /** The most if each takes so long to answer. */
  static long most(Plan plan, long answerNanos) {
    Settings settings = plan.settings();
    if (settings.loop() == LoopShape.CLOSED || settings.concurrency() > 0) {
      return settings.concurrency();
    }
    long[] starts =
        plan.requests().stream().mapToLong(PlannedRequest::offsetNanos).sorted().toArray();
    int most = 0;
    for (int first = 0, next = 0; next < starts.length; next++) {
      while (starts[next] - starts[first] > answerNanos) {
        first++;
      }
      most = Math.max(most, next - first + 1);
    }
    return most;
  }
}
