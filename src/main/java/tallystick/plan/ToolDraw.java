package tallystick.plan;

import tallystick.scenario.Workload.Tools;

/** Draws the tools that the turns of one class call. */
final class ToolDraw {
  private final Tools tools;
  private final RandomStream callingShare;
  private final LengthDraw calls;
  private final PauseDraw time;
  private final LengthDraw resultTokens;
  private final LengthDraw callTokens;

  ToolDraw(Tools tools, long seed, String purpose) {
    this.tools = tools;
    this.callingShare = RandomStream.of(seed, purpose + "tool-share");
    this.calls = LengthDraw.of(tools.calls(), RandomStream.of(seed, purpose + "tool-calls"));
    this.time = PauseDraw.of(tools.time(), RandomStream.of(seed, purpose + "tool-time"));
    this.resultTokens =
        LengthDraw.of(tools.resultTokens(), RandomStream.of(seed, purpose + "tool-result"));
    this.callTokens =
        LengthDraw.of(tools.callTokens(), RandomStream.of(seed, purpose + "tool-call"));
  }

  /** How many tools the next turn calls; 0 for none. */
  int calls() {
    return callingShare.nextDouble() < tools.share() ? calls.next() : 0;
  }

  /** Tokens of an answer that calls a tool. */
  int callTokens() {
    return callTokens.next();
  }

  /** What a tool brings back. */
  Prompt result() {
    return Prompt.Synthetic.unique(resultTokens.next());
  }

  /** How long a tool runs. */
  long nanos() {
    return time.nanos();
  }
}
