package tallystick.analysis.client;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.statistics.RankCorrelation;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Formatted;

/**
 * Whether answers were streamed as they were made: each good answer of {@value #FEWEST_TOKENS}
 * tokens or more is judged by itself. Shorter ones say nothing either way.
 */
final class StreamedAnswers {
  private static final int FEWEST_TOKENS = 16;
  private static final double LATE_FIRST = 0.9;

  /** No engine makes 5,000 tokens a second for one user: what comes faster was made before. */
  private static final long BURST_GAP_NANOS = 200_000L;

  /** An engine whose own TTFT is this share of the client's made the first token that late. */
  private static final double EXPLAINED_SHARE = 0.8;

  private static final int FEWEST_PAIRS = 20;
  private static final int MOST_PAIRS = 20_000;
  private static final double GROWS_WITH_LENGTH = 0.8;
  private static final double WORTH_SAYING = 0.01;

  private final List<double[]> lateLengthAndFirst = new ArrayList<>();
  private long judged;
  private long atOnce;
  private long inPieces;
  private long late;

  /** Takes a measured request. */
  void read(RequestRow row) {
    int tokens = Math.max(row.outputTokens(), row.chunks().size());
    if (row.ending().outcome() != Outcome.OK || tokens < FEWEST_TOKENS || !row.hasFirstToken()) {
      return;
    }
    judged++;
    inPieces += closeTokens(row) * 2 > tokens ? 1 : 0;
    if (cameAtOnce(row, tokens)) {
      atOnce++;
    } else if (firstNanos(row) > LATE_FIRST * (row.lastTokenNanos() - begin(row))) {
      late++;
      if (lateLengthAndFirst.size() < MOST_PAIRS) {
        lateLengthAndFirst.add(new double[] {tokens, firstNanos(row)});
      }
    }
  }

  /**
   * What is to be said of it.
   *
   * @param clientTtft client mean from request written
   * @param engineTtft the engine's mean; missing where it gives none
   */
  List<Finding> findings(Figure clientTtft, Figure engineTtft) {
    if (atOnce * 2 > judged) {
      return List.of(fake(
          "Most answers came at once although they were asked for as streams: " + atOnce
              + " of " + judged + "."));
    }
    boolean mostAreLate = (late + atOnce) * 2 > judged && judged > 0;
    if (mostAreLate && growsWithLength()) {
      return List.of(fake(
          "Most answers began after 90 % of their time, the later the longer they were: "
              + (late + atOnce) + " of " + judged + "."));
    }
    List<Finding> findings = new ArrayList<>();
    if (inPieces * 2 > judged) {
      findings.add(pieces());
    }
    if (mostAreLate && !isExplained(clientTtft, engineTtft)) {
      findings.add(lateNote());
    }
    if (atOnce > WORTH_SAYING * judged) {
      findings.add(new Finding(Code.ANSWERS_AT_ONCE,
          "Some answers came at once: " + atOnce + " of " + judged + "."));
    }
    return findings;
  }

  private Finding pieces() {
    return new Finding(Code.ANSWERS_IN_PIECES,
        "Most answers came in pieces of several tokens at once: " + inPieces + " of " + judged
            + ".",
        List.of("more than half of their tokens lie within 0.2 ms of the one before"),
        "Look for something on the way that collects tokens, as a proxy's buffer does. A gap is"
            + " then the time between two pieces, and TTFT includes the time to fill the first"
            + " piece.");
  }

  private Finding fake(String text) {
    return new Finding(Code.FAKE_STREAMING, text,
        List.of(
            "%s had most of their content within 0.2 ms a token, %s their first after 90 %%"
                .formatted(atOnce, late)),
        "TTFT is then the time of the whole answer, and gaps mean nothing. Look for a proxy that"
            + " buffers.");
  }

  private Finding lateNote() {
    return new Finding(Code.LATE_FIRST_CONTENT,
        Formatted.of(
            "Most answers began after 90 %% of their time: %d of %d. Either queue and prefill were"
                + " long compared with such short answers, or the answers were complete before"
                + " they were streamed.",
            late + atOnce, judged),
        "Use answers of different lengths to tell the two apart: only complete answers begin later"
            + " the longer they are.");
  }

  /** Tokens that follow another chunk at once, in whatever bursts. */
  private static long closeTokens(RequestRow row) {
    int[] carried = row.chunks().tokens();
    long[] arrivals = row.chunks().arrivalNanos();
    long close = 0;
    for (int i = 1; i < arrivals.length; i++) {
      close += arrivals[i] - arrivals[i - 1] < BURST_GAP_NANOS ? Math.max(1, carried[i]) : 0;
    }
    return close;
  }

  private static boolean cameAtOnce(RequestRow row, int tokens) {
    int[] carried = row.chunks().tokens();
    long[] arrivals = row.chunks().arrivalNanos();
    long inBurst = 0;
    long most = 0;
    for (int i = 0; i < arrivals.length; i++) {
      boolean isClose = i > 0 && arrivals[i] - arrivals[i - 1] < BURST_GAP_NANOS;
      inBurst = (isClose ? inBurst : 0) + Math.max(1, carried[i]);
      most = Math.max(most, inBurst);
    }
    // One chunk of untold size is the whole answer.
    return arrivals.length == 1 || most * 2 > tokens && most >= FEWEST_TOKENS / 2;
  }

  private boolean growsWithLength() {
    int count = lateLengthAndFirst.size();
    if (count < FEWEST_PAIRS) {
      return false;
    }
    double[] lengths = lateLengthAndFirst.stream().mapToDouble(pair -> pair[0]).toArray();
    double[] firsts = lateLengthAndFirst.stream().mapToDouble(pair -> pair[1]).toArray();
    return RankCorrelation.atLag(lengths, firsts, 0) >= GROWS_WITH_LENGTH;
  }

  private static boolean isExplained(Figure clientTtft, Figure engineTtft) {
    return clientTtft instanceof Figure.Known client
        && engineTtft instanceof Figure.Known engine
        && engine.value() >= EXPLAINED_SHARE * client.value();
  }

  private static long firstNanos(RequestRow row) {
    return row.firstTokenNanos() - begin(row);
  }

  private static long begin(RequestRow row) {
    return row.times().written() >= 0 ? row.times().written() : row.times().started();
  }
}
