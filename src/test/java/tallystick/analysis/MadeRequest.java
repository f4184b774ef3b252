package tallystick.analysis;

import static tallystick.analysis.MadeRun.nanos;

import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/** One request, built step by step; a good one of four tokens unless told otherwise. */
final class MadeRequest {
  private final int index;
  private String phase = "main";
  private double intended;
  private double lateness;
  private double ttft = 0.1;
  private double[] gaps = {0.01, 0.01, 0.01};
  private int[] tokens = {};
  private Outcome outcome = Outcome.OK;
  private int status = 200;
  private String finish = "length";
  private int promptTokens = 10;
  private int maxTokens = 4;
  private int usagePrompt = 10;
  private int usageCompletion = 4;
  private boolean streamed = true;

  private MadeRequest(int index, double intended) {
    this.index = index;
    this.intended = intended;
  }

  static MadeRequest request(int index, double intended) {
    return new MadeRequest(index, intended);
  }

  MadeRequest phase(String name) {
    phase = name;
    return this;
  }

  MadeRequest late(double seconds) {
    lateness = seconds;
    return this;
  }

  MadeRequest ttft(double seconds) {
    ttft = seconds;
    return this;
  }

  MadeRequest gaps(double... seconds) {
    gaps = seconds;
    return this;
  }

  MadeRequest tokens(int... perChunk) {
    tokens = perChunk;
    return this;
  }

  MadeRequest usage(int prompt, int completion) {
    usagePrompt = prompt;
    usageCompletion = completion;
    return this;
  }

  MadeRequest noUsage() {
    return usage(RequestRow.UNKNOWN, RequestRow.UNKNOWN);
  }

  MadeRequest planned(int prompt, int max) {
    promptTokens = prompt;
    maxTokens = max;
    return this;
  }

  MadeRequest finish(String reason) {
    finish = reason;
    return this;
  }

  MadeRequest outcome(Outcome how, int httpStatus) {
    outcome = how;
    status = httpStatus;
    finish = "";
    return this;
  }

  MadeRequest silent() {
    streamed = false;
    return noUsage();
  }

  RequestRow build() {
    long start = nanos(intended + lateness);
    long written = start + 100_000;
    long[] arrivals = new long[streamed ? gaps.length + 1 : 0];
    int[] perChunk = new int[arrivals.length];
    for (int i = 0; i < arrivals.length; i++) {
      arrivals[i] = i == 0 ? start + nanos(ttft) : arrivals[i - 1] + nanos(gaps[i - 1]);
      perChunk[i] = i < tokens.length ? tokens[i] : 1;
    }
    long end = streamed ? arrivals[arrivals.length - 1] + 500_000 : start + nanos(ttft);
    return new RequestRow(
        index, phase, "default", index, 0, "id-" + index, promptTokens, maxTokens,
        new RequestRow.Times(
            nanos(intended), start, RequestRow.NEVER, RequestRow.NEVER, written, end - 400_000,
            end - 300_000, end),
        new RequestRow.Chunks(arrivals, perChunk, 0),
        new RequestRow.Usage(usagePrompt, usageCompletion, RequestRow.UNKNOWN),
        new RequestRow.Ending(outcome, status, finish, ""),
        RequestRow.EngineTimings.NONE);
  }
}
