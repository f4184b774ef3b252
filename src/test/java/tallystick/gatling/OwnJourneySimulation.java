package tallystick.gatling;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.group;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static tallystick.gatling.CompletionDsl.completion;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Predicate;

/** A journey without a plan: two turns, the second of which needs the first one's answer. */
public class OwnJourneySimulation extends Simulation {
  private final RehearsalServer server;

  public OwnJourneySimulation() {
    this(answer -> answer.strip().startsWith("a a"));
  }

  OwnJourneySimulation(Predicate<String> expected) {
    try {
      server = new RehearsalServer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    CompletionTarget target = CompletionTarget.at(server.url() + "/", "any");
    ScenarioBuilder journey =
        scenario("own")
            .exec(
                group("ask")
                    .on(completion(target, session -> "hello").saveAs("answer")))
            .exec(
                group("again")
                    .on(
                        completion(target, session -> "shorter: " + session.getString("answer"))
                            .with("max_tokens", 8)
                            .check("is the expected one", expected)));
    setUp(journey.injectOpen(atOnceUsers(3)))
        .assertions(
            details("ask", "ttft").allRequests().count().is(3L),
            details("again", "completion").allRequests().count().is(3L),
            global().failedRequests().count().is(0L));
  }

  @Override
  public void after() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The check of every second turn fails. */
  public static final class Disappointed extends OwnJourneySimulation {
    public Disappointed() {
      super(String::isEmpty);
    }
  }
}
