package tallystick.plan;

import java.util.ArrayList;
import java.util.List;
import tallystick.scenario.Dataset.Link;
import tallystick.scenario.Workload.Agents;

/** Draws the sub-agents that the turns of one class call. */
final class AgentDraw {
  private final Agents agents;
  private final RandomStream callingShare;
  private final LengthDraw count;
  private final LengthDraw turns;
  private final LengthDraw promptTokens;
  private final LengthDraw outputTokens;
  private final LengthDraw resultTokens;
  private final LengthDraw callTokens;
  private final PauseDraw time;

  AgentDraw(Agents agents, long seed, String purpose) {
    this.agents = agents;
    this.callingShare = RandomStream.of(seed, purpose + "agent-share");
    this.count = LengthDraw.of(agents.count(), RandomStream.of(seed, purpose + "agent-count"));
    this.turns = LengthDraw.of(agents.turns(), RandomStream.of(seed, purpose + "agent-turns"));
    this.promptTokens =
        LengthDraw.of(agents.promptTokens(), RandomStream.of(seed, purpose + "agent-prompt"));
    this.outputTokens =
        LengthDraw.of(agents.outputTokens(), RandomStream.of(seed, purpose + "agent-output"));
    this.resultTokens =
        LengthDraw.of(agents.resultTokens(), RandomStream.of(seed, purpose + "agent-result"));
    this.callTokens =
        LengthDraw.of(agents.callTokens(), RandomStream.of(seed, purpose + "agent-call"));
    this.time = PauseDraw.of(agents.time(), RandomStream.of(seed, purpose + "agent-time"));
  }

  /** How many sub-agents the next turn calls; 0 for none. */
  int count() {
    return callingShare.nextDouble() < agents.share() ? count.next() : 0;
  }

  /** Tokens of the answer that calls them. */
  int callTokens() {
    return callTokens.next();
  }

  /** What they bring back, all together. */
  Prompt result() {
    return Prompt.Synthetic.unique(resultTokens.next());
  }

  /**
   * The requests of one sub-agent, each after the one before.
   *
   * @param agent its number in the session
   * @param caller place of the request that calls it
   * @param first place that its first request will have
   */
  List<Draft.Turn> requests(int agent, int caller, int first) {
    List<Draft.Turn> all = new ArrayList<>();
    int most = turns.next();
    for (int i = 0; i < most; i++) {
      all.add(
          new Draft.Turn(
              Prompt.Synthetic.unique(promptTokens.next()), outputTokens.next(),
              i == 0 ? 0 : time.nanos(), PlannedRequest.Cancel.NEVER, i > 0,
              new Link(agent, List.of(i == 0 ? caller : first + i - 1))));
    }
    return all;
  }
}
