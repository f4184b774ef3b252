package tallystick.analysis.client;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/** What was sent and what came back, gathered in one pass. */
public final class RequestCounts {
  private static final double MOMENT_SECONDS = 1e-3; // what all comes in one has no rate

  /** Other words are counted together. */
  private static final int MOST_WORDS = 8;

  /** Reasons that begin so alike are one: what follows may name the request. */
  private static final int ALIKE_CHARS = 80;

  /** Enough for what is wrong and what the server wants instead. */
  private static final int MOST_CHARS = 240;

  /** A word with a digit that is too long for a figure names a request, or an answer. */
  private static final Pattern ID = Pattern.compile("\\b(?=\\w*\\d)\\w{12,}");

  private static final String OTHER_REASONS = "for other reasons";

  /** As the system says that a process has as many files and sockets as it may. */
  private static final String NO_DESCRIPTOR = "Too many open files";

  private final Map<String, Long> byOutcome = new TreeMap<>();
  private final Map<String, Long> byStatus = new TreeMap<>();
  private final Map<String, Long> whyFailed = new TreeMap<>();
  private final Map<String, String> saidFirst = new HashMap<>();
  private long withoutDescriptor;
  private long ended;
  private long ok;
  private long promptTokens;
  private long completionTokens;
  private long okCompletionTokens;
  private long usageKnown;
  private long okWithoutUsage;
  private long maxTokens;
  private long chunks;
  private long mergedChunks;
  private long unknownChunks;
  private long coalescedChunks;
  private long notObservedChunks;
  private final MeasuredWindow window;
  private final long sentUntilNanos;
  private long firstIntended = Long.MAX_VALUE;
  private long lastIntended = Long.MIN_VALUE;
  private long lastEnd = Long.MIN_VALUE;
  private double wholeSeconds;

  /**
   * Nothing read so far.
   *
   * @param sentUntilNanos {@link ClientFrame#sentUntilNanos()}
   */
  RequestCounts(MeasuredWindow window, long sentUntilNanos) {
    this.window = window;
    this.sentUntilNanos = sentUntilNanos;
  }

  /** Takes a measured request. */
  void read(RequestRow row) {
    ended++;
    byOutcome.merge(word(row.ending().outcome()), 1L, Long::sum);
    int status = row.ending().status();
    byStatus.merge(status == 0 ? "none" : Integer.toString(status), 1L, Long::sum);
    readFailure(row.ending());
    if (row.ending().outcome() == Outcome.OK) {
      ok++;
      wholeSeconds += (row.times().ended() - row.times().started()) / 1e9;
      okWithoutUsage += row.usage().isKnown() ? 0 : 1;
      okCompletionTokens += row.usage().isKnown() ? row.usage().completionTokens() : 0;
    }
    if (row.usage().isKnown()) {
      usageKnown++;
      promptTokens += row.usage().promptTokens();
      completionTokens += row.usage().completionTokens();
    }
    maxTokens += row.maxTokens();
    readChunks(row.chunks());
    readTimes(row.times());
  }

  private void readFailure(RequestRow.Ending ending) {
    String why = ending.detail();
    boolean isRefused = ending.outcome() == Outcome.HTTP_ERROR;
    if (ending.outcome() == Outcome.OK || why.isEmpty() && !isRefused) {
      return;
    }
    withoutDescriptor += why.contains(NO_DESCRIPTOR) ? 1 : 0;
    String kind = isRefused ? "HTTP " + ending.status() : word(ending.outcome());
    String words = why.isEmpty() ? kind : kind + ": " + begin(why, MOST_CHARS);
    String alike = begin(ID.matcher(words).replaceAll("…"), ALIKE_CHARS);
    boolean isTold = whyFailed.containsKey(alike) || whyFailed.size() < MOST_WORDS;
    whyFailed.merge(isTold ? alike : OTHER_REASONS, 1L, Long::sum);
    saidFirst.putIfAbsent(isTold ? alike : OTHER_REASONS, isTold ? words : OTHER_REASONS);
  }

  private static String begin(String text, int mostChars) {
    return text.length() <= mostChars ? text : text.substring(0, mostChars) + "…";
  }

  /** Why requests did not end well, in the words of their rows; the most frequent first. */
  public List<String> whyFailed() {
    return whyFailed.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(entry -> entry.getValue() + " " + saidFirst.get(entry.getKey()))
        .toList();
  }

  /** Requests for which this machine gave no socket. */
  public long withoutDescriptor() {
    return withoutDescriptor;
  }

  /**
   * The counts.
   *
   * @param planned requests the plan had
   * @param sentByProgress requests started, as the last progress note says
   * @param isSentTold whether none can have been started after that note
   */
  public RunAnalysis.Counts counts(long planned, long sentByProgress, boolean isSentTold) {
    double seconds = windowSeconds();
    long sent = Math.max(ended, sentByProgress);
    return new RunAnalysis.Counts(
        planned,
        sent,
        isSentTold
            ? Figure.of(sent - ended)
            : Figure.missing("the harness noted nothing more when it ended"),
        ended,
        ok,
        Map.copyOf(byOutcome),
        tokens(promptTokens),
        tokens(completionTokens),
        chunks,
        chunks > 0 && unknownChunks == chunks
            ? Figure.missing("the server did not say how many tokens a chunk carries")
            : Figure.of(mergedChunks),
        unknownChunks,
        chunks > 0 && notObservedChunks == chunks
            ? Figure.missing("not observed")
            : Figure.of(coalescedChunks),
        seconds > 0 ? Figure.of(ok / seconds) : Figure.missing("no request"),
        tokens(okCompletionTokens).over(Figure.of(seconds), "no request"));
  }

  /** The word of an outcome in counts: its name in lower case. */
  public static String word(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }

  public Map<String, Long> byStatus() {
    return Map.copyOf(byStatus);
  }

  public long ended() {
    return ended;
  }

  public long ok() {
    return ok;
  }

  public long unknownChunks() {
    return unknownChunks;
  }

  /** Share of chunks known to carry several tokens, among those that told. */
  public double mergedShare() {
    long told = chunks - unknownChunks;
    return told == 0 ? Double.NaN : (double) mergedChunks / told;
  }

  /** Mean of usage.prompt_tokens over the requests that carry usage. */
  public Figure meanPromptTokens() {
    return meanOf(promptTokens, usageKnown, "the server sent no usage");
  }

  /** Mean of usage.completion_tokens over the same. */
  public Figure meanCompletionTokens() {
    return meanOf(completionTokens, usageKnown, "the server sent no usage");
  }

  /** Mean of what was asked for at most. */
  public Figure meanMaxTokens() {
    return meanOf(maxTokens, ended, "no request");
  }

  private static Figure meanOf(long sum, long count, String why) {
    return count > 0 ? Figure.of((double) sum / count) : Figure.missing(why);
  }

  /** Mean from the start to the end of the stream, of the requests that ended well. */
  public Figure meanWholeSeconds() {
    return ok > 0 ? Figure.of(wholeSeconds / ok) : Figure.missing("no request ended well");
  }

  public long lastIntendedNanos() {
    return lastIntended;
  }

  public long lastEndNanos() {
    return lastEnd;
  }

  /** From the window's origin to the last end: the run's length, over which rates are. */
  public double windowSeconds() {
    return ended == 0 ? 0 : window.secondsAfterOrigin(lastEnd);
  }

  /**
   * Requests sent per second of the time in which requests are sent, later turns of conversations
   * among them; where nobody knows that time, of the time between the first and the last.
   */
  public Figure sentPerSecond() {
    if (ended == 0) {
      return Figure.missing("no request");
    }
    long last = Math.min(lastEnd, Math.max(sentUntilNanos, lastIntended));
    double seconds = sentUntilNanos < Long.MAX_VALUE ? window.secondsAfterOrigin(last) : 0;
    if (seconds > MOMENT_SECONDS) {
      return Figure.of(ended / seconds);
    }
    double between = (lastIntended - firstIntended) / 1e9;
    return between > 0
        ? Figure.of((ended - 1) / between)
        : Figure.missing("fewer than two requests");
  }

  private Figure tokens(long sum) {
    if (usageKnown == 0) {
      return Figure.missing(
          ended == 0 ? "no request" : chunks == 0 ? "no token came" : "the server sent no usage");
    }
    return okWithoutUsage > 0
        ? Figure.missing("usage is missing on " + okWithoutUsage + " of " + ok + " requests")
        : Figure.of(sum);
  }

  private void readChunks(RequestRow.Chunks of) {
    chunks += of.size();
    for (int tokens : of.tokens()) {
      if (tokens == RequestRow.UNKNOWN) {
        unknownChunks++;
      } else if (tokens > 1) {
        mergedChunks++;
      }
    }
    if (of.coalesced() == RequestRow.UNKNOWN) {
      notObservedChunks += of.size();
    } else {
      coalescedChunks += of.coalesced();
    }
  }

  private void readTimes(RequestRow.Times times) {
    firstIntended = Math.min(firstIntended, times.intended());
    lastIntended = Math.max(lastIntended, times.intended());
    lastEnd = Math.max(lastEnd, times.ended());
  }
}
