package tallystick.analysis.client;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Oddity;

/** The client's side of the ledger: counts, and how far the engine's may exceed them. */
public final class ClientTally {
  /** The chat API's names for what the engine books as a stop. */
  private static final Set<String> STOPS = Set.of("tool_calls", "function_call");

  /** An engine that is told of a client's leaving knows it after so long, at most. */
  private static final double LEAVING_NANOS = 100e6;

  private final Map<String, Long> completedByReason = new TreeMap<>();
  private long completed;
  private long completedWithoutReason;
  private long withFirstToken;
  private double open;
  private double openWithoutToken;
  private double unknown;
  private long left;
  private long leftAtTheEnd;
  private long refused;
  private long promptTokens;
  private long completionTokens;
  private long completedPromptTokens;
  private long completedOutputTokens;
  private long usageMissing;
  private double promptSlack;
  private long promptSlackRequests;
  private double completionSlack;
  private long promptOverhead;
  private long extraChoices;
  private long stops;
  private double e2eSeconds;
  private boolean e2eComplete = true;

  /**
   * Takes a measured request.
   *
   * @param choices {@code n} of the request: the engine counts it as so many
   */
  public void read(RequestRow row, int choices) {
    extraChoices += choices - 1;
    if (row.hasToken()) {
      withFirstToken += choices;
    }
    if (row.ending().oddities().contains(Oddity.RESENT)) {
      readFirstAttempt(row, choices);
    }
    switch (RequestFate.of(row)) {
      case COMPLETED -> readCompleted(row, choices);
      case ABORTED -> {
        left += row.hasFirstToken() ? choices : 0;
        leftAtTheEnd += isAtItsEnd(row, choices) ? choices : 0;
        readOpen(row, choices);
      }
      case UNKNOWN -> {
        unknown += choices;
        readOpen(row, choices);
      }
      case REFUSED -> refused++;
    }
  }

  /** Takes requests that were sent and have no row; infinitely many where nobody knows. */
  public void lost(double requests) {
    open += requests;
    openWithoutToken += requests;
    unknown += requests;
    if (requests > 0) {
      promptSlack = Double.POSITIVE_INFINITY;
      completionSlack = Double.POSITIVE_INFINITY;
    }
  }

  public Map<String, Long> completedByReason() {
    return completedByReason;
  }

  public long completed() {
    return completed;
  }

  /** Completed requests whose finish reason the server did not say. */
  public long completedWithoutReason() {
    return completedWithoutReason;
  }

  public long withFirstToken() {
    return withFirstToken;
  }

  /** Requests left by the client or of unknown fate. */
  public double open() {
    return open;
  }

  /** Those of them of which no token reached the client. */
  public double openWithoutToken() {
    return openWithoutToken;
  }

  /** Requests of unknown fate. */
  public double unknown() {
    return unknown;
  }

  /**
   * Requests that the engine may have finished unseen: those of unknown fate, and those that the
   * client left so close to their end that the engine may not have known of it in time. Where
   * answers end by themselves, any answer that had begun may have ended.
   */
  public double mayHaveFinished() {
    return unknown + (stops > 0 ? left : leftAtTheEnd);
  }

  public long refused() {
    return refused;
  }

  public long completionTokens() {
    return completionTokens;
  }

  /**
   * Tokens that reached the client or left it.
   *
   * @param count as the client counts them
   * @param slack by how many the engine's count may exceed it; infinite where unknown
   */
  public record Tokens(double count, double slack) {}

  /** Prompt tokens of requests with a first token. */
  public Tokens prompts() {
    return new Tokens(promptTokens, promptSlack());
  }

  /** Output tokens of all requests. */
  public Tokens outputs() {
    return new Tokens(completionTokens, completionSlack);
  }

  /** Prompt tokens of completed requests, for an engine that books them then. */
  public Tokens finishedPrompts() {
    return finished(completedPromptTokens, prompts());
  }

  /** Output tokens of completed requests, for an engine that books them then. */
  public Tokens finishedOutputs() {
    return finished(completedOutputTokens, outputs());
  }

  private Tokens finished(long count, Tokens all) {
    return new Tokens(count, mayHaveFinished() > 0 ? all.slack() + all.count() - count : 0);
  }

  /** Completed requests for which the server sent no usage. */
  public long usageMissing() {
    return usageMissing;
  }

  /** Prompt tokens the engine may have counted beyond the client's; infinite where unknown. */
  public double promptSlack() {
    return promptSlack + (double) promptSlackRequests * promptOverhead;
  }

  /** Answers asked for beyond one for each request. */
  public long extraChoices() {
    return extraChoices;
  }

  /** Requests that ended with {@code stop}. */
  public long stops() {
    return stops;
  }

  /** Sum over completed requests from request written to the end of the stream. */
  public double e2eSeconds() {
    return e2eSeconds;
  }

  /** Whether every completed request is in that sum. */
  public boolean isE2eComplete() {
    return e2eComplete;
  }

  private void readCompleted(RequestRow row, int choices) {
    completed += choices;
    String reason = row.ending().finishReason();
    if (reason.isEmpty()) {
      completedWithoutReason += choices;
    } else {
      String word = STOPS.contains(reason) ? "stop" : reason;
      completedByReason.merge(word, (long) choices, Long::sum);
      stops += word.equals("stop") ? choices : 0;
    }
    if (row.usage().isKnown()) {
      promptTokens += (long) row.usage().promptTokens() * choices;
      completedPromptTokens += (long) row.usage().promptTokens() * choices;
      completionTokens += row.usage().completionTokens();
      completedOutputTokens += row.usage().completionTokens();
      learnOverhead(row);
    } else {
      usageMissing++;
    }
    boolean timed = row.times().written() >= 0 && row.times().ended() >= 0;
    e2eComplete &= timed;
    e2eSeconds += timed ? (row.times().ended() - row.times().written()) / 1e9 * choices : 0;
  }

  /** Chat templates add tokens that the plan does not know; the run itself tells how many. */
  private void learnOverhead(RequestRow row) {
    if (row.promptTokens() >= 0) {
      promptOverhead = Math.max(promptOverhead, row.usage().promptTokens() - row.promptTokens());
    }
  }

  /** It was written to a connection that then died: the engine may have answered it in vain. */
  private void readFirstAttempt(RequestRow row, int choices) {
    unknown += choices;
    open += choices;
    openWithoutToken += choices;
    completionSlack += (double) row.maxTokens() * choices;
    allowPrompt(row, choices);
  }

  private void readOpen(RequestRow row, int choices) {
    open += choices;
    if (!row.hasFirstToken()) {
      openWithoutToken += choices;
    }
    long seen = tokensSeen(row);
    completionTokens += seen;
    completionSlack += (double) row.maxTokens() * choices - seen;
    if (row.hasFirstToken() && row.usage().promptTokens() >= 0 && choices == 1) {
      promptTokens += row.usage().promptTokens();
    } else {
      allowPrompt(row, choices);
    }
  }

  /** Whether the rest of an answer fits, at its own pace, into the time that leaving takes. */
  private static boolean isAtItsEnd(RequestRow row, int choices) {
    long seen = tokensSeen(row);
    long rest = (long) row.maxTokens() * choices - seen;
    long later = row.hasFirstToken() ? seen - Math.max(1, row.chunks().tokens()[0]) : 0;
    if (rest <= 1 || later < 1) {
      return row.hasFirstToken() && rest <= 1;
    }
    long lasted = row.lastTokenNanos() - row.firstTokenNanos();
    return (double) lasted / later * rest <= LEAVING_NANOS;
  }

  private void allowPrompt(RequestRow row, int choices) {
    if (row.promptTokens() >= 0) {
      promptSlack += (double) row.promptTokens() * choices;
      promptSlackRequests += choices;
    } else {
      promptSlack = Double.POSITIVE_INFINITY;
    }
  }

  /** Output tokens known to have reached the client of a request that did not complete. */
  static long tokensSeen(RequestRow row) {
    if (row.usage().completionTokens() >= 0) {
      return row.usage().completionTokens();
    }
    long sum = 0;
    for (int tokens : row.chunks().tokens()) {
      sum += Math.max(0, tokens);
    }
    return sum;
  }
}
