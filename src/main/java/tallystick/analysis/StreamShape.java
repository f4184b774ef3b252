package tallystick.analysis;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.analysis.Finding.Severity;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Oddity;

/** Whether the streams were streams, and what was odd about them; gathered in one pass. */
final class StreamShape {
  private final SampleSet readLags = new SampleSet();
  private final Map<Oddity, Long> oddities = new EnumMap<>(Oddity.class);
  private final StreamedAnswers answers = new StreamedAnswers();
  private long requests;

  /** Takes a measured request. */
  void read(RequestRow row) {
    requests++;
    row.ending().oddities().forEach(oddity -> oddities.merge(oddity, 1L, Long::sum));
    if (row.chunks().longestReadLagNanos() >= 0) {
      readLags.add(row.chunks().longestReadLagNanos());
    }
    answers.read(row);
  }

  /** Longest time of each request from a socket read to the stamp of its chunk. */
  SampleSet readLags() {
    return readLags;
  }

  /**
   * What is to be said of the streams.
   *
   * @param clientTtft client mean from request written
   * @param engineTtft the engine's mean; missing where it gives none
   */
  List<Finding> findings(Figure clientTtft, Figure engineTtft) {
    List<Finding> findings = new ArrayList<>(answers.findings(clientTtft, engineTtft));
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

  private static String word(Oddity oddity) {
    return oddity.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
