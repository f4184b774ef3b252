package tallystick.plan;

import tallystick.scenario.Workload.Tools;

/** Draws the tools that the turns of one class call. */
final class ToolDraw {
  private final Tools tools;
  private final LengthDraw calls;
  private final PauseDraw time;
  private final LengthDraw resultTokens;
  private final LengthDraw callTokens;
  private final RandomStream callingShare;
  private final RandomStream callCount;
  private final RandomStream running;
  private final RandomStream results;
  private final RandomStream answers;

  ToolDraw(Tools tools, long seed, String purpose) {
    this.tools = tools;
    this.calls = LengthDraw.of(tools.calls());
    this.time = PauseDraw.of(tools.time());
    this.resultTokens = LengthDraw.of(tools.resultTokens());
    this.callTokens = LengthDraw.of(tools.callTokens());
    this.callingShare = RandomStream.of(seed, purpose + "tool-share");
    this.callCount = RandomStream.of(seed, purpose + "tool-calls");
    this.running = RandomStream.of(seed, purpose + "tool-time");
    this.results = RandomStream.of(seed, purpose + "tool-result");
    this.answers = RandomStream.of(seed, purpose + "tool-call");
  }

  /** How many tools the next turn calls; 0 for none. */
  int calls() {
    return callingShare.nextDouble() < tools.share() ? calls.next(callCount) : 0;
  }

  /** Tokens of an answer that calls a tool. */
  int callTokens() {
    return callTokens.next(answers);
  }

  /** What a tool brings back. */
  Prompt result() {
    return Prompt.Synthetic.unique(resultTokens.next(results));
  }

  /** How long a tool runs. */
  long nanos() {
    return time.nanos(running);
  }
}
