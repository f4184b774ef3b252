package tallystick.gatling;

import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/**
 * Sends a user's next request, or all it has, without blocking Gatling's event loop, and gives
 * Gatling its own account of each.
 */
final class CompletionAction extends JavaAction {
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
    boolean ok = row.ending().outcome() == Outcome.OK;
    GatlingLog.Timed timed =
        new GatlingLog.Timed(
            row.times().started(), row.hasFirstToken() ? row.firstTokenNanos() : 0,
            row.times().ended(), row.ending().status(),
            ok
                ? Optional.empty()
                : Optional.of(row.ending().outcome().name().toLowerCase(Locale.ROOT)));
    return new GatlingLog(statsEngine(), clock().nowMillis()).log(session, timed);
  }
}
