package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import tallystick.analysis.client.ClientTimeline;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.Finding.Severity;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Timeline;
import tallystick.plan.Settings;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.MetricConcept;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;
import tallystick.scenario.Target;

/** What a reader must know of the scrapes. */
public final class EngineFindings {
  /** Counters bear holes; gauges, and what is laid beside them over time, do not. */
  private static final double LOST_LIMIT = 0.05;

  /** Holes longer than so many scrape intervals break series over time. */
  private static final double HOLE_INTERVALS = 3;

  /** Counters that stand still for so many intervals while tokens arrive are not the engine's. */
  private static final double FROZEN_INTERVALS = 10;

  /** Less may be chunks on their way while the engine rests. */
  private static final double FROZEN_SECONDS = 2;

  /** A Prometheus in between repeats a value until its own next scrape, seldom a minute later. */
  private static final double SLOW_SOURCE_SECONDS = 65;

  /** Counters that move with an engine's tokens: one that stands still alone is no frozen page. */
  private static final List<String> WORK =
      List.of(
          EngineColumns.PROMPT_TOKENS, EngineColumns.FINISHED, EngineColumns.countOf(Latency.TTFT),
          EngineColumns.countOf(Latency.ITL));

  private EngineFindings() {}

  public static List<Finding> of(
      RunAnalysis.EngineAccount account,
      EngineReading reading,
      Settings settings,
      Manifest manifest,
      List<Timeline.Track> clientTracks) {
    List<Finding> findings = new ArrayList<>(reading.serverClock().findings());
    if (reading.outOfOrder() > 0) {
      findings.add(new Finding(Code.SCRAPES_OUT_OF_ORDER,
          Counted.of(reading.outOfOrder(), "scrape repeats", "scrapes repeat")
              + " an earlier one or lies before it in time; none of that is used."));
    }
    addRepeated(findings, reading);
    if (!account.available()) {
      boolean wanted = reading.expectedTargets() > 0;
      findings.add(new Finding(Code.NO_ENGINE_ACCOUNT, wanted ? Severity.WARNING : Severity.NOTE,
          "There is no engine account: " + account.absence() + ".", List.of(),
          remedy(wanted, reading)));
      return findings;
    }
    addOtherModels(findings, reading);
    reading.targets().forEach((index, target) -> addSharedExposition(findings, index, target));
    reading.targets().forEach((index, target) -> addImpossible(findings, index, target));
    reading.processCopies().forEach((index, lines) -> addCopies(findings, index, lines));
    double interval = settings.timing().scrapeIntervalNanos() / 1e9;
    addStored(findings, reading, manifest.targets());
    addLost(findings, reading, Math.max(interval, storeStep(reading, manifest.targets())));
    if (manifest.targets().size() <= 1) {
      double limit = Math.max(FROZEN_INTERVALS * interval, FROZEN_SECONDS);
      addFrozen(findings, reading, limit, clientTracks);
    }
    return findings;
  }

  private static String remedy(boolean wanted, EngineReading reading) {
    if (reading.models().conflict().isPresent()) {
      return "Name the model as the engines label it, or load targets of one model and engine.";
    }
    return wanted ? "Check metrics_url: it must show the engine's metrics." : "";
  }

  private static void addOtherModels(List<Finding> findings, EngineReading reading) {
    if (!reading.models().others().isEmpty()) {
      findings.add(new Finding(Code.OTHER_MODELS,
          "The engines serve other models too; their series are left out.",
          List.copyOf(reading.models().others()), ""));
    }
  }

  private static void addRepeated(List<Finding> findings, EngineReading reading) {
    reading
        .repeated()
        .forEach(
            (index, scrapes) ->
                findings.add(new Finding(Code.SERIES_REPEATED,
                    "Target " + index + " shows some series more than once in "
                        + Counted.of(scrapes, "scrape", "scrapes")
                        + ". The first value counts, as Prometheus takes it.",
                    "Look at its /metrics page: two exporters write there, or one writes"
                        + " twice.")));
  }

  private static void addCopies(List<Finding> findings, int index, List<String> lines) {
    findings.add(new Finding(Code.PROCESS_COPIES,
        "Target " + index + " shows gauges once for each process of one engine (label pid)."
            + " They are copies, so one was taken: that whose value changed last.",
        lines, ""));
  }

  /** Both formats allow NaN and more; a fall of one counter alone is no restart. */
  private static void addImpossible(List<Finding> findings, int index, TargetReading target) {
    List<String> lines = target.impossibleValues();
    if (!lines.isEmpty()) {
      findings.add(new Finding(Code.IMPOSSIBLE_VALUES,
          "Target " + index + " shows what cannot be: " + lines.getFirst()
              + (lines.size() == 1 ? "" : ", and " + (lines.size() - 1) + " more")
              + ". What rests on such values is unknown.",
          lines, "Look at its /metrics page. What exposes these names is at fault."));
    }
  }

  /** vLLM alone tells when its series began; what its API servers show together does not. */
  private static void addSharedExposition(List<Finding> findings, int index, TargetReading target) {
    boolean countsSteps =
        target.tracks().stream().anyMatch(track -> track.means(MetricConcept.ITERATION_TOKENS));
    if (countsSteps && !target.tellsItsStart()) {
      findings.add(new Finding(Code.SEVERAL_API_SERVERS,
          "Target " + index + " does not say when its series began, as where several API"
              + " servers (--api-server-count) share one /metrics. A restart shows only if"
              + " counters fall, and tokens per iteration are unknown."));
    }
  }

  /** A store's pace is not ours, and its times are of another clock. */
  private static void addStored(
      List<Finding> findings, EngineReading reading, List<Target> targets) {
    for (int i = 0; i < targets.size(); i++) {
      double step = reading.stepSeconds(i);
      if (targets.get(i).isReadFromStore() && !Double.isNaN(step)) {
        findings.add(new Finding(Code.STORED_SCRAPES,
            Formatted.of(
                "The metrics of target %d were read from a Prometheus: one scrape every %.2f s"
                    + " (median), timed by its clock. Counts are exact; figures over time"
                    + " show nothing shorter.",
                i, step)));
      }
    }
  }

  private static double storeStep(EngineReading reading, List<Target> targets) {
    return IntStream.range(0, targets.size())
        .filter(index -> targets.get(index).isReadFromStore())
        .mapToDouble(reading::stepSeconds)
        .filter(step -> !Double.isNaN(step))
        .max()
        .orElse(0);
  }

  private static String lost(EngineReading reading) {
    if (reading.isOpenAtEnd()) {
      return "what grew after the last good scrape is lost,";
    }
    return reading.targets().values().stream().anyMatch(TargetReading::restarted)
        ? "what grew before a restart inside it is lost,"
        : "counters are complete,";
  }

  private static void addLost(List<Finding> findings, EngineReading reading, double interval) {
    long all = reading.goodScrapes() + reading.failedScrapes();
    double share = all == 0 ? 0 : (double) reading.failedScrapes() / all;
    boolean hole = reading.longestHoleSeconds() > HOLE_INTERVALS * interval;
    if (share > LOST_LIMIT || hole) {
      findings.add(new Finding(Code.LOST_SCRAPES,
          Formatted.of(
              "%s, the longest hole is %.1f s: %s figures over time have holes.",
              reading.failedScrapes() == 0
                  ? "Scrapes came late"
                  : reading.failedScrapes() + " of " + all + " scrapes failed",
              reading.longestHoleSeconds(), lost(reading)),
          reading.failureWords(), remedyOfLost(reading)));
    }
  }

  private static String remedyOfLost(EngineReading reading) {
    List<String> words = reading.failureWords();
    return !words.isEmpty() && words.stream().allMatch(word -> word.contains("refused"))
        ? "Nothing listened there at those moments: look whether the server was up."
        : "Raise the scrape interval, or find out why /metrics answers late.";
  }

  private static void addFrozen(
      List<Finding> findings,
      EngineReading reading,
      double limit,
      List<Timeline.Track> clientTracks) {
    for (EngineColumns columns : reading.columns().values()) {
      double[] still = longestStill(columns, clientTracks);
      double length = still[1] - still[0];
      if (length > limit && isOutOfStep(columns, still)) {
        findings.add(new Finding(Code.FROZEN_EXPORTER,
            Formatted.of(
                "The engine's counters stood still from %.1f s to %.1f s although tokens"
                    + " arrived at the client.",
                still[0], still[1]),
            "metrics_url may show another server, or a frozen copy."));
      }
    }
  }

  /** A source of its own, slower pace moves on again after about as long as always. */
  private static boolean isOutOfStep(EngineColumns columns, double[] still) {
    double[] moves = moves(columns);
    boolean movesAgain = moves.length > 0 && moves[moves.length - 1] > still[1];
    double length = still[1] - still[0];
    return !movesAgain
        || length > SLOW_SOURCE_SECONDS
        || length > FROZEN_INTERVALS * typicalStep(moves);
  }

  /** When any engine's counter grew. */
  private static double[] moves(EngineColumns columns) {
    return columns.byOwner().values().stream()
        .flatMapToDouble(
            table -> {
              double[] growth = growth(table);
              double[] seconds = table.seconds();
              return IntStream.range(0, growth.length)
                  .filter(i -> growth[i] > 0)
                  .mapToDouble(i -> seconds[i]);
            })
        .distinct()
        .sorted()
        .toArray();
  }

  /** Growth of all that counts while an engine works; NaN where nothing is known of the tokens. */
  private static double[] growth(ScrapeColumns table) {
    double[] growth = table.values(EngineColumns.GENERATION_TOKENS);
    for (String column : WORK) {
      double[] more = table.values(column);
      for (int i = 0; i < growth.length; i++) {
        growth[i] += Double.isNaN(more[i]) ? 0 : more[i];
      }
    }
    return growth;
  }

  private static double typicalStep(double[] moves) {
    double[] steps =
        IntStream.range(1, moves.length)
            .mapToDouble(i -> moves[i] - moves[i - 1])
            .sorted()
            .toArray();
    return steps.length == 0 ? Double.POSITIVE_INFINITY : steps[steps.length / 2];
  }

  /** Longest stretch without growth of any engine in which the client received chunks. */
  private static double[] longestStill(EngineColumns columns, List<Timeline.Track> clientTracks) {
    List<ScrapeColumns> tables = List.copyOf(columns.byOwner().values());
    double[] longest = {0, 0};
    if (tables.isEmpty()) {
      return longest;
    }
    double[] seconds = tables.get(0).seconds();
    List<double[]> growths = tables.stream().map(EngineFindings::growth).toList();
    double from = Double.NaN;
    for (int i = 0; i < seconds.length; i++) {
      if (grew(growths, i)) {
        from = seconds[i];
      } else if (seconds[i] - from > longest[1] - longest[0]
          && received(clientTracks, from, seconds[i])) {
        longest = new double[] {from, seconds[i]};
      }
      from = Double.isNaN(from) ? seconds[i] : from;
    }
    return longest;
  }

  private static boolean grew(List<double[]> growths, int row) {
    for (double[] growth : growths) {
      if (row >= growth.length || Double.isNaN(growth[row]) || growth[row] > 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether chunks arrived well inside a stretch: in more than two whole bins. */
  private static boolean received(List<Timeline.Track> tracks, double from, double to) {
    return tracks.stream()
        .filter(track -> track.name().equals(ClientTimeline.CHUNKS))
        .anyMatch(
            track -> {
              double[] middles = track.seconds();
              return IntStream.range(0, middles.length)
                      .filter(i -> track.values()[i] > 0)
                      .filter(i -> middles[i] - middles[0] >= from && middles[i] + middles[0] <= to)
                      .count()
                  > 2;
            });
  }
}
