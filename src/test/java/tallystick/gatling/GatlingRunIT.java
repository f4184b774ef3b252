package tallystick.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.openai.ClientSettings;
import tallystick.openai.CompletionClient;
import tallystick.openai.PromptFit;
import tallystick.openai.PromptWriter;
import tallystick.openai.RequestWriter;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.plan.Settings;
import tallystick.reach.ApiAccess;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunClock;
import tallystick.scenario.Endpoint;
import tallystick.scenario.Scenario;
import tallystick.scenario.Scenario.RequestForm;
import tallystick.scenario.Target;
import tallystick.simulations.AgentSimulation;

/** Gatling, our action and OkHttp together, against the rehearsal's server. */
class GatlingRunIT {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long SPACING_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

  @TempDir Path results;

  @Test
  void gatlingsOwnAssertionsSeeCompletionAndTtft() throws Exception {
    assertThat(play(AssertedSimulation.class, new CopyOnWriteArrayList<>())).isZero();
    assertThat(play(AssertedSimulation.Impossible.class, new CopyOnWriteArrayList<>()))
        .isEqualTo(2);
  }

  @Test
  void aJourneyOfOnesOwnIsCountedByGroupAndFailsByItsCheck() throws Exception {
    assertThat(play(OwnJourneySimulation.class, new CopyOnWriteArrayList<>())).isZero();
    assertThat(play(OwnJourneySimulation.Disappointed.class, new CopyOnWriteArrayList<>()))
        .isEqualTo(2);
  }

  /** Two agents, each of one call, a tool of a second, and an answer. */
  @Test
  void theJourneyOfAnAgentThatComesAlongKeepsItsAssertion() throws Exception {
    try (RehearsalServer server = new RehearsalServer()) {
      System.setProperty("url", server.url());
      System.setProperty("seconds", "2");
      System.setProperty("calls", "1");
      assertThat(play(AgentSimulation.class, new CopyOnWriteArrayList<>())).isZero();
    } finally {
      List.of("url", "seconds", "calls").forEach(System::clearProperty);
    }
  }

  @Test
  void noRequestStartsBeforeItsIntendedNanosecond() throws Exception {
    List<RequestRow> rows = new CopyOnWriteArrayList<>();
    play(AssertedSimulation.class, rows);

    assertThat(rows).hasSize(5);
    for (RequestRow row : rows) {
      assertThat(row.ending().outcome()).isEqualTo(Outcome.OK);
      assertThat(row.times().started()).isGreaterThanOrEqualTo(row.times().intended());
    }
    long first = rows.stream().mapToLong(row -> row.times().intended()).min().orElseThrow();
    for (RequestRow row : rows) {
      assertThat(row.times().intended() - first).isEqualTo(row.index() * SPACING_NANOS);
    }
  }

  @Test
  void inAClosedLoopARequestIsIntendedAtTheEndOfItsUsersAnswerAndAThink() throws Exception {
    List<RequestRow> rows = new CopyOnWriteArrayList<>();
    List<PlannedRequest> requests =
        IntStream.range(0, 9).mapToObj(i -> following(i, i % 2 * SPACING_NANOS)).toList();
    AtomicLong origin = new AtomicLong();
    int exit = play(FollowingSimulation.class, rows, requests, LoopShape.CLOSED, 2, origin);

    assertThat(exit).isZero();
    assertThat(rows).hasSize(9);
    List<Long> ends = rows.stream().map(row -> row.times().ended()).toList();
    for (RequestRow row : rows) {
      assertThat(row.ending().outcome()).isEqualTo(Outcome.OK);
      assertThat(row.times().started()).isGreaterThanOrEqualTo(row.times().intended());
      long since = row.times().intended() - requests.get(row.index()).thinkNanos();
      assertThat(row.index() < 2 || ends.contains(since)).as("request %s", row).isTrue();
    }
  }

  private static PlannedRequest following(int index, long thinkNanos) {
    PlannedRequest simple =
        PlannedRequest.simple(
            index, "main", index < 2 ? 0 : PlannedRequest.AFTER_PREVIOUS,
            Prompt.Synthetic.unique(8), 4);
    return new PlannedRequest(
        index, "main", "default", index, 0, simple.offsetNanos(), index < 2 ? 0 : thinkNanos,
        simple.prompt(), 4, 1, 0, PlannedRequest.Cancel.NEVER);
  }

  private int play(Class<?> simulation, List<RequestRow> rows) throws Exception {
    List<PlannedRequest> requests =
        IntStream.range(0, 5)
            .mapToObj(
                i ->
                    PlannedRequest.simple(
                        i, "main", i * SPACING_NANOS, Prompt.Synthetic.unique(8), 16))
            .toList();
    return play(simulation, rows, requests, LoopShape.OPEN, 0, new AtomicLong());
  }

  private int play(
      Class<?> simulation,
      List<RequestRow> rows,
      List<PlannedRequest> requests,
      LoopShape loop,
      int users,
      AtomicLong origin)
      throws Exception {
    try (RehearsalServer server = new RehearsalServer();
        CompletionClient client =
            new CompletionClient(
                new ClientSettings(LIMIT_NANOS, LIMIT_NANOS, "", "", Map.of()));
        RequestSender sender = new RequestSender(parts(server.url(), client, rows))) {
      Load load = new Load(requests, loop, users, LIMIT_NANOS, sender, origin::set);
      return GatlingRun.run(simulation, load, results.resolve(simulation.getSimpleName()));
    }
  }

  private static RequestSender.Parts parts(
      String url, CompletionClient client, List<RequestRow> rows) {
    Settings settings =
        new Settings(
            "it", 1, Endpoint.COMPLETIONS, "m", List.of(Target.at(url)), LoopShape.OPEN, 0,
            List.of(new Phase("main", false, 0, LIMIT_NANOS, 0)), List.of(),
            new Settings.Timing(LIMIT_NANOS, LIMIT_NANOS, LIMIT_NANOS),
            new RequestForm(true, false, true, "{}", Map.of()), Map.of(),
            List.of(),
            Scenario.Access.PLAIN,
            Scenario.StopRules.NEVER,
            List.of());
    RequestWriter writer =
        new RequestWriter(
            settings, "m", new PromptWriter("n", List.of("ba", "be"), PromptFit.UNKNOWN),
            ApiAccess.NONE);
    return new RequestSender.Parts(
        settings, settings.targets(), "it", RunClock.start(), writer, client, rows::add);
  }
}
