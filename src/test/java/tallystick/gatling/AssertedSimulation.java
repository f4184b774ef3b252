package tallystick.gatling;

import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;

/** A user's own simulation with Gatling's assertions on our two entries. */
public class AssertedSimulation extends Simulation {
  /** Called by Gatling. */
  public AssertedSimulation() {
    this(60_000);
  }

  AssertedSimulation(int ttftLimitMillis) {
    Load load = GatlingRun.load();
    setUp(
            load.inject(
                scenario("asserted")
                    .asLongAs(load::hasNext)
                    .on(exec(CompletionDsl.completion(load)))))
        .assertions(
            details("ttft").responseTime().percentile(50.0).lt(ttftLimitMillis),
            details("completion").failedRequests().count().is(0L),
            details("completion").allRequests().count().is(5L));
  }

  /** The same with a limit nobody can meet. */
  public static final class Impossible extends AssertedSimulation {
    /** Called by Gatling. */
    public Impossible() {
      super(-1);
    }
  }
}
