package tallystick.analysis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.analysis.MadeRequest.request;
import static tallystick.analysis.SmallRun.codes;
import static tallystick.analysis.SmallRun.value;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.analysis.MadeRequest;
import tallystick.analysis.MadeRun;
import tallystick.analysis.SmallRun;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.SessionAccount;
import tallystick.analysis.result.Strength;
import tallystick.analysis.result.Usability;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

class SessionSamplesTest {
  private final MadeRun run = new MadeRun().window(10, 69);
  private final List<PlannedRequest> plan = new ArrayList<>();

  @Test
  void sessionsOfThreeTurnsAreCountedAndTimedAsWholes() throws IOException {
    // Each request takes 0.1305 s to its end; pauses of 1 s.
    for (int user = 0; user < 6; user++) {
      session(user, 10 + user, 3, 3);
    }
    SessionAccount sessions = analyze().sessions();
    assertThat(sessions.planned()).isEqualTo(6);
    assertThat(sessions.begun()).isEqualTo(6);
    assertThat(sessions.completed()).isEqualTo(6);
    assertThat(sessions.requests()).isEqualTo(18);
    assertThat(sessions.unsent()).isZero();
    assertThat(value(sessions.seconds().percentile(0.5)))
        .isCloseTo(2 * 1.1305 + 0.1305, within(1e-6));
    assertThat(value(sessions.requestSeconds().percentile(0.5)))
        .isCloseTo(3 * 0.1305, within(1e-6));
    // From the origin, 10 s, to the last end of the user who came at 15 s.
    assertThat(value(sessions.completedPerHour()))
        .isCloseTo(6 / (5 + 2 * 1.1305 + 0.1305) * 3600, within(1e-6));
    assertThat(sessions.goodPerHour()).isInstanceOf(Figure.Unavailable.class);
  }

  @Test
  void turnsStandApartAndLaterOnesTogether() throws IOException {
    for (int user = 0; user < 6; user++) {
      session(user, 10 + user, 10, 10);
    }
    List<SessionAccount.Turn> turns = analyze().sessions().turns();
    assertThat(turns).extracting(SessionAccount.Turn::first).containsExactly(1, 2, 3, 4, 5, 9);
    assertThat(turns).extracting(SessionAccount.Turn::last).containsExactly(1, 2, 3, 4, 8, 0);
    assertThat(turns).extracting(SessionAccount.Turn::requests)
        .containsExactly(6L, 6L, 6L, 6L, 24L, 12L);
    assertThat(value(turns.get(1).ttft().percentile(0.5))).isCloseTo(0.1, within(1e-6));
    assertThat(value(turns.get(1).e2e().percentile(0.5))).isCloseTo(0.13, within(1e-6));
    // The n-th turn has 10 n prompt tokens, of which 10 (n - 1) are cached.
    assertThat(value(turns.get(4).promptTokens())).isCloseTo(65, within(1e-9));
    assertThat(value(turns.get(4).cachedShare())).isCloseTo(55.0 / 65, within(1e-9));
  }

  @Test
  void theLedgerClosesOverSessionsThatFailedWereLeftOrCut() throws IOException {
    session(0, 10, 3, 3);
    session(1, 11, 3, 2, Outcome.HTTP_ERROR);
    session(2, 12, 3, 1, Outcome.CLIENT_CANCELLED);
    session(3, 13, 3, 2);
    session(4, 14, 3, 0);
    SessionAccount sessions = analyze().sessions();
    assertThat(sessions.planned()).isEqualTo(5);
    assertThat(sessions.begun()).isEqualTo(4);
    assertThat(sessions.completed()).isEqualTo(1);
    assertThat(sessions.failed()).isEqualTo(1);
    assertThat(sessions.left()).isEqualTo(1);
    assertThat(sessions.cut()).isEqualTo(1);
    assertThat(sessions.requests()).isEqualTo(8);
    assertThat(sessions.unsent()).isEqualTo(4);
  }

  @Test
  void aSessionIsGoodIfEveryRequestIs() throws IOException {
    run.objectives.add(new Objective(Metric.TTFT, 0.2, 0.9, ""));
    session(0, 10, 3, 3);
    session(1, 11, 3, 3);
    session(2, 12, 3, 2, Outcome.HTTP_ERROR);
    run.requests.set(4, made(4, 1, 12.1305, 1).ttft(0.3).build());
    SessionAccount sessions = analyze().sessions();
    assertThat(sessions.good()).isEqualTo(1);
    assertThat(sessions.judged()).isEqualTo(3);
    assertThat(value(sessions.goodPerHour()))
        .isCloseTo(value(sessions.completedPerHour()) / 2, within(1e-9));
  }

  @Test
  void aTurnWithToolsIsSeveralRequestsAndTheirTimeIsToldApart() throws IOException {
    // Two turns of three requests each: pauses of 1 s, of which four are tools and one is thought.
    for (int user = 0; user < 6; user++) {
      session(user, 10 + user, 6, 6);
    }
    plan.replaceAll(request -> withTool(request, request.turn() % 3 > 0));
    SessionAccount sessions = analyze().sessions();
    assertThat(sessions.toolCalls()).isEqualTo(24);
    assertThat(value(sessions.seconds().percentile(0.5)))
        .isCloseTo(6 * 0.1305 + 5, within(1e-6));
    assertThat(value(sessions.withoutToolSeconds().percentile(0.5)))
        .isCloseTo(6 * 0.1305 + 1, within(1e-6));
    assertThat(value(sessions.requestSeconds().percentile(0.5)))
        .isCloseTo(6 * 0.1305, within(1e-6));
    assertThat(sessions.turns()).extracting(SessionAccount.Turn::first).containsExactly(1, 2);
    assertThat(sessions.turns()).extracting(SessionAccount.Turn::requests)
        .containsExactly(18L, 18L);
    assertThat(value(sessions.turns().get(1).seconds().percentile(0.5)))
        .isCloseTo(3 * 0.1305 + 2, within(1e-6));
  }

  /** Of 2.39 s each, two or three pauses may have taken 47 ms each. */
  @ParameterizedTest
  @CsvSource({"0.5, true", "2.35, false", "10, true"})
  void sessionsThatMissedTurnByAllPausesThatTheyMet(double limit, boolean isUsable)
      throws IOException {
    run.objectives.add(new Objective(Metric.SESSION_TIME, limit, 0.9, ""));
    for (int user = 0; user < 40; user++) {
      session(user, 10 + user, 3, 3);
      run.harness.add(new HarnessRow.Stall(MadeRun.nanos(12 + user), MadeRun.nanos(0.021)));
    }
    RunAnalysis analysis = analyze();

    assertThat(analysis.objectives().getFirst().strength()).isEqualTo(Strength.SURE);
    assertThat(analysis.harness().saturated()).isTrue();
    assertThat(Usability.of(analysis).isForVerdicts()).isEqualTo(isUsable);
  }

  private static PlannedRequest withTool(PlannedRequest of, boolean tool) {
    return new PlannedRequest(
        of.index(), of.phase(), of.requestClass(), of.user(), of.turn(), of.offsetNanos(),
        of.thinkNanos(), of.prompt(), of.maxTokens(), of.choices(), of.target(), of.cancel(),
        tool, 0, List.of(), false);
  }

  /** Sessions of three requests of 0.1305 s and two pauses of 1 s: 2.3915 s. */
  @Test
  void anObjectiveOnSessionsJudgesThemAsWholes() throws IOException {
    run.objectives.add(new Objective(Metric.SESSION_TIME, 2.4, 0.9, ""));
    run.objectives.add(new Objective(Metric.SESSION_TIME, 2.39, 0.9, ""));
    for (int user = 0; user < 30; user++) {
      session(user, 10 + user, 3, 3);
    }
    session(30, 41, 3, 2, Outcome.HTTP_ERROR);
    session(31, 42, 3, 2, Outcome.CLIENT_CANCELLED);
    session(32, 43, 3, 2);
    RunAnalysis analysis = analyze();
    ObjectiveResult wide = analysis.objectives().getFirst();
    assertThat(wide.judged()).isEqualTo(31);
    assertThat(wide.good()).isEqualTo(30);
    assertThat(wide.verdict()).isEqualTo(Judgement.Verdict.MET);
    assertThat(value(wide.evidence().percentile())).isCloseTo(2.3915, within(1e-6));
    assertThat(analysis.objectives().getLast().good()).isZero();
    assertThat(analysis.phases().getFirst().objectives().getFirst().judged()).isEqualTo(31);
    assertThat(analysis.sessions().good()).isZero();
    assertThat(SmallRun.finding(analysis, "sessions_cut").text())
        .startsWith("The end of the run cut 1 session short.");
    assertThat(analysis.load().goodput().limits()).isEmpty();
  }

  @Test
  void sessionsAreCountedAgainFromTheRows() throws IOException {
    run.objectives.add(new Objective(Metric.SESSION_TIME_WITHOUT_TOOLS, 2.3, 0.5, ""));
    run.objectives.add(
        Objective.ofAll(
            List.of(
                new Objective.Limit(Metric.TTFT, 0.2),
                new Objective.Limit(Metric.SESSION_TIME, 4.6)),
            0.5, ""));
    for (int user = 0; user < 40; user++) {
      session(user, 10 + user, 2 + user % 4, 2 + user % 4);
    }
    // In every third session the first token of the second request is late.
    for (int index = 0; index < plan.size(); index++) {
      PlannedRequest asked = plan.get(index);
      if (asked.turn() == 1 && asked.user() % 3 == 0) {
        run.requests.set(
            index, made(index, asked.user(), 10 + asked.user() + 1.1305, 1).ttft(0.3).build());
      }
    }
    plan.replaceAll(request -> withTool(request, request.turn() % 2 == 1));
    long withoutTools = 0;
    long joint = 0;
    for (int user = 0; user < 40; user++) {
      int of = user;
      List<RequestRow> rows = run.requests.stream().filter(row -> row.user() == of).toList();
      long whole = rows.getLast().times().ended() - rows.getFirst().times().intended();
      long tools = 0;
      boolean isInTime = whole <= 4_600_000_000L;
      for (RequestRow row : rows) {
        int at = rows.indexOf(row);
        tools += at % 2 == 1
            ? row.times().intended() - rows.get(at - 1).times().ended() : 0;
        isInTime &= row.firstTokenNanos() - row.times().intended() <= 200_000_000L;
      }
      withoutTools += whole - tools <= 2_300_000_000L ? 1 : 0;
      joint += isInTime ? 1 : 0;
    }
    RunAnalysis analysis = analyze();
    assertThat(joint).isBetween(10L, 30L);
    assertThat(withoutTools).isBetween(10L, 30L);
    assertThat(analysis.objectives()).extracting(ObjectiveResult::judged).containsOnly(40L);
    assertThat(analysis.objectives()).extracting(ObjectiveResult::good)
        .containsExactly(withoutTools, joint);
    assertThat(analysis.load().goodput().limits()).singleElement()
        .extracting(Objective::metric).isEqualTo(Metric.TTFT);
  }

  @Test
  void aSessionItsClientLeftIsBadIfItHadTakenTooLong() throws IOException {
    run.objectives.add(new Objective(Metric.SESSION_TIME, 1.1, 0.9, ""));
    session(0, 10, 3, 1, Outcome.CLIENT_CANCELLED);
    session(1, 11, 3, 2, Outcome.CLIENT_CANCELLED);
    ObjectiveResult result = analyze().objectives().getFirst();
    assertThat(result.judged()).isEqualTo(1);
    assertThat(result.good()).isZero();
  }

  /** A token of the second request came before the one that it follows. */
  @Test
  void aSessionWithARequestOutOfOrderIsJudgedByWhatCanBeBelieved() throws IOException {
    run.objectives.add(new Objective(Metric.SESSION_TIME, 2.4, 0.9, ""));
    run.objectives.add(
        Objective.ofAll(
            List.of(
                new Objective.Limit(Metric.TTFT, 0.2),
                new Objective.Limit(Metric.SESSION_TIME, 2.4)),
            0.9, ""));
    session(0, 10, 3, 3);
    session(1, 20, 3, 3);
    session(2, 30, 3, 2, Outcome.HTTP_ERROR);
    session(3, 40, 3, 3, Outcome.HTTP_ERROR);
    session(4, 50, 3, 3);
    for (int user = 1; user < 5; user++) {
      MadeRequest made = made(3 * user + 1, user, 10 + 10 * user + 1.1305, 1);
      boolean isLast = user == 2;
      run.requests.set(
          user < 3 ? 3 * user + 1 : 3 * user,
          (isLast ? made.outcome(Outcome.HTTP_ERROR, 500) : made)
              .gaps(0.02, -0.01, 0.02).build());
    }
    run.requests.set(13, made(14, 4, 52.261, 2).ttft(0.3).build());
    RunAnalysis analysis = analyze();
    assertThat(codes(analysis)).contains("times_out_of_order");
    // Of the session 1 nobody can tell the time; 2 and 3 failed; a first token of 4 was late.
    assertThat(analysis.sessions().completed()).isEqualTo(3);
    assertThat(analysis.sessions().failed()).isEqualTo(2);
    assertThat(analysis.objectives()).extracting(ObjectiveResult::judged)
        .containsExactly(3L, 4L);
    assertThat(analysis.objectives()).extracting(ObjectiveResult::good).containsOnly(1L);
    assertThat(analysis.phases().getFirst().objectives())
        .isEqualTo(analysis.objectives());
    assertThat(analysis.sessions().judged()).isEqualTo(4);
    assertThat(analysis.sessions().good()).isEqualTo(1);
  }

  @Test
  void withoutAnEndedSessionNoneIsJudged() throws IOException {
    run.objectives.add(new Objective(Metric.SESSION_TIME, 9, 0.9, ""));
    session(0, 10, 3, 1);
    assertThat(analyze().objectives().getFirst().share())
        .isEqualTo(Figure.missing("no session ended"));
  }

  /**
   * Requests of 0.1305 s. The first calls two sub-agents, one of which asks twice; the fifth waits
   * for both, and the sixth is another turn, after a second.
   */
  @Test
  void aSessionWithSubAgentsIsTimedByItsClockAndBelongsToItsTurns() throws IOException {
    run.objectives.add(new Objective(Metric.SESSION_TIME, 3.3, 0.9, ""));
    for (int user = 0; user < 6; user++) {
      branching(user, 10 + 5 * user, Outcome.OK);
    }
    SessionAccount sessions = analyze().sessions();
    assertThat(sessions.completed()).isEqualTo(6);
    assertThat(sessions.good()).isEqualTo(6);
    assertThat(sessions.turns()).extracting(SessionAccount.Turn::requests)
        .containsExactly(30L, 6L);
    // 0, 0.5 and 0.7, 1.2, 2: the fifth ends at 2.1305 s, and the sixth is due a second later.
    assertThat(value(sessions.turns().getFirst().seconds().percentile(0.5)))
        .isCloseTo(2.1305, within(1e-6));
    assertThat(value(sessions.seconds().percentile(0.5)))
        .isCloseTo(3.1305 + 0.1305, within(1e-6));
    assertThat(value(sessions.requestSeconds().percentile(0.5)))
        .isCloseTo(6 * 0.1305, within(1e-6));
    assertThat(sessions.toolCalls()).isEqualTo(6);
    // Only the tool's result at 2 s was waited for while nothing went on: since 1.3305 s.
    assertThat(value(sessions.withoutToolSeconds().percentile(0.5)))
        .isCloseTo(3.261 - (2 - 1.3305), within(1e-6));
  }

  @Test
  void whatRunsSideBySideCountsOnceWithoutPauses() throws IOException {
    for (int i = 0; i < 12; i++) {
      int user = i / 2;
      int turn = i % 2;
      plan.add(
          new PlannedRequest(
              i, "main", "default", user, turn,
              turn == 0 ? user * 1_000_000_000L : PlannedRequest.AFTER_FIRST_START, 0,
              Prompt.Synthetic.unique(10), 4, 1, 0, PlannedRequest.Cancel.NEVER, false, turn,
              List.of(), false));
      run.requests.add(made(i, user, 10 + user + 0.1 * turn, turn).build());
    }
    assertThat(value(analyze().sessions().requestSeconds().percentile(0.5)))
        .isCloseTo(0.2305, within(1e-6));
  }

  @Test
  void aSubAgentThatFailsEndsTheSessionAndWhatWentOnBesideItIsCounted() throws IOException {
    branching(0, 10, Outcome.OK);
    branching(1, 15, Outcome.HTTP_ERROR);
    SessionAccount sessions = analyze().sessions();
    assertThat(sessions.begun()).isEqualTo(2);
    assertThat(sessions.failed()).isEqualTo(1);
    assertThat(sessions.cut()).isZero();
    assertThat(sessions.requests()).isEqualTo(9);
    assertThat(sessions.unsent()).isEqualTo(3);
  }

  /** Where the second request does not end well, the third goes on and no other follows. */
  private void branching(int user, double at, Outcome second) {
    double[] starts = {0, 0.5, 0.7, 1.2, 2, 3.1305};
    int[] agents = {0, 1, 2, 1, 0, 0};
    List<List<Integer>> after =
        List.of(
            List.of(), List.of(0), List.of(0), List.of(1), List.of(0, 2, 3), List.of());
    for (int turn = 0; turn < starts.length; turn++) {
      int index = plan.size();
      plan.add(
          new PlannedRequest(
              index, "main", "default", user, turn,
              turn == 0 ? Math.round((at - 10) * 1e9) : PlannedRequest.AFTER_PREVIOUS, 0,
              Prompt.Synthetic.unique(10), 4, 1, 0, PlannedRequest.Cancel.NEVER, turn == 4,
              agents[turn], after.get(turn), false));
      MadeRequest made = made(index, user, at + starts[turn], turn);
      if (turn == 1 && second != Outcome.OK) {
        run.requests.add(made.outcome(second, 500).build());
      } else if (turn < 3 || second == Outcome.OK) {
        run.requests.add(made.build());
      }
    }
  }

  @Test
  void singleRequestsAreNoSessions() throws IOException {
    session(0, 10, 1, 1);
    session(1, 11, 1, 1);
    assertThat(analyze().sessions().isThere()).isFalse();
  }

  /** A session of which some requests have ended, all of them well. */
  private void session(int user, double at, int planned, int ended) {
    session(user, at, planned, ended, Outcome.OK);
  }

  private void session(int user, double at, int planned, int ended, Outcome last) {
    for (int turn = 0; turn < planned; turn++) {
      int index = plan.size();
      plan.add(
          new PlannedRequest(
              index, "main", "default", user, turn,
              turn == 0 ? Math.round((at - 10) * 1e9) : PlannedRequest.AFTER_PREVIOUS,
              turn == 0 ? 0 : 1_000_000_000L, Prompt.Synthetic.unique(10), 4, 1, 0,
              PlannedRequest.Cancel.NEVER));
      if (turn < ended) {
        MadeRequest made = made(index, user, at + turn * 1.1305, turn);
        boolean isLast = turn + 1 == ended && last != Outcome.OK;
        run.requests.add((isLast ? made.outcome(last, 500) : made).build());
      }
    }
  }

  private static MadeRequest made(int index, int user, double at, int turn) {
    return request(index, at).user(user).usage(10 * (turn + 1), 4).cached(10 * turn);
  }

  private RunAnalysis analyze() throws IOException {
    run.plan(plan);
    RunAnalysis analysis = run.analyze();
    assertThat(codes(analysis)).doesNotContain("row_out_of_place");
    return analysis;
  }
}
