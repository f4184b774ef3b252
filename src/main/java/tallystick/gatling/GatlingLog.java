package tallystick.gatling;

import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.commons.stats.Status;
import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;
import java.util.Optional;
import scala.Option;

/**
 * Tells Gatling of a request in its own way: {@code completion} and {@code ttft}, in whole
 * milliseconds, so that its assertions and its reports work.
 */
record GatlingLog(StatsEngine stats, long endMillis) {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  /**
   * One request, on a clock of nanoseconds.
   *
   * @param first the first token; 0 where none came
   * @param status of HTTP; 0 where none came
   * @param fault why it failed; empty where it did not
   */
  record Timed(long started, long first, long ended, int status, Optional<String> fault) {}

  /** Logs it; the session afterwards knows whether it failed. */
  Session log(Session session, Timed timed) {
    long startMillis = endMillis - millis(timed.ended() - timed.started());
    if (timed.first() != 0) {
      long firstMillis = startMillis + millis(timed.first() - timed.started());
      respond(session, "ttft", startMillis, firstMillis, timed.status(), Optional.empty());
    }
    respond(session, "completion", startMillis, endMillis, timed.status(), timed.fault());
    Session logged = session.logGroupRequestTimings(startMillis, endMillis);
    return timed.fault().isEmpty() ? logged : logged.markAsFailed();
  }

  private void respond(
      Session session, String name, long start, long end, int code, Optional<String> fault) {
    Status status = fault.isEmpty() ? OK$.MODULE$ : KO$.MODULE$;
    stats.logResponse(
        session.scenario(), session.groups(), name, start, end, status,
        code == 0 ? Option.empty() : Option.apply(Integer.toString(code)),
        fault.map(Option::apply).orElseGet(Option::empty));
  }

  private static long millis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }
}
