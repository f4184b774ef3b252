package tallystick.report.picture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.ReplicaAccount.Move;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Timeline;
import tallystick.analysis.result.Timeline.Track;
import tallystick.answer.Tone;
import tallystick.scenario.Objective;

/**
 * One chart of the timeline.
 *
 * @param side whose account
 * @param title what it shows
 * @param kind how values are read and drawn
 * @param lines its tracks, the fainter first
 * @param limits thresholds of objectives, in the chart's unit
 */
record Panel(Tone side, String title, Kind kind, List<Line> lines, List<Double> limits) {

  /** How values are read and drawn. */
  enum Kind {
    LATENCY,
    COUNT,
    RATE,
    RATIO,
    BARS,
    /** Moments at which something happened; how much is left to the panels below. */
    MARKS;

    /** Whether a value is of the time since the scrape before it. */
    boolean isGrowth() {
      return this == RATE || this == BARS;
    }

    String css() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One line of the chart.
   *
   * @param label what it shows; the track knows whose
   * @param strong whether it is the one to look at
   */
  record Line(String label, boolean strong, Track track) {
    /** Whether its values are dots, which nothing joins. */
    boolean isDots() {
      return track.name().equals(Timeline.TTFT_EACH) || track.name().equals(Timeline.SESSION_EACH);
    }
  }

  Panel {
    lines = List.copyOf(lines);
    limits = List.copyOf(limits);
  }

  /** The timeline's charts from top to bottom; charts without a value are left out. */
  static List<Panel> of(RunAnalysis analysis) {
    List<Panel> panels = new ArrayList<>(List.of(marks(analysis)));
    panels.addAll(clientPanels(analysis));
    if (analysis.harness().saturated()) {
      panels.add(ownDelay(analysis.timeline().client()));
    }
    panels.addAll(enginePanels(analysis.timeline().engine()));
    return panels.stream().filter(Panel::hasValue).toList();
  }

  private boolean hasValue() {
    return lines.stream()
        .flatMapToDouble(line -> Arrays.stream(line.track().values()))
        .anyMatch(Double::isFinite);
  }

  // A stall that no bin's largest gap shows is in none of them.
  private static Panel marks(RunAnalysis analysis) {
    List<Line> lines = new ArrayList<>();
    if (analysis.stalls().thresholdSeconds() instanceof Figure.Known threshold) {
      named(analysis.timeline().client(), "largest_gap_max", "stall", false).stream()
          .filter(line -> exceeds(line.track(), threshold.value()))
          .map(line -> new Line(line.label(), false, above(line.track(), threshold.value())))
          .forEach(lines::add);
    }
    named(analysis.timeline().engine(), "num_preemptions", "preemption", true).stream()
        .filter(line -> exceeds(line.track(), 0))
        .forEach(lines::add);
    for (boolean isJoining : List.of(true, false)) {
      double[] seconds =
          analysis.load().replicas().moves().stream()
              .filter(move -> move.isJoining() == isJoining)
              .mapToDouble(Move::atSeconds)
              .filter(at -> at >= 0 && at <= analysis.run().windowSeconds())
              .toArray();
      if (seconds.length > 0) {
        String word = isJoining ? "target joined" : "target left";
        double[] each = new double[seconds.length];
        Arrays.fill(each, 1);
        lines.add(new Line(word, true, new Track(word, "count", "", seconds, each)));
      }
    }
    return new Panel(Tone.PLAIN, "What happened", Kind.MARKS, lines, List.of());
  }

  private static boolean exceeds(Track track, double threshold) {
    return Arrays.stream(track.values()).anyMatch(value -> value > threshold);
  }

  private static Track above(Track track, double threshold) {
    double[] values =
        Arrays.stream(track.values()).map(value -> value > threshold ? value : 0).toArray();
    return new Track(track.name(), track.unit(), track.owner(), track.seconds(), values);
  }

  private static List<Panel> clientPanels(RunAnalysis analysis) {
    List<Track> tracks = analysis.timeline().client();
    return List.of(
        new Panel(
            Tone.CLIENT,
            "Time to first token",
            Kind.LATENCY,
            firstTokens(tracks),
            limits(analysis, Objective.Metric.TTFT)),
        new Panel(
            Tone.CLIENT,
            "Inter-token latency",
            Kind.LATENCY,
            latencies(tracks, "itl_p50", "itl_p99", "P99", "largest_gap_max"),
            limits(analysis, Objective.Metric.ITL)),
        new Panel(
            Tone.CLIENT,
            "Session time",
            Kind.LATENCY,
            named(tracks, Timeline.SESSION_EACH, "single sessions", true),
            limits(analysis, Objective.Metric.SESSION_TIME)),
        new Panel(Tone.CLIENT, "Requests per second", Kind.COUNT, requests(analysis), List.of()),
        new Panel(
            Tone.CLIENT, "Requests in flight", Kind.COUNT,
            named(tracks, "in_flight", "in flight", true), List.of()));
  }

  private static List<Line> requests(RunAnalysis analysis) {
    List<Track> tracks = analysis.timeline().client();
    return Stream.concat(
            named(tracks, "requests_started", "sent", false).stream(),
            named(tracks, "requests_ended", "ended", true).stream())
        .map(line -> perSecond(line, analysis.timeline().binSeconds()))
        .toList();
  }

  private static Line perSecond(Line line, double width) {
    double[] each = Arrays.stream(line.track().values()).map(count -> count / width).toArray();
    Track track = line.track();
    return new Line(
        line.label(), line.strong(),
        new Track(track.name(), "requests/s", track.owner(), track.seconds(), each));
  }

  /** Where a model thought first, the begin of the answer itself stands beside it. */
  private static List<Line> firstTokens(List<Track> tracks) {
    List<Line> lines = new ArrayList<>(named(tracks, Timeline.TTFT_EACH, "single requests", false));
    lines.addAll(latencies(tracks, "ttft_p50", "ttft_p95", "P95", "ttft_max"));
    lines.addAll(named(tracks, "answer_ttft_p95", "answer P95", false));
    return lines;
  }

  /** Shown where it spoils the figures: when the client was late, and how much. */
  private static Panel ownDelay(List<Track> tracks) {
    List<Line> lines = new ArrayList<>(named(tracks, "read_lag_max", "longest read lag", false));
    lines.addAll(named(tracks, "lateness_max", "latest start", true));
    return new Panel(Tone.CLIENT, "The client's own delay", Kind.LATENCY, lines, List.of());
  }

  private static List<Panel> enginePanels(List<Track> tracks) {
    List<Line> scheduler =
        lines(tracks, "num_requests_running", "running", "num_requests_waiting", "waiting");
    return List.of(
        engine("Requests in the engine", Kind.COUNT, scheduler),
        engine("KV cache usage", Kind.RATIO, named(tracks, "kv_cache_usage_perc", "used", true)),
        engine(
            "Preemptions between scrapes",
            Kind.BARS,
            named(tracks, "num_preemptions", "preempted", true)),
        engine(
            "Output tokens per second",
            Kind.RATE,
            named(tracks, "generation_tokens_per_second", "tokens/s", true)));
  }

  private static Panel engine(String title, Kind kind, List<Line> lines) {
    return new Panel(Tone.ENGINE, title, kind, lines, List.of());
  }

  // A short time holds too few samples for a high percentile: where most of them are missing, the
  // largest sample is the line to look at.
  private static List<Line> latencies(
      List<Track> tracks, String median, String tail, String tailLabel, String largest) {
    long all = values(tracks, largest);
    boolean tailCarries = all == 0 || values(tracks, tail) * 2 >= all;
    List<Line> lines = new ArrayList<>(named(tracks, median, "P50", false));
    if (tailCarries) {
      lines.addAll(named(tracks, tail, tailLabel, true));
    } else {
      lines.addAll(named(tracks, largest, "largest", true));
    }
    return lines;
  }

  private static long values(List<Track> tracks, String name) {
    return tracks.stream()
        .filter(track -> track.name().equals(name))
        .flatMapToDouble(track -> Arrays.stream(track.values()))
        .filter(Double::isFinite)
        .count();
  }

  private static List<Line> lines(
      List<Track> tracks, String faint, String faintLabel, String strong, String strongLabel) {
    List<Line> lines = new ArrayList<>();
    lines.addAll(named(tracks, faint, faintLabel, false));
    lines.addAll(named(tracks, strong, strongLabel, true));
    return lines;
  }

  private static List<Line> named(List<Track> tracks, String name, String label, boolean strong) {
    return tracks.stream()
        .filter(track -> track.name().equals(name))
        .map(track -> new Line(label, strong, track))
        .toList();
  }

  private static List<Double> limits(RunAnalysis analysis, Objective.Metric metric) {
    return analysis.objectives().stream()
        .flatMap(result -> result.objective().parts().stream())
        .filter(objective -> objective.metric() == metric)
        .map(Objective::thresholdSeconds)
        .distinct()
        .toList();
  }
}
