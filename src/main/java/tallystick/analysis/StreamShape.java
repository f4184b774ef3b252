package tallystick.analysis;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.analysis.Finding.Severity;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Oddity;

/** Whether the streams were streams, and what was odd about them; gathered in one pass. */
final class StreamShape {
  private static final int FEWEST_TOKENS = 16;
  private static final double LATE_FIRST = 0.9;

  /** Tokens closer than this on average were made before and only sent now. */
  private static final double BURST_SECONDS = 0.001;

  private final SampleSet readLags = new SampleSet();
  private final Map<Oddity, Long> oddities = new EnumMap<>(Oddity.class);
  private long judged;
  private long unstreamed;
  private long requests;

  /** Takes a measured request. */
  void read(RequestRow row) {
    requests++;
    row.ending().oddities().forEach(oddity -> oddities.merge(oddity, 1L, Long::sum));
    if (row.chunks().longestReadLagNanos() >= 0) {
      readLags.add(row.chunks().longestReadLagNanos());
    }
    int tokens = TokenCount.of(row);
    if (row.ending().outcome() == Outcome.OK && tokens >= FEWEST_TOKENS && row.hasFirstToken()) {
      judged++;
      unstreamed += isUnstreamed(row, tokens) ? 1 : 0;
    }
  }

  /** Longest time of each request from a socket read to the stamp of its chunk. */
  SampleSet readLags() {
    return readLags;
  }

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    if (judged > 0 && unstreamed * 2 > judged) {
      findings.add(
          new Finding("fake_streaming", Severity.WARNING,
              "Most answers came at once although they were asked for as streams: "
                  + unstreamed
                  + " of "
                  + judged
                  + ".",
              List.of(),
              "TTFT is then the time of the whole answer and gaps say nothing; look for a proxy"
                  + " that buffers."));
    }
    if (!oddities.isEmpty()) {
      List<String> lines =
          oddities.entrySet().stream()
              .map(entry -> entry.getValue() + " " + word(entry.getKey()))
              .toList();
      findings.add(
          new Finding("odd_streams", Severity.NOTE,
              "Some of " + requests + " streams were odd without failing.", lines, ""));
    }
    return findings;
  }

  private static boolean isUnstreamed(RequestRow row, int tokens) {
    int chunks = row.chunks().size();
    boolean inOneRead = row.chunks().coalesced() * 2L > chunks;
    for (int carried : row.chunks().tokens()) {
      inOneRead |= carried * 2L > tokens;
    }
    double first = row.firstTokenNanos() - row.times().started();
    double last = row.lastTokenNanos() - row.times().started();
    double decodeSeconds = (last - first) / 1e9;
    boolean lateBurst =
        first > LATE_FIRST * last && decodeSeconds < BURST_SECONDS * (tokens - 1);
    return inOneRead || lateBurst;
  }

  private static String word(Oddity oddity) {
    return oddity.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
