package tallystick.gatling;

import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.commons.stats.Status;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import java.util.function.Consumer;
import scala.Option;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/**
 * Sends a user's next request, or all it has, without blocking Gatling's event loop, and gives
 * Gatling its own {@code completion} and {@code ttft} in whole milliseconds, so that Gatling's
 * assertions work.
 */
final class CompletionAction extends JavaAction {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final Load load;
  private final boolean isAll;

  CompletionAction(CoreComponents core, Action next, Load load, boolean isAll) {
    super("completion", core, next);
    this.load = load;
    this.isAll = isAll;
  }

  @Override
  public void execute(Session session) {
    Session[] latest = {session};
    Consumer<RequestRow> whenRecorded = row -> latest[0] = logged(latest[0], row);
    Runnable afterwards = () -> next().$bang(latest[0]);
    if (isAll) {
      load.sendAll(session.userId(), whenRecorded, afterwards);
    } else {
      load.sendNext(session.userId(), whenRecorded, afterwards);
    }
  }

  private Session logged(Session session, RequestRow row) {
    long endMillis = clock().nowMillis();
    long startMillis = endMillis - millis(row.times().ended() - row.times().started());
    boolean ok = row.ending().outcome() == Outcome.OK;
    Status status = ok ? OK$.MODULE$ : KO$.MODULE$;
    if (row.hasFirstToken()) {
      long firstMillis = startMillis + millis(row.firstTokenNanos() - row.times().started());
      log(session, "ttft", startMillis, firstMillis, OK$.MODULE$, row);
    }
    log(session, "completion", startMillis, endMillis, status, row);
    Session logged = session.logGroupRequestTimings(startMillis, endMillis);
    return ok ? logged : logged.markAsFailed();
  }

  private void log(
      Session session, String name, long start, long end, Status status, RequestRow row) {
    Option<String> code =
        row.ending().status() == 0
            ? Option.empty()
            : Option.apply(Integer.toString(row.ending().status()));
    Option<String> message =
        status == KO$.MODULE$
            ? Option.apply(row.ending().outcome().name().toLowerCase(java.util.Locale.ROOT))
            : Option.empty();
    statsEngine()
        .logResponse(
            session.scenario(), session.groups(), name, start, end, status, code, message);
  }

  private static long millis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }
}
