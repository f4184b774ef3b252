package tallystick.simulations;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static tallystick.gatling.CompletionDsl.completion;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.util.List;
import java.util.Map;
import tallystick.gatling.CompletionTarget;

/**
 * Users of a chat who come at a constant rate, each with one question from a feeder. System
 * properties: {@code url}, {@code model}, {@code rate}, {@code seconds}.
 */
public final class ChatSimulation extends Simulation {
  private static final List<Map<String, Object>> QUESTIONS =
      List.of(
          Map.of("question", "How does a heat pump work?"),
          Map.of("question", "Name three rivers of Europe."),
          Map.of("question", "Why is the sky blue?"));

  /** Called by Gatling. */
  public ChatSimulation() {
    CompletionTarget target =
        CompletionTarget.at(
            System.getProperty("url", "http://127.0.0.1:8000"),
            System.getProperty("model", "tiny"));
    ScenarioBuilder chat =
        scenario("chat")
            .feed(listFeeder(QUESTIONS).random())
            .exec(
                completion(target, session -> session.getString("question"))
                    .with("max_tokens", 64)
                    .check("says something", answer -> !answer.isBlank()));
    setUp(
            chat.injectOpen(
                constantUsersPerSec(Double.parseDouble(System.getProperty("rate", "2")))
                    .during(Integer.getInteger("seconds", 20))))
        .assertions(
            global().failedRequests().percent().lt(1.0),
            details("ttft").responseTime().percentile(95.0).lt(1000));
  }
}
