package tallystick.simulations;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.group;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static tallystick.gatling.CompletionDsl.completion;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import tallystick.gatling.CompletionTarget;

/**
 * Agents that come at a constant rate: each asks, has tools run whose results make its context
 * grow, and answers. A task is a group, of which Gatling tells how long it took with its tools.
 * System properties: {@code url}, {@code model}, {@code rate}, {@code seconds}, {@code calls}.
 */
public final class AgentSimulation extends Simulation {
  private static final String QUESTION = "Which of the files here are never used? ";
  private static final String RESULT = " The tool found twelve files, of which two are empty. ";

  private final CompletionTarget target =
      CompletionTarget.at(
          System.getProperty("url", "http://127.0.0.1:8000"), System.getProperty("model", "tiny"));

  /** Called by Gatling. */
  public AgentSimulation() {
    ScenarioBuilder agent =
        scenario("agent")
            .exec(session -> session.set("context", QUESTION))
            .exec(
                group("task")
                    .on(
                        repeat(Integer.getInteger("calls", 3)).on(answer("call", 24), tool()),
                        answer("answer", 48)));
    setUp(
            agent.injectOpen(
                constantUsersPerSec(Double.parseDouble(System.getProperty("rate", "1")))
                    .during(Integer.getInteger("seconds", 20))))
        .assertions(details("task", "call", "ttft").responseTime().percentile(95.0).lt(1000));
  }

  /** The model's next word on all that was said so far. */
  private ChainBuilder answer(String name, int tokens) {
    return group(name)
        .on(
            completion(target, session -> session.getString("context"))
                .with("max_tokens", tokens)
                .saveAs("said"))
        .exitHereIfFailed();
  }

  /** A tool runs for a second, and its result belongs to the context from then on. */
  private static ChainBuilder tool() {
    return pause(1).exec(AgentSimulation::grown);
  }

  private static Session grown(Session session) {
    return session.set(
        "context", session.getString("context") + session.getString("said") + RESULT);
  }
}
