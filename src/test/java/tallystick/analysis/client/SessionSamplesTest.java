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
import tallystick.analysis.MadeRequest;
import tallystick.analysis.MadeRun;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.SessionAccount;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.runrecord.Outcome;
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
    // From the first start, 10 s, to the last end, 15 + 2.3915 s.
    assertThat(value(sessions.completedPerHour()))
        .isCloseTo(6 / 7.3915 * 3600, within(1e-6));
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

  private static PlannedRequest withTool(PlannedRequest of, boolean tool) {
    return new PlannedRequest(
        of.index(), of.phase(), of.requestClass(), of.user(), of.turn(), of.offsetNanos(),
        of.thinkNanos(), of.prompt(), of.maxTokens(), of.choices(), of.target(), of.cancel(),
        tool);
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
