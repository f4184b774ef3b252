package tallystick.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.openai.ClientSettings;
import tallystick.openai.CompletionClient;
import tallystick.openai.PromptFit;
import tallystick.openai.PromptWriter;
import tallystick.openai.RequestWriter;
import tallystick.openai.ScriptedServer;
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

/** Users and their sub-agents, without Gatling, against a server that the test holds in hand. */
class LoadTest {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long NEXT = PlannedRequest.AFTER_PREVIOUS;

  private final List<PlannedRequest> plan = new ArrayList<>();
  private final Map<Integer, ScriptedServer.Script> answers = new ConcurrentHashMap<>();
  private final List<Integer> asked = new CopyOnWriteArrayList<>();
  private final List<RequestRow> rows = new CopyOnWriteArrayList<>();
  private final List<String> users = new CopyOnWriteArrayList<>();
  private final CountDownLatch held = new CountDownLatch(1);
  private ScriptedServer server;
  private CompletionClient client;
  private RequestSender sender;
  private Load load;

  @AfterEach
  void close() throws IOException {
    held.countDown();
    sender.close();
    client.close();
    server.close();
  }

  @ParameterizedTest
  @EnumSource(LoopShape.class)
  void afterAStopNobodyThinks(LoopShape loop) throws Exception {
    for (int user = 0; user < 3; user++) {
      add(user, 0, 0, 0, 0);
      add(user, 1, NEXT, MINUTE, 0);
    }
    begin(loop, 3, 3);
    await(() -> rows.size() == 3);
    load.stop();
    awaitUsers(3);
    assertLedger(3);
  }

  @Test
  void aUserOfAClosedLoopThinksBeforeItsNextRequest() throws Exception {
    add(0, 0, 0, 0, 0);
    add(0, 0, NEXT, 200 * MILLI, 0);
    begin(LoopShape.CLOSED, 1, 1);
    awaitUsers(1);
    assertThat(rows.get(1).times().intended() - rows.get(0).times().ended())
        .isEqualTo(200 * MILLI);
    assertThat(rows.get(1).times().started())
        .isGreaterThanOrEqualTo(rows.get(1).times().intended());
  }

  @Test
  void afterAStopNobodyWaitsForAPlaceAndWhatIsInFlightEnds() throws Exception {
    for (int user = 0; user < 5; user++) {
      add(user, 0, 0, 0, 0);
    }
    begin(LoopShape.OPEN, 1, 5, 0, 1, 2, 3, 4);
    await(() -> asked.size() == 1);
    TimeUnit.MILLISECONDS.sleep(50);
    load.stop();
    awaitUsers(4);
    held.countDown();
    awaitUsers(5);
    assertLedger(1);
    assertThat(rows.getFirst().ending().outcome()).isEqualTo(Outcome.OK);
  }

  @Test
  void aJourneyThatAsksOneByOneIsNotHeldByAPauseAfterAStop() throws Exception {
    add(0, 0, 0, 0, 0);
    add(0, 1, NEXT, MINUTE, 0);
    open(LoopShape.OPEN, 0);
    load.injectionStarts(System.nanoTime(), 1);
    CountDownLatch first = new CountDownLatch(1);
    assertThat(load.prepareNext(1)).isTrue();
    load.sendNext(1, row -> first.countDown(), () -> {});
    assertThat(first.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(load.prepareNext(1)).isTrue();
    load.sendNext(1, row -> users.add("row"), () -> users.add("end"));
    TimeUnit.MILLISECONDS.sleep(50);
    load.stop();
    await(() -> users.equals(List.of("end")));
    assertLedger(1);
  }

  /** One sub-agent is in flight, one waits a minute: the user ends with the first. */
  @Test
  void afterAStopASessionEndsWithWhatIsInFlight() throws Exception {
    session(0, 0, MINUTE, 0);
    begin(LoopShape.OPEN, 0, 1, 1);
    await(() -> asked.containsAll(List.of(0, 1, 3)) && rows.size() == 2);
    load.stop();
    TimeUnit.MILLISECONDS.sleep(50);
    assertThat(users).doesNotContain("end 0");
    held.countDown();
    awaitUsers(1);
    assertLedger(3);
    assertThat(users.getLast()).isEqualTo("end 0");
  }

  /** Of the session's three sub-agents one fails, one is in flight and one waits a minute. */
  @ParameterizedTest
  @EnumSource(LoopShape.class)
  void whereASubAgentFailsTheOthersSendNothingElse(LoopShape loop) throws Exception {
    session(0, 0, MINUTE, 0);
    session(0, loop == LoopShape.CLOSED ? NEXT : 0, 0, 0);
    answers.put(3, ScriptedServer.status(500, "{}"));
    begin(loop, loop == LoopShape.CLOSED ? 1 : 0, loop == LoopShape.CLOSED ? 1 : 2, 1);
    await(() -> asked.contains(1) && asked.contains(3));
    TimeUnit.MILLISECONDS.sleep(50);
    held.countDown();
    awaitUsers(loop == LoopShape.CLOSED ? 1 : 2);
    assertLedger(8);
    assertThat(asked).doesNotContain(2, 4).contains(5, 6, 7, 8, 9);
  }

  @Test
  void theSubAgentsOfAClosedLoopsUserAreOpenAtOnce() throws Exception {
    session(0, 0, 0, 0);
    CyclicBarrier together = new CyclicBarrier(3);
    for (int agent = 1; agent <= 3; agent++) {
      answers.put(
          agent,
          (out, socket) -> {
            together.await(10, TimeUnit.SECONDS);
            answer().play(out, socket);
          });
    }
    begin(LoopShape.CLOSED, 1, 1);
    awaitUsers(1);
    assertLedger(5);
    assertThat(rows).allMatch(row -> row.ending().outcome() == Outcome.OK);
  }

  @Test
  void aCapHoldsForSubAgentsToo() throws Exception {
    session(0, 0, 0, 0);
    session(1, 0, 0, 0);
    AtomicInteger open = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    for (int index = 0; index < plan.size(); index++) {
      answers.put(
          index,
          (out, socket) -> {
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
            TimeUnit.MILLISECONDS.sleep(20);
            open.decrementAndGet();
            answer().play(out, socket);
          });
    }
    begin(LoopShape.OPEN, 2, 2);
    awaitUsers(2);
    assertLedger(10);
    assertThat(most.get()).isEqualTo(2);
  }

  /** The place that a failed sub-agent leaves is not for its siblings. */
  @Test
  void whoWaitsForAPlaceIsNotSentWhereItsSessionFailed() throws Exception {
    session(0, 0, 0, 0);
    // Any of the three may get the one place.
    for (int agent = 1; agent <= 3; agent++) {
      answers.put(
          agent,
          (out, socket) -> {
            held.await();
            ScriptedServer.status(500, "{}").play(out, socket);
          });
    }
    begin(LoopShape.OPEN, 1, 1);
    await(() -> asked.size() == 2);
    TimeUnit.MILLISECONDS.sleep(50);
    held.countDown();
    awaitUsers(1);
    assertLedger(2);
  }

  @ParameterizedTest
  @EnumSource(LoopShape.class)
  void whoCancelsEverythingEndsEveryUserOnce(LoopShape loop) throws Exception {
    session(0, 0, 0, 0);
    session(1, 0, 0, 0);
    begin(loop, loop == LoopShape.CLOSED ? 2 : 0, 2, 1, 2, 3, 6, 7, 8);
    await(() -> asked.size() == 8);
    load.stop();
    client.cancelAll();
    awaitUsers(2);
    assertLedger(8);
    assertThat(rows).filteredOn(row -> row.ending().outcome() == Outcome.CLIENT_CANCELLED)
        .hasSize(6);
    assertThat(load.counters().left()).isEqualTo(6);
    assertThat(load.counters().failed()).isZero();
  }

  @Test
  void aSubAgentThatItsClientLeavesEndsItsSession() throws Exception {
    session(0, 0, 0, 0);
    PlannedRequest left = plan.get(2);
    plan.set(
        2,
        new PlannedRequest(
            2, left.phase(), left.requestClass(), 0, 2, NEXT, 0, left.prompt(), 4, 1, 0,
            new PlannedRequest.Cancel(20 * MILLI, 0), false, 2, left.after(), false));
    begin(LoopShape.OPEN, 0, 1, 2);
    awaitUsers(1);
    assertLedger(4);
    assertThat(asked).doesNotContain(4);
  }

  /** Pauses, failures and places of all kinds; stopped while much is going on. */
  @ParameterizedTest
  @EnumSource(LoopShape.class)
  void wheneverItIsStoppedEveryUserEndsOnceAndEveryRequestIsRecorded(LoopShape loop)
      throws Exception {
    Random random = new Random(7);
    int users = loop == LoopShape.CLOSED ? 8 : 60;
    for (int i = 0; i < 60; i++) {
      long offset = loop == LoopShape.OPEN ? 4 * i * MILLI : i < users ? 0 : NEXT;
      session(
          i % users, offset, random.nextInt(30) * MILLI, random.nextInt(30) * MILLI);
      if (i % 7 == 0) {
        answers.put(plan.size() - 1 - random.nextInt(5), ScriptedServer.status(500, "{}"));
      }
    }
    begin(loop, 8, users);
    await(() -> rows.size() > 60);
    load.stop();
    awaitUsers(users);
    long sent = load.counters().sent();
    assertThat(sent).isBetween(60L, 299L);
    TimeUnit.MILLISECONDS.sleep(200);
    assertLedger(Math.toIntExact(sent));
  }

  /**
   * Five requests: the second to the fourth are of sub-agents that the first calls, and the fifth
   * waits for all of them.
   */
  private void session(int user, long offset, long secondPause, long lastPause) {
    int first = plan.size();
    add(user, 0, offset, 0, 0);
    add(user, 1, NEXT, 0, 1, 0);
    add(user, 2, NEXT, secondPause, 2, 0);
    add(user, 3, NEXT, 0, 3, 0);
    add(user, 4, NEXT, lastPause, 0, 1, 2, 3);
    assertThat(plan).hasSize(first + 5);
  }

  private void add(
      int user, int turn, long offset, long think, int agent, Integer... after) {
    int index = plan.size();
    plan.add(
        new PlannedRequest(
            index, "main", "default", user, turn, offset, think, Prompt.Synthetic.unique(8), 4, 1,
            0, PlannedRequest.Cancel.NEVER, false, agent, List.of(after), false));
  }

  /** Begins the load; answers to these requests are held back. */
  private void begin(LoopShape loop, int concurrency, int injected, int... heldBack)
      throws IOException {
    for (int index : heldBack) {
      answers.put(
          index,
          (out, socket) -> {
            held.await();
            answer().play(out, socket);
          });
    }
    open(loop, concurrency);
    load.injectionStarts(System.nanoTime(), 1);
    for (int user = 0; user < injected; user++) {
      String name = " " + user;
      load.sendAll(user + 1, row -> users.add("row" + name), () -> users.add("end" + name));
    }
  }

  private void open(LoopShape loop, int concurrency) throws IOException {
    server =
        new ScriptedServer(
            request -> {
              int index = Integer.parseInt(request.head().replaceAll("(?s).*t-(\\d+)\n.*", "$1"));
              asked.add(index);
              return answers.getOrDefault(index, answer());
            });
    client =
        new CompletionClient(new ClientSettings(LIMIT_NANOS, LIMIT_NANOS, "", "", Map.of()));
    Settings settings =
        new Settings(
            "t", 1, Endpoint.CHAT_COMPLETIONS, "m", List.of(Target.at(server.url())), loop,
            concurrency, List.of(new Phase("main", false, 0, LIMIT_NANOS, 0)), List.of(),
            new Settings.Timing(LIMIT_NANOS, LIMIT_NANOS, LIMIT_NANOS),
            new RequestForm(true, false, true, "{}", Map.of()), Map.of(), List.of(),
            Scenario.Access.PLAIN, Scenario.StopRules.NEVER, List.of());
    RequestWriter writer =
        new RequestWriter(
            settings, "m", new PromptWriter("n", List.of("ba", "be"), PromptFit.UNKNOWN),
            ApiAccess.NONE);
    sender =
        new RequestSender(
            new RequestSender.Parts(
                settings, settings.targets(), "t", RunClock.start(), writer, client, rows::add));
    load = new Load(plan, loop, concurrency, LIMIT_NANOS, sender, origin -> {});
  }

  private static ScriptedServer.Script answer() {
    String event =
        "data: {\"id\":\"r\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" a\"},"
            + "\"finish_reason\":\"length\"}],"
            + "\"usage\":{\"prompt_tokens\":8,\"completion_tokens\":1}}\n\n";
    return (out, socket) -> {
      out.write(
          ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
                  + event + "data: [DONE]\n\n")
              .getBytes(StandardCharsets.UTF_8));
    };
  }

  /** Every request that was sent has its row, and no user that ended was told of one later. */
  private void assertLedger(int sent) {
    assertThat(load.counters().sent()).isEqualTo(sent);
    assertThat(load.counters().inFlight()).isZero();
    assertThat(rows).extracting(RequestRow::index).doesNotHaveDuplicates().hasSize(sent);
    assertThat(asked).hasSize(sent).doesNotHaveDuplicates();
    List<String> ended = new ArrayList<>();
    for (String user : users) {
      if (user.startsWith("end ")) {
        ended.add(user.substring(4));
      } else {
        assertThat(ended).doesNotContain(user.replace("row ", ""));
      }
    }
    assertThat(ended).doesNotHaveDuplicates();
  }

  private void awaitUsers(int ended) throws InterruptedException {
    await(() -> users.stream().filter(one -> one.startsWith("end")).count() == ended);
  }

  /** At most so long, that a machine under load gets there and a minute's pause does not. */
  private static void await(BooleanSupplier reached) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!reached.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited in vain").isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }
}
