package tallystick.virtualrun;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Endpoint;
import tallystick.simengine.Fault;
import tallystick.simengine.VirtualEngine;
import tallystick.simengine.VirtualRequest;

/**
 * One request in virtual time, from its start to its row.
 *
 * <p>The client's moments are the engine's plus the way each; the client itself takes no time.
 */
final class VirtualCall implements VirtualRequest.Observer {
  private static final String CLOSED = "the server closed (a fault on demand)";

  private final Parts parts;
  private final PlannedRequest request;
  private final int[] prompt;
  private final long intendedNanos;
  private final long startedNanos;
  private final long wayNanos;
  private final long wayBackNanos;
  private final Consumer<VirtualCall> whenOver;
  private Optional<Fault.Stream> harm = Optional.empty();
  private VirtualRequest.Handle handle;
  private long[] arrivals;
  private int[] counts;
  private int chunkCount;
  private int received;
  private int[] answer = new int[0];
  private int openChoices;
  private int chunksBeforeHarm = Integer.MAX_VALUE;
  private int sentChunks;
  private boolean isBroken;
  private boolean isBrokenOff;
  private int cachedTokens;
  private VirtualRequest.Ending ending;
  private RequestRow row;

  /**
   * What every call of a run shares.
   *
   * @param engine where requests go
   * @param world network and client around it
   * @param timeoutNanos after which the client gives up
   * @param ignoreEos whether no answer ends before its length
   * @param withoutStream whether answers come whole, and not token by token
   * @param endpoint where they are posted
   * @param runTag leads every request id
   */
  record Parts(
      VirtualEngine engine,
      VirtualWorld world,
      long timeoutNanos,
      boolean ignoreEos,
      boolean withoutStream,
      Endpoint endpoint,
      String runTag) {}

  VirtualCall(
      Parts parts,
      PlannedRequest request,
      int[] prompt,
      long intendedNanos,
      Consumer<VirtualCall> whenOver) {
    this.parts = parts;
    this.request = request;
    this.prompt = prompt;
    this.intendedNanos = intendedNanos;
    this.startedNanos = parts.engine().nanos();
    this.wayNanos = parts.world().wayNanos();
    this.wayBackNanos = parts.world().wayNanos();
    this.whenOver = whenOver;
    this.openChoices = request.choices();
    this.arrivals = new long[Math.min(64, request.maxTokens() * request.choices())];
    this.counts = new int[arrivals.length];
  }

  /** Sends the request now. */
  void start() {
    VirtualEngine engine = parts.engine();
    engine.at(startedNanos + wayNanos, this::reachServer);
    engine.at(
        startedNanos + parts.timeoutNanos(), () -> leave(Outcome.TIMED_OUT, "gave up waiting"));
    if (request.cancel().afterNanos() > 0) {
      engine.at(
          startedNanos + request.cancel().afterNanos(),
          () -> leave(Outcome.CLIENT_CANCELLED, "left as planned"));
    }
  }

  /** The finished row; set when the call is over. */
  RequestRow row() {
    return row;
  }

  /** The words of the first choice's answer; what ends a text is no word. */
  int[] words() {
    return Arrays.stream(answer).filter(token -> token >= VirtualPrompt.FIRST_WORD).toArray();
  }

  @Override
  public void tokens(long nanos, int choice, int[] tokens) {
    if (row != null || isBrokenOff) {
      return;
    }
    boolean isHarmed = sentChunks >= chunksBeforeHarm;
    boolean isHalf = sentChunks == chunksBeforeHarm && harm() == Fault.Stream.Harm.MALFORMED;
    isBroken |= isHarmed && harm() == Fault.Stream.Harm.MALFORMED;
    if (!isHalf && (!isHarmed || harm() == Fault.Stream.Harm.MALFORMED)) {
      add(nanos, choice, tokens);
    }
    sentChunks++;
    if (sentChunks >= chunksBeforeHarm) {
      breakOff(nanos);
    }
    int leaveAfter = request.cancel().afterTokens();
    if (leaveAfter > 0 && received >= leaveAfter) {
      parts
          .engine()
          .at(
              arrival(nanos),
              () -> leave(Outcome.CLIENT_CANCELLED, "left as planned"));
    }
  }

  private void add(long nanos, int choice, int[] tokens) {
    received += tokens.length;
    if (choice == 0) {
      int end = answer.length;
      answer = Arrays.copyOf(answer, end + tokens.length);
      System.arraycopy(tokens, 0, answer, end, tokens.length);
    }
    if (!parts.withoutStream()) {
      addChunk(nanos, tokens);
    }
  }

  private void addChunk(long nanos, int[] tokens) {
    if (chunkCount == arrivals.length) {
      arrivals = Arrays.copyOf(arrivals, chunkCount * 2);
      counts = Arrays.copyOf(counts, chunkCount * 2);
    }
    arrivals[chunkCount] = arrival(nanos);
    counts[chunkCount] = tokens.length;
    chunkCount++;
  }

  @Override
  public void ended(long nanos, int choice, VirtualRequest.Ending how) {
    cachedTokens = Math.max(cachedTokens, how.cachedTokens());
    ending = how;
    openChoices--;
    if (openChoices == 0) {
      parts.engine().at(arrival(nanos), this::complete);
    }
  }

  private void reachServer() {
    if (row != null) {
      return;
    }
    try {
      handle =
          parts
              .engine()
              .submit(
                  new VirtualRequest(
                      prompt, request.maxTokens(), request.choices(), parts.ignoreEos()),
                  this);
      harm = parts.withoutStream() ? Optional.empty() : handle.harm();
      chunksBeforeHarm =
          harm.map(fault -> fault.afterEvents() - openingEvents()).orElse(Integer.MAX_VALUE);
    } catch (VirtualRequest.Refusal refused) {
      parts
          .engine()
          .at(
              arrival(parts.engine().nanos()),
              () -> over(outcome(refused), refused.status(), "", refused.getMessage()));
    }
  }

  private static Outcome outcome(VirtualRequest.Refusal refused) {
    return refused.status() == VirtualRequest.Refusal.NOBODY
        ? Outcome.REFUSED
        : Outcome.HTTP_ERROR;
  }

  /** A chat answer opens with one event for each choice that holds no text. */
  private int openingEvents() {
    return parts.endpoint() == Endpoint.CHAT_COMPLETIONS ? request.choices() : 0;
  }

  private Fault.Stream.Harm harm() {
    return harm.map(Fault.Stream::harm).orElseThrow();
  }

  /** The server ends the answer, as a fault; its engine then drops the request. */
  private void breakOff(long nanos) {
    switch (harm()) {
      case CUT -> breakOff(nanos, Outcome.CUT_MID_STREAM, CLOSED);
      case ERROR -> breakOff(nanos, Outcome.ERROR_EVENT, "the engine failed (a fault on demand)");
      case MALFORMED -> {}
    }
  }

  private void breakOff(long nanos, Outcome outcome, String detail) {
    isBrokenOff = true;
    parts.engine().at(arrival(nanos), () -> over(outcome, openStatus(), "", detail));
    parts.engine().at(nanos, handle::cancel);
  }

  @Override
  public void lost(long nanos) {
    if (row == null) {
      breakOff(
          nanos, parts.withoutStream() ? Outcome.NO_ANSWER : Outcome.CUT_MID_STREAM, CLOSED);
    }
  }

  private void complete() {
    if (isBroken) {
      over(Outcome.MALFORMED_CHUNK, 200, "", "half an event (a fault on demand)");
    } else if (!isBrokenOff) {
      over(Outcome.OK, 200, ending.finishReason(), "");
    }
  }

  private void leave(Outcome outcome, String detail) {
    if (row != null) {
      return;
    }
    over(outcome, openStatus(), "", detail);
    VirtualRequest.Handle open = handle;
    if (open != null) {
      parts.engine().at(parts.engine().nanos() + wayNanos, open::cancel);
    }
  }

  /** Of an answer that has not ended: a whole one has not begun then. */
  private int openStatus() {
    return parts.withoutStream() ? 0 : 200;
  }

  private void over(Outcome outcome, int status, String finishReason, String detail) {
    if (row != null) {
      return;
    }
    long now = parts.engine().nanos();
    while (chunkCount > 0 && arrivals[chunkCount - 1] > now) {
      chunkCount--;
    }
    RequestRow.Chunks chunks =
        new RequestRow.Chunks(
            Arrays.copyOf(arrivals, chunkCount), Arrays.copyOf(counts, chunkCount), 0,
            RequestRow.NEVER, thinking());
    boolean isOk = outcome == Outcome.OK;
    boolean tellsHits = parts.engine().settings().serving().enablePromptTokensDetails();
    row =
        new RequestRow(
            request.index(), request.phase(), request.requestClass(), request.user(),
            request.target(), parts.runTag() + "-" + request.index(), plannedTokens(),
            request.maxTokens(), times(now, status, chunks), chunks,
            isOk
                ? new RequestRow.Usage(
                    prompt.length, received, tellsHits ? cachedTokens : RequestRow.UNKNOWN,
                    wholeThinking())
                : RequestRow.Usage.NONE,
            new RequestRow.Ending(outcome, status, finishReason, detail),
            isOk ? timings() : RequestRow.EngineTimings.NONE);
    whenOver.accept(this);
  }

  /** What the usage of a whole response tells of its thinking. */
  private int wholeThinking() {
    return parts.withoutStream() && parts.endpoint() == Endpoint.RESPONSES
        ? Math.min(received, reasoningTokens())
        : RequestRow.UNKNOWN;
  }

  private int reasoningTokens() {
    return parts.engine().settings().serving().reasoningTokens();
  }

  /** Chunks before the answer itself. */
  private int thinking() {
    int left = parts.endpoint().takesMessages() ? reasoningTokens() : 0;
    int chunks = 0;
    while (chunks < chunkCount && counts[chunks] <= left) {
      left -= counts[chunks++];
    }
    return chunks;
  }

  /** When the client reads what left the server at a moment. */
  private long arrival(long leftNanos) {
    return parts.world().noticed(leftNanos + wayBackNanos);
  }

  private RequestRow.Times times(long now, int status, RequestRow.Chunks chunks) {
    if (parts.withoutStream()) {
      long all = status > 0 ? now : RequestRow.NEVER;
      return new RequestRow.Times(
          intendedNanos, startedNanos, RequestRow.NEVER, RequestRow.NEVER, startedNanos, all, all,
          now, RequestRow.NEVER);
    }
    long headers = arrival(startedNanos + wayNanos);
    return new RequestRow.Times(
        intendedNanos,
        startedNanos,
        RequestRow.NEVER,
        RequestRow.NEVER,
        startedNanos,
        headers <= now ? headers : RequestRow.NEVER,
        chunks.size() > 0 ? chunks.arrivalNanos()[0] : RequestRow.NEVER,
        now, RequestRow.NEVER);
  }

  private RequestRow.EngineTimings timings() {
    boolean isTold = parts.engine().settings().serving().enablePerRequestMetrics();
    if (!isTold || request.choices() > 1) {
      return RequestRow.EngineTimings.NONE;
    }
    int gaps = ending.generatedTokens() - 1;
    return new RequestRow.EngineTimings(
        ending.prefillSeconds(),
        ending.decodeSeconds(),
        ending.queueSeconds(),
        gaps > 0 ? ending.decodeSeconds() / gaps : Double.NaN);
  }

  private int plannedTokens() {
    return request.prompt() instanceof Prompt.Synthetic synthetic
        ? synthetic.tokens()
        : RequestRow.UNKNOWN;
  }
}
