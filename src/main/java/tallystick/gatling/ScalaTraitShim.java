package tallystick.gatling;

import com.typesafe.scalalogging.Logger;
import com.typesafe.scalalogging.StrictLogging;
import io.gatling.core.action.Action;
import io.gatling.core.action.ChainableAction;
import io.gatling.core.session.Session;

/**
 * Scala traits as Java sees them. The super accessors ({@code io$gatling$…$$super$$bang}) are
 * synthetic: javac neither sees nor demands them, the JVM calls them. One class for each trait, so
 * that {@code Trait.super.$bang} is legal.
 */
final class ScalaTraitShim {
  private ScalaTraitShim() {}

  abstract static class ActionLayer implements Action {
    private final String name;
    private Logger logger;

    ActionLayer(String name) {
      this.name = name;
      StrictLogging.$init$(this);
    }

    @Override
    public final String name() {
      return name;
    }

    @Override
    public final String toString() {
      return name;
    }

    @Override
    public final Logger logger() {
      return logger;
    }

    @Override
    public final void com$typesafe$scalalogging$StrictLogging$_setter_$logger_$eq(Logger value) {
      logger = value;
    }

    final void plainBang(Session session) {
      Action.super.$bang(session);
    }
  }

  abstract static class ChainableLayer extends ActionLayer implements ChainableAction {
    private final Action next;

    ChainableLayer(String name, Action next) {
      super(name);
      this.next = next;
    }

    @Override
    public final Action next() {
      return next;
    }

    public void io$gatling$core$action$ChainableAction$$super$$bang(Session session) {
      plainBang(session);
    }

    final void chainableBang(Session session) {
      ChainableAction.super.$bang(session);
    }
  }
}
