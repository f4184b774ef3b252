package tallystick.analysis.client;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.statistics.SampleSet;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Oddity;

/** Whether the streams were streams, and what was odd about them; gathered in one pass. */
public final class StreamShape {
  /** A client that stood still for more of an answer has no word on how it was streamed. */
  private static final double MOST_STILL = 0.1;

  private static final Set<Oddity> TOLD_APART = Set.of(Oddity.RESENT, Oddity.LEFT_OPEN);

  private final SampleSet readLags = new SampleSet();
  private final ClientPauses still;
  private final Map<Oddity, Long> oddities = new EnumMap<>(Oddity.class);
  private final StreamedAnswers answers = new StreamedAnswers();
  private long requests;

  /** Nothing read so far of a client that stood still then. */
  StreamShape(ClientPauses still) {
    this.still = still;
  }

  /** Takes a measured request; several choices of one come at once, however they are streamed. */
  void read(RequestRow row, int choices) {
    requests++;
    row.ending().oddities().forEach(oddity -> oddities.merge(oddity, 1L, Long::sum));
    if (row.chunks().longestReadLagNanos() >= 0) {
      readLags.add(row.chunks().longestReadLagNanos());
    }
    if (choices == 1 && !isBunchedHere(row)) {
      answers.read(row);
    }
  }

  /** Chunks that wait for a client that stands still are read together; the server is not it. */
  private boolean isBunchedHere(RequestRow row) {
    long from = row.times().started();
    long to = row.times().ended();
    return still.nanosWithin(from, to) > MOST_STILL * (to - from);
  }

  /** Longest time of each request from a socket read until its event was looked at. */
  public SampleSet readLags() {
    return readLags;
  }

  /**
   * What is to be said of the streams.
   *
   * @param clientTtft client mean from request written
   * @param engineTtft the engine's mean; missing where it gives none
   */
  public List<Finding> findings(Figure clientTtft, Figure engineTtft) {
    List<Finding> findings = new ArrayList<>(answers.findings(clientTtft, engineTtft));
    told(Oddity.RESENT).ifPresent(count -> findings.add(resent(count)));
    told(Oddity.LEFT_OPEN).ifPresent(count -> findings.add(leftOpen(count)));
    List<String> lines =
        oddities.entrySet().stream()
            .filter(entry -> !TOLD_APART.contains(entry.getKey()))
            .map(entry -> entry.getValue() + " " + word(entry.getKey()))
            .toList();
    if (!lines.isEmpty()) {
      findings.add(new Finding(Code.ODD_STREAMS,
          "Some of " + requests + " streams were odd without failing.", lines, ""));
    }
    return findings;
  }

  private Optional<Long> told(Oddity oddity) {
    return Optional.ofNullable(oddities.get(oddity));
  }

  private Finding leftOpen(long count) {
    return new Finding(Code.ANSWERS_LEFT_OPEN,
        count + " of " + requests + " answers stayed open after their end.",
        List.of(
            "An answer is over at [DONE], or at its finish reason and usage.",
            "The client waited 100 ms for the end of the HTTP body, 1 ms once three in a row had"
                + " none, and 1 s where a usage might have come. Then it closed the connection.",
            "So after each of these requests a new connection was needed."),
        "Look at the server, or at what stands before it: others wait until their timeout.");
  }

  private Finding resent(long count) {
    return new Finding(Code.REQUESTS_RESENT,
        count + " of " + requests + " requests went out twice, because their connection was dead.",
        List.of(
            "Each had been written to a connection used before, and no byte of an answer came.",
            "The lost time is in their TTFT: it counts from the intended start.",
            "The engine may have worked on both attempts; the ledger allows for that."),
        "Usual where a server closes idle connections. Under a steady load, look for a proxy or a"
            + " server process that drops connections.");
  }

  private static String word(Oddity oddity) {
    return oddity == Oddity.DONE_MISSING
        ? "without the end mark [DONE], but whole by finish reason and usage"
        : oddity.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
