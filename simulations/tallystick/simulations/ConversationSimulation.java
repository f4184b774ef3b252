package tallystick.simulations;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.group;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static tallystick.gatling.CompletionDsl.completion;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import tallystick.gatling.CompletionTarget;

/**
 * A fixed number of users who ask, think, and ask again about the answer; each turn is a group.
 * System properties: {@code url}, {@code model}, {@code users}, {@code seconds}.
 */
public final class ConversationSimulation extends Simulation {
  /** Called by Gatling. */
  public ConversationSimulation() {
    CompletionTarget target =
        CompletionTarget.at(
            System.getProperty("url", "http://127.0.0.1:8000"),
            System.getProperty("model", "tiny"));
    ScenarioBuilder conversation =
        scenario("conversation")
            .exec(
                group("ask")
                    .on(
                        completion(target, session -> "Describe a lighthouse in a storm.")
                            .with("max_tokens", 48)
                            .saveAs("answer")))
            .exitHereIfFailed()
            .pause(1, 3)
            .exec(
                group("ask again")
                    .on(
                        completion(
                                target,
                                session -> "Make it shorter: " + session.getString("answer"))
                            .with("max_tokens", 16)));
    setUp(
            conversation.injectClosed(
                constantConcurrentUsers(Integer.getInteger("users", 4))
                    .during(Integer.getInteger("seconds", 20))))
        .assertions(details("ask again", "ttft").responseTime().percentile(95.0).lt(1000));
  }
}
