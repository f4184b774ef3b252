package tallystick.analysis;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tallystick.analysis.client.PhaseSamples;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.plan.LoopShape;
import tallystick.scenario.Formatted;

/**
 * Says where the engine's speed moved while its load stayed, and what each side of it gave: a mean
 * over both is a figure of neither.
 */
record SpeedMoves(RunReading run) {
  /** Near capacity the batch alone moves the time of a token by a quarter for a while. */
  private static final double LEAST = 1.5;

  /** So many times a request's stay passes before the engine has filled. */
  private static final double FILLING_STAYS = 2;

  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** One finding for each phase of one load in which it moved. */
  List<Finding> findings(List<PhaseAnalysis> phases) {
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < phases.size(); i++) {
      PhaseSamples samples = run.client().phases().get(i);
      boolean isOneLoad = samples.phase().hasOneRate() || run.settings().loop() == LoopShape.CLOSED;
      double filled =
          phases.get(i).startSeconds()
              + FILLING_STAYS * phases.get(i).e2e().percentile(0.5).orZero();
      List<ChangePoints.Move> moves =
          isOneLoad
              ? new ChangePoints(samples, run.window())
                  .moves(LEAST).stream()
                      .filter(move -> move.gaps().atSeconds() > filled)
                      .toList()
              : List.of();
      if (!moves.isEmpty()) {
        findings.add(finding(moves));
      }
    }
    return findings;
  }

  private Finding finding(List<ChangePoints.Move> moves) {
    List<String> lines = moves.stream().map(this::line).toList();
    return new Finding(Finding.Code.SPEED_MOVED,
        "The engine's speed moved " + lines.getFirst() + ".", lines,
        "The run's figures mix both: look in the engine's and the machine's log at that time, and"
            + " run it again.");
  }

  private String line(ChangePoints.Move move) {
    long nanos = run.window().originNanos() + (long) (move.gaps().atSeconds() * 1e9);
    Instant at = Instant.ofEpochSecond(0, run.manifest().clock().originUtcNanos() + nanos);
    return Formatted.of(
        "about %.0f s into the run (%s UTC): a token took %s before and %s after, TTFT %s and %s",
        move.gaps().atSeconds(), CLOCK.format(at), millis(move.gaps().before()),
        millis(move.gaps().after()), millis(move.ttft().before()), millis(move.ttft().after()));
  }

  private static String millis(double seconds) {
    return seconds >= 1
        ? Formatted.of("%.2f s", seconds)
        : Formatted.of(seconds >= 0.1 ? "%.0f ms" : "%.1f ms", seconds * 1e3);
  }
}
