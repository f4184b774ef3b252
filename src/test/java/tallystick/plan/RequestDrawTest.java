package tallystick.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.plan.ScenarioFixture.PLAIN;
import static tallystick.plan.ScenarioFixture.SECOND;
import static tallystick.plan.ScenarioFixture.constant;
import static tallystick.plan.ScenarioFixture.plan;
import static tallystick.plan.ScenarioFixture.poisson;
import static tallystick.plan.ScenarioFixture.requests;
import static tallystick.plan.ScenarioFixture.scenario;
import static tallystick.plan.ScenarioFixture.seconds;

import java.util.List;
import org.apache.commons.math3.stat.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;
import tallystick.scenario.Arrival;
import tallystick.scenario.Dataset;
import tallystick.scenario.Lengths;
import tallystick.scenario.RequestContent;
import tallystick.scenario.RequestContent.Order;
import tallystick.scenario.RequestContent.Outputs;
import tallystick.scenario.Scenario.Extent;
import tallystick.scenario.Target;
import tallystick.scenario.Workload;
import tallystick.scenario.Workload.Agents;
import tallystick.scenario.Workload.Cancellation;
import tallystick.scenario.Workload.ClassForm;
import tallystick.scenario.Workload.Conversation;
import tallystick.scenario.Workload.RequestClass;
import tallystick.scenario.Workload.SharedPrefixes;
import tallystick.scenario.ThinkTime;
import tallystick.scenario.Workload.Tools;

class RequestDrawTest {
  private static final Dataset TRACE = new Dataset("trace", List.of(
      entry(0, 46, 47), entry(2, 46, 99), entry(3), entry(6, 47)));

  @Test
  void pairsStayTogetherAndFollowTheirWeights() {
    Plan plan = plan(with(new RequestContent.Paired(List.of(
        new RequestContent.Pair(512, 32, 1), new RequestContent.Pair(64, 200, 3)))), 4000);

    long longPrompts =
        plan.requests().stream().filter(r -> r.prompt().equals(unique(512))).count();
    assertThat(plan.requests()).allMatch(r ->
        r.prompt().equals(unique(512)) && r.maxTokens() == 32
            || r.prompt().equals(unique(64)) && r.maxTokens() == 200);
    assertThat(longPrompts / 4000.0).isCloseTo(0.25, within(3 * Math.sqrt(0.1875 / 4000)));
  }

  @Test
  void sharedPrefixesComeBeforeThePromptsOwnTokens() {
    RequestClass kind = new RequestClass(
        "chat", 1, PLAIN.content(), new SharedPrefixes(4, 0.75, 100), Conversation.SINGLE,
        Cancellation.NEVER, ClassForm.PLAIN);
    Plan shared = plan(kind, 4000);
    Plan alone = plan(PLAIN, 4000);
    long[] groups = new long[5];
    for (PlannedRequest request : shared.requests()) {
      Prompt.Synthetic prompt = (Prompt.Synthetic) request.prompt();
      int own = prompt.tokens() - 100 * prompt.prefixes().size();
      groups[prompt.prefixes().isEmpty() ? 4 : (int) prompt.prefixes().get(0).id()]++;
      assertThat(own).isBetween(10, 20);
    }

    assertThat(new ChiSquareTest().chiSquareTest(new double[] {3, 3, 3, 3, 4}, groups))
        .isGreaterThan(0.001);
    assertThat(alone.requests()).extracting(r -> ((Prompt.Synthetic) r.prompt()).prefixes())
        .containsOnly(List.of());
  }

  @Test
  void classesFollowTheirWeightsAndKeepTheirForms() {
    RequestClass rare = new RequestClass(
        "rare", 1, PLAIN.content(), SharedPrefixes.NONE, Conversation.SINGLE,
        Cancellation.NEVER, new ClassForm("big", 2, "{\"top_p\":1}"));
    RequestClass often = new RequestClass(
        "often", 4, PLAIN.content(), SharedPrefixes.NONE, Conversation.SINGLE,
        Cancellation.NEVER, ClassForm.PLAIN);
    Plan plan = mix(often, rare);
    long rareCount =
        plan.requests().stream().filter(r -> r.requestClass().equals("rare")).count();

    assertThat(rareCount / 5000.0).isCloseTo(0.2, within(3 * Math.sqrt(0.16 / 5000)));
    assertThat(plan.requests()).allMatch(
        r -> r.choices() == (r.requestClass().equals("rare") ? 2 : 1));
    assertThat(plan.settings().classOf("rare"))
        .isEqualTo(new Settings.ClassSettings("rare", 1, "big", "{\"top_p\":1}", false));
    assertThat(plan.settings().classOf("nobody").extraBody()).isEqualTo("{}");
  }

  @Test
  void anotherClassLeavesTheLengthsOfTheFirstAlone() {
    RequestClass other = RequestClass.plain("b", new Lengths.Fixed(1), new Lengths.Fixed(1));
    List<Integer> alone = lengthsOf(mix(PLAIN), "default");
    List<Integer> mixed = lengthsOf(mix(PLAIN, other), "default");

    assertThat(mixed).isEqualTo(alone.subList(0, mixed.size()));
  }

  @Test
  void someClientsLeave() {
    Plan plan = plan(new RequestClass(
        "chat", 1, PLAIN.content(), SharedPrefixes.NONE, Conversation.SINGLE,
        new Cancellation(0.1, 2 * SECOND, 20), ClassForm.PLAIN), 5000);
    long leaving =
        plan.requests().stream()
            .filter(r -> r.cancel().equals(new PlannedRequest.Cancel(2 * SECOND, 20)))
            .count();

    assertThat(leaving / 5000.0).isCloseTo(0.1, within(3 * Math.sqrt(0.09 / 5000)));
    assertThat(plan.requests()).allMatch(r ->
        r.cancel().equals(PlannedRequest.Cancel.NEVER) || r.cancel().afterTokens() == 20);
  }

  @Test
  void turnsOfAConversationFollowEachOtherOnOneTarget() {
    RequestClass kind = conversation(new Lengths.Fixed(3), new ThinkTime.Fixed(2 * SECOND));
    Plan plan = Planner.plan(
        scenario(
            new Workload(constant(1), List.of(kind)), requests(7), Extent.NOTHING,
            List.of(Target.at("http://a"), Target.at("http://b"))), 1);

    assertThat(plan.requests()).extracting(PlannedRequest::turn)
        .containsExactly(0, 1, 2, 0, 1, 2, 0, 1, 2);
    assertThat(plan.requests()).extracting(PlannedRequest::user)
        .containsExactly(0, 0, 0, 1, 1, 1, 2, 2, 2);
    assertThat(plan.requests()).extracting(PlannedRequest::target)
        .containsExactly(0, 0, 0, 1, 1, 1, 0, 0, 0);
    assertThat(plan.requests()).extracting(PlannedRequest::offsetNanos)
        .containsExactly(0L, -1L, -1L, SECOND, -1L, -1L, 2 * SECOND, -1L, -1L);
    assertThat(plan.requests()).extracting(PlannedRequest::thinkNanos)
        .containsExactly(
            0L, 2 * SECOND, 2 * SECOND, 0L, 2 * SECOND, 2 * SECOND, 0L, 2 * SECOND, 2 * SECOND);
  }

  @Test
  void aPauseOfTheFileStandsInPlaceOfThinkTime() {
    Dataset dataset =
        new Dataset(
            "sessions",
            List.of(
                new Dataset.Entry(
                    0,
                    List.of(
                        new Dataset.Tokens(30, List.of(), 5),
                        new Dataset.Tokens(20, List.of(), 5, 2 * SECOND),
                        new Dataset.Tokens(10, List.of(), 5)))));
    RequestClass kind =
        new RequestClass(
            "default", 1,
            new RequestContent.FromDataset(dataset, Order.FILE, new Outputs.AsWritten()),
            SharedPrefixes.NONE,
            new Conversation(new Lengths.Fixed(3), new ThinkTime.Fixed(7 * SECOND)),
            Cancellation.NEVER, ClassForm.PLAIN);
    assertThat(
            Planner.plan(
                    scenario(
                        new Workload(poisson(9), List.of(kind)), requests(3), Extent.NOTHING), 1)
                .requests())
        .extracting(PlannedRequest::thinkNanos)
        .containsExactly(0L, 2 * SECOND, 7 * SECOND);
  }

  @Test
  void aTurnWithToolsIsAChainOfRequests() {
    Tools tools =
        new Tools(
            1, new Lengths.Fixed(2), new ThinkTime.Fixed(SECOND), new Lengths.Fixed(300),
            new Lengths.Fixed(7));
    RequestClass kind =
        new RequestClass(
            "default", 1, PLAIN.content(), SharedPrefixes.NONE,
            new Conversation(
                new Lengths.Fixed(2), new ThinkTime.Fixed(3 * SECOND), tools, Agents.NONE, false),
            Cancellation.NEVER, ClassForm.PLAIN);
    List<PlannedRequest> session =
        Planner.plan(
                scenario(
                    new Workload(poisson(9), List.of(kind)), requests(6), Extent.NOTHING), 1)
            .requests();
    int answer = session.get(2).maxTokens();
    assertThat(session).extracting(PlannedRequest::turn).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(session).extracting(PlannedRequest::tool)
        .containsExactly(false, true, true, false, true, true);
    assertThat(session).extracting(PlannedRequest::thinkNanos)
        .containsExactly(0L, SECOND, SECOND, 3 * SECOND, SECOND, SECOND);
    assertThat(session).extracting(PlannedRequest::maxTokens)
        .containsExactly(7, 7, answer, 7, 7, session.get(5).maxTokens());
    assertThat(session.get(1).prompt()).isEqualTo(unique(300));
  }

  @Test
  void subAgentsOfATurnStartTogetherAndAreWaitedFor() {
    Agents agents =
        new Agents(
            1, new Lengths.Fixed(2), new Lengths.Fixed(2), new Lengths.Fixed(50),
            new Lengths.Fixed(8), new ThinkTime.Fixed(SECOND), new Lengths.Fixed(90),
            new Lengths.Fixed(7));
    RequestClass kind =
        new RequestClass(
            "default", 1, PLAIN.content(), SharedPrefixes.NONE,
            new Conversation(
                new Lengths.Fixed(2), new ThinkTime.Fixed(3 * SECOND), Tools.NONE, agents, false),
            Cancellation.NEVER, ClassForm.PLAIN);
    List<PlannedRequest> session =
        Planner.plan(
                scenario(
                    new Workload(poisson(9), List.of(kind)), requests(12), Extent.NOTHING), 1)
            .requests();
    assertThat(session).extracting(PlannedRequest::agent)
        .containsExactly(0, 1, 1, 2, 2, 0, 0, 3, 3, 4, 4, 0);
    assertThat(session).extracting(PlannedRequest::after)
        .containsExactly(
            List.of(), List.of(), List.of(), List.of(0), List.of(), List.of(2, 4),
            List.of(), List.of(), List.of(), List.of(6), List.of(), List.of(8, 10));
    assertThat(session.subList(0, 7)).extracting(PlannedRequest::thinkNanos)
        .containsExactly(0L, 0L, SECOND, 0L, SECOND, 0L, 3 * SECOND);
    assertThat(session.get(0).maxTokens()).isEqualTo(7);
    assertThat(session.get(1).prompt()).isEqualTo(unique(50));
    assertThat(session.get(5).prompt()).isEqualTo(unique(90));
    assertThat(session.subList(0, 7)).extracting(PlannedRequest::tool)
        .containsExactly(false, false, true, false, true, true, false);
  }

  /** A measured session is judged as a whole; the warm-up may be much shorter than one. */
  @Test
  void aNumberOfRequestsCutsNoSessionButTheWarmUps() {
    RequestClass kind = conversation(new Lengths.Fixed(3), new ThinkTime.Fixed(0));
    for (Arrival arrival : List.of(constant(8), new Arrival.Closed(2))) {
      Workload workload = new Workload(arrival, List.of(kind));
      Plan plan = Planner.plan(scenario(workload, requests(4), requests(5)), 1);
      assertThat(plan.requests()).filteredOn(PlannedRequest::isWarmup)
          .extracting(PlannedRequest::turn).containsExactly(0, 1, 2, 0, 1);
      assertThat(plan.requests()).filteredOn(one -> !one.isWarmup())
          .extracting(PlannedRequest::turn).containsExactly(0, 1, 2, 0, 1, 2);
      assertThat(PlanTotals.byPhase(plan)).extracting(PlanTotals::requests)
          .containsExactly(5, 6);
    }
  }

  @Test
  void usersOfAClosedLoopHaveWholeConversations() {
    RequestClass kind = conversation(new Lengths.Fixed(2), new ThinkTime.Fixed(0));
    Plan plan = Planner.plan(
        scenario(
            new Workload(new Arrival.Closed(2), List.of(kind)), requests(6), Extent.NOTHING), 1);

    assertThat(plan.requests()).extracting(PlannedRequest::user).containsExactly(0, 0, 1, 1, 0, 0);
    assertThat(plan.requests()).extracting(PlannedRequest::turn).containsExactly(0, 1, 0, 1, 0, 1);
    assertThat(plan.requests()).extracting(PlannedRequest::offsetNanos)
        .containsExactly(0L, -1L, 0L, -1L, -1L, -1L);
  }

  @Test
  void usersThinkAsLongAsTheScenarioSays() {
    Plan uniform = plan(
        conversation(new Lengths.Fixed(50), new ThinkTime.Uniform(SECOND, 3 * SECOND)), 5000);
    Plan exponential = plan(
        conversation(new Lengths.Fixed(50), new ThinkTime.Exponential(2 * SECOND)), 5000);

    assertThat(uniform.requests().stream().filter(r -> r.turn() > 0))
        .allMatch(r -> r.thinkNanos() >= SECOND && r.thinkNanos() <= 3 * SECOND);
    // The mean of an exponential has a standard error of mean / sqrt(n).
    assertThat(exponential.requests().stream()
            .filter(r -> r.turn() > 0).mapToLong(PlannedRequest::thinkNanos).average()
            .orElseThrow() / SECOND)
        .isCloseTo(2, within(3 * 2 / Math.sqrt(4900)));
  }

  @Test
  void aTraceKeepsItsTimesAndSharesItsBlocks() {
    Plan plan = trace(new Arrival.Trace(2, 8), requests(4));

    assertThat(plan.requests()).extracting(PlannedRequest::offsetNanos)
        .containsExactly(0L, SECOND, 3 * SECOND / 2, 3 * SECOND);
    assertThat(plan.requests()).extracting(r -> ((Prompt.Synthetic) r.prompt()).prefixes())
        .containsExactly(
            List.of(new SharedPrefix(0, 512), new SharedPrefix(1, 512)),
            List.of(new SharedPrefix(0, 512), new SharedPrefix(2, 512)),
            List.of(),
            List.of(new SharedPrefix(1, 512)));
    assertThat(plan.settings().concurrency()).isEqualTo(8);
    assertThat(plan.settings().loop()).isEqualTo(LoopShape.OPEN);
    assertThat(plan.settings().timing().durationNanos()).isEqualTo(4 * SECOND);
  }

  @Test
  void theWarmUpLeavesNoBlockOfATraceInTheCache() {
    RequestContent content =
        new RequestContent.FromDataset(TRACE, Order.FILE, new Outputs.AsWritten());
    Plan plan = Planner.plan(
        scenario(
            new Workload(new Arrival.Trace(1, 0), List.of(with(content))), requests(4),
            requests(3)), 1);

    assertThat(prefixIds(plan, "warmup")).isNotEmpty()
        .doesNotContainAnyElementsOf(prefixIds(plan, "main"));
    assertThat(ScenarioFixture.offsets(plan, "warmup")).containsExactly(0L, SECOND, 2 * SECOND);
  }

  @Test
  void aTraceIsCutByTimeAndByNumber() {
    assertThat(trace(new Arrival.Trace(1, 0), seconds(3)).requests()).hasSize(2);
    assertThat(trace(new Arrival.Trace(1, 0), seconds(60)).settings().timing().durationNanos())
        .isEqualTo(60 * SECOND);
    assertThat(trace(new Arrival.Trace(1, 0), requests(2)).settings().timing().durationNanos())
        .isEqualTo(3 * SECOND);
  }

  @Test
  void entriesAreTakenInTurnOrAtRandom() {
    RequestContent inTurn =
        new RequestContent.FromDataset(TRACE, Order.FILE, new Outputs.AsWritten());
    RequestContent atRandom =
        new RequestContent.FromDataset(
            TRACE, Order.RANDOM, new Outputs.Drawn(new Lengths.Fixed(3)));

    assertThat(plan(with(inTurn), 6).requests()).extracting(PlannedRequest::maxTokens)
        .containsExactly(10, 12, 13, 16, 10, 12);
    assertThat(plan(with(atRandom), 6).requests()).extracting(PlannedRequest::maxTokens)
        .containsOnly(3);
    assertThat(plan(with(atRandom), 100).requests().stream()
            .map(r -> ((Prompt.Synthetic) r.prompt()).prefixes()).distinct())
        .hasSize(4);
  }

  private static List<Long> prefixIds(Plan plan, String phase) {
    return plan.requests().stream()
        .filter(r -> r.phase().equals(phase))
        .flatMap(r -> ((Prompt.Synthetic) r.prompt()).prefixes().stream())
        .map(SharedPrefix::id)
        .toList();
  }

  private static Dataset.Entry entry(int second, long... ids) {
    List<Dataset.Block> blocks =
        java.util.Arrays.stream(ids).mapToObj(id -> new Dataset.Block(id, 512)).toList();
    return new Dataset.Entry(
        second * SECOND, List.of(new Dataset.Tokens(2000, blocks, 10 + second)));
  }

  private static Plan trace(Arrival.Trace arrival, Extent extent) {
    RequestContent content =
        new RequestContent.FromDataset(TRACE, Order.FILE, new Outputs.AsWritten());
    return Planner.plan(
        scenario(new Workload(arrival, List.of(with(content))), extent, Extent.NOTHING), 1);
  }

  private static Plan mix(RequestClass... classes) {
    return Planner.plan(
        scenario(new Workload(poisson(9), List.of(classes)), requests(5000), Extent.NOTHING), 1);
  }

  private static List<Integer> lengthsOf(Plan plan, String requestClass) {
    return plan.requests().stream()
        .filter(r -> r.requestClass().equals(requestClass))
        .map(PlannedRequest::maxTokens)
        .toList();
  }

  private static RequestClass with(RequestContent content) {
    return new RequestClass(
        "default", 1, content, SharedPrefixes.NONE, Conversation.SINGLE, Cancellation.NEVER,
        ClassForm.PLAIN);
  }

  private static RequestClass conversation(Lengths turns, ThinkTime thinkTime) {
    return new RequestClass(
        "default", 1, PLAIN.content(), SharedPrefixes.NONE, new Conversation(turns, thinkTime),
        Cancellation.NEVER, ClassForm.PLAIN);
  }

  private static Prompt unique(int tokens) {
    return Prompt.Synthetic.unique(tokens);
  }
}
