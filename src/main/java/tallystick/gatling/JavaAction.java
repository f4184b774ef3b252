package tallystick.gatling;

import io.gatling.commons.util.Clock;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.action.ExitableAction;
import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;

/** A Gatling action that can be written in Java. */
abstract class JavaAction extends ScalaTraitShim.ChainableLayer implements ExitableAction {
  private final CoreComponents core;

  JavaAction(String name, CoreComponents core, Action next) {
    super(name, next);
    this.core = core;
  }

  @Override
  public final StatsEngine statsEngine() {
    return core.statsEngine();
  }

  @Override
  public final Clock clock() {
    return core.clock();
  }

  public void io$gatling$core$action$ExitableAction$$super$$bang(Session session) {
    chainableBang(session);
  }
}
