package tallystick.analysis;

import static tallystick.analysis.MadeRun.nanos;

import java.util.List;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Oddity;

/** One request, built step by step; a good one of four tokens unless told otherwise. */
public final class MadeRequest {
  private final int index;
  private int target;
  private String phase = "main";
  private double intended;
  private double lateness;
  private double writing = 0.0001;
  private double ttft = 0.1;
  private double[] gaps = {0.01, 0.01, 0.01};
  private int[] tokens = {};
  private Outcome outcome = Outcome.OK;
  private int status = 200;
  private String finish = "length";
  private String detail = "";
  private int promptTokens = 10;
  private int maxTokens = 4;
  private int usagePrompt = 10;
  private int usageCompletion = 4;
  private int usageCached = RequestRow.UNKNOWN;
  private int user = -1;
  private int usageReasoning = RequestRow.UNKNOWN;
  private boolean streamed = true;
  private boolean isWhole;
  private int thinking;
  private List<Oddity> oddities = List.of();

  private MadeRequest(int index, double intended) {
    this.index = index;
    this.intended = intended;
  }

  public static MadeRequest request(int index, double intended) {
    return new MadeRequest(index, intended);
  }

  public MadeRequest phase(String name) {
    phase = name;
    return this;
  }

  public MadeRequest late(double seconds) {
    lateness = seconds;
    return this;
  }

  /** Sent to this target. */
  MadeRequest target(int sentTo) {
    target = sentTo;
    return this;
  }

  /** Written so long after its start. */
  MadeRequest writtenAfter(double seconds) {
    writing = seconds;
    return this;
  }

  public MadeRequest ttft(double seconds) {
    ttft = seconds;
    return this;
  }

  public MadeRequest gaps(double... seconds) {
    gaps = seconds;
    return this;
  }

  public MadeRequest tokens(int... perChunk) {
    tokens = perChunk;
    return this;
  }

  /** The first so many chunks are thinking. */
  public MadeRequest thinking(int chunks) {
    thinking = chunks;
    return this;
  }

  public MadeRequest usage(int prompt, int completion) {
    usagePrompt = prompt;
    usageCompletion = completion;
    return this;
  }

  /** So many of the prompt's tokens came from the prefix cache. */
  public MadeRequest cached(int tokens) {
    usageCached = tokens;
    return this;
  }

  /** Sent by this user; by default each has a user of its own. */
  public MadeRequest user(int whose) {
    user = whose;
    return this;
  }

  public MadeRequest noUsage() {
    return usage(RequestRow.UNKNOWN, RequestRow.UNKNOWN);
  }

  public MadeRequest planned(int prompt, int max) {
    promptTokens = prompt;
    maxTokens = max;
    return this;
  }

  MadeRequest finish(String reason) {
    finish = reason;
    return this;
  }

  public MadeRequest outcome(Outcome how, int httpStatus) {
    outcome = how;
    status = httpStatus;
    finish = "";
    return this;
  }

  /** The server, or the network, says why it failed. */
  MadeRequest saying(String words) {
    detail = words;
    return this;
  }

  /** Not streamed: it ends where its last chunk would have come, and half a millisecond later. */
  public MadeRequest whole() {
    isWhole = true;
    return this;
  }

  /** The server counts so many tokens of thinking. */
  public MadeRequest reasoning(int tokens) {
    usageReasoning = tokens;
    return this;
  }

  public MadeRequest silent() {
    streamed = false;
    return noUsage();
  }

  public MadeRequest odd(Oddity oddity) {
    oddities = List.of(oddity);
    return this;
  }

  public RequestRow build() {
    long start = nanos(intended + lateness);
    long written = start + nanos(writing);
    long[] arrivals = new long[streamed ? gaps.length + 1 : 0];
    int[] perChunk = new int[arrivals.length];
    for (int i = 0; i < arrivals.length; i++) {
      arrivals[i] = i == 0 ? start + nanos(ttft) : arrivals[i - 1] + nanos(gaps[i - 1]);
      perChunk[i] = i < tokens.length ? tokens[i] : 1;
    }
    long end = streamed ? arrivals[arrivals.length - 1] + 500_000 : start + nanos(ttft);
    long firstByte = streamed ? arrivals[0] : end - 300_000;
    return new RequestRow(
        index, phase, "default", user < 0 ? index : user, target, "id-" + index, promptTokens,
        maxTokens,
        new RequestRow.Times(
            nanos(intended), start, RequestRow.NEVER, RequestRow.NEVER, written,
            firstByte - 100_000, firstByte, end, RequestRow.NEVER),
        isWhole
            ? RequestRow.Chunks.NONE
            : new RequestRow.Chunks(arrivals, perChunk, 0, RequestRow.NEVER, thinking),
        new RequestRow.Usage(usagePrompt, usageCompletion, usageCached, usageReasoning),
        new RequestRow.Ending(outcome, status, finish, detail, oddities),
        RequestRow.EngineTimings.NONE);
  }
}
