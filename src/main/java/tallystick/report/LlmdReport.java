package tallystick.report;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.words.Wording;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.WholeFile;

/**
 * A run's results as llm-d-benchmark's report of version 0.2, for tools that read those. Its words
 * for what is unknown are none: what the analysis does not know is left out. Times count from the
 * actual start of a request, as other tools' do.
 */
public final class LlmdReport {
  private static final String VERSION = "0.2";
  private static final String SECONDS = "s";
  private static final String SECONDS_A_TOKEN = "s/token";
  private static final String TOKENS = "tokens/s";

  private final RunAnalysis analysis;

  private LlmdReport(RunAnalysis analysis) {
    this.analysis = analysis;
  }

  /**
   * Writes {@code benchmark_report.json}.
   *
   * @return the file
   * @throws IOException if the folder cannot be written
   */
  public static Path write(RunAnalysis analysis, Path folder) throws IOException {
    return WholeFile.write(
        folder.resolve("benchmark_report.json"),
        out -> AnalysisJson.write(new LlmdReport(analysis).all(), out));
  }

  private Map<String, Object> all() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("version", VERSION);
    all.put("run", run());
    Map<String, Object> load = load();
    if (!load.isEmpty()) {
      all.put("scenario", Map.of("load", load));
    }
    all.put(
        "results",
        Map.of(
            "request_performance",
            Map.of(
                "aggregate",
                Map.of(
                    "requests", requests(), "latency", latency(), "throughput", throughput()))));
    return all;
  }

  private Map<String, Object> run() {
    RunAnalysis.RunFacts run = analysis.run();
    Map<String, Object> time = new LinkedHashMap<>();
    putWord(time, "start", run.startedUtc());
    putWord(time, "end", run.endedUtc());
    time.put("duration", Duration.ofMillis(Math.round(run.windowSeconds() * 1000)).toString());
    return Map.of(
        "uid", run.runId(), "time", time, "description", String.join(" ", description()));
  }

  /** What a reader of the figures must know before any of them. */
  private List<String> description() {
    List<String> all = new ArrayList<>();
    all.add("Scenario " + analysis.run().scenario() + ", model " + analysis.run().model() + ".");
    all.add(Wording.engineCaution(analysis.run().source()));
    all.add(Wording.stateSentence(analysis.run()));
    List<String> invalid = Wording.invalidity(analysis);
    if (!invalid.isEmpty()) {
      all.add("INVALID: " + String.join(" ", invalid));
    }
    all.add(Wording.verdictSentence(analysis.reconciliation().verdict()));
    return all.stream().filter(line -> !line.isEmpty()).toList();
  }

  /** Only where the prompts' length is known: the report demands it. */
  private Map<String, Object> load() {
    Figure prompt = each(analysis.counts().promptTokens());
    if (!(prompt instanceof Figure.Known)) {
      return Map.of();
    }
    Map<String, Object> standard = new LinkedHashMap<>();
    standard.put("tool", "tally");
    standard.put("tool_version", analysis.run().versions().getOrDefault("tally", "unknown"));
    standard.put("source", source(analysis.run().prompts()));
    standard.put("input_seq_len", length(prompt));
    Figure output = each(analysis.counts().completionTokens());
    if (output instanceof Figure.Known) {
      standard.put("output_seq_len", length(output));
    }
    double offered = analysis.load().offeredPerSecond().orNaN();
    if (!analysis.run().closedLoop() && offered > 0) {
      standard.put("rate_qps", offered);
    }
    return Map.of(
        "metadata", Map.of("description", analysis.run().scenario()), "standardized", standard,
        "native", Map.of());
  }

  /** Where prompts come from, in the report's words. */
  private static String source(String prompts) {
    return switch (prompts) {
      case "" -> "unknown";
      case "given text" -> "sampled";
      default -> "random";
    };
  }

  private static Map<String, Object> length(Figure mean) {
    return Map.of("distribution", "other", "value", mean.orNaN());
  }

  /** A sum for each request; where some ended badly, nobody knows how many it is a sum of. */
  private Figure each(Figure sum) {
    RunAnalysis.Counts counts = analysis.counts();
    return sum instanceof Figure.Known known && counts.ok() > 0 && counts.ok() == counts.ended()
        ? Figure.of(known.value() / counts.ok())
        : Figure.missing("not of the requests that ended well alone");
  }

  private Map<String, Object> requests() {
    RunAnalysis.Counts counts = analysis.counts();
    long cancelled = counts.byOutcome().getOrDefault(
        Outcome.CLIENT_CANCELLED.name().toLowerCase(Locale.ROOT), 0L);
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("failures", counts.ended() - counts.ok() - cancelled);
    if (counts.withoutRow() instanceof Figure.Known withoutRow) {
      all.put("total", counts.sent());
      all.put("incomplete", (long) withoutRow.value() + cancelled);
    }
    put(all, "input_length", "count", each(counts.promptTokens()));
    put(all, "output_length", "count", each(counts.completionTokens()));
    return all;
  }

  private Map<String, Object> latency() {
    RunAnalysis.ClientLatencies client = analysis.client();
    Map<String, Object> all = new LinkedHashMap<>();
    put(all, "time_to_first_token", SECONDS, client.ttftFromStart());
    put(all, "time_per_output_token", SECONDS_A_TOKEN, client.tpot());
    put(all, "inter_token_latency", SECONDS_A_TOKEN, client.tokenGaps());
    put(all, "request_latency", SECONDS, client.e2eFromStart());
    return all;
  }

  private Map<String, Object> throughput() {
    RunAnalysis.Counts counts = analysis.counts();
    Map<String, Object> all = new LinkedHashMap<>();
    put(all, "request_rate", "queries/s", counts.requestsPerSecond());
    put(all, "output_token_rate", TOKENS, counts.completionTokensPerSecond());
    double window = analysis.run().windowSeconds();
    if (window > 0 && counts.promptTokens() instanceof Figure.Known prompt) {
      put(all, "input_token_rate", TOKENS, Figure.of(prompt.value() / window));
    }
    return all;
  }

  private static void putWord(Map<String, Object> all, String name, String word) {
    if (!word.isEmpty()) {
      all.put(name, word);
    }
  }

  private static void put(Map<String, Object> all, String name, String units, Figure mean) {
    if (mean instanceof Figure.Known known) {
      all.put(name, Map.of("units", units, "mean", known.value()));
    }
  }

  private static void put(
      Map<String, Object> all, String name, String units, Distribution samples) {
    if (!(samples.mean() instanceof Figure.Known mean)) {
      return;
    }
    Map<String, Object> statistics = new LinkedHashMap<>();
    statistics.put("units", units);
    statistics.put("mean", mean.value());
    putKnown(statistics, "min", samples.minimum());
    putKnown(statistics, "max", samples.maximum());
    for (Distribution.Percentile one : samples.percentiles()) {
      putKnown(statistics, level(one.level()), one.value());
    }
    all.put(name, statistics);
  }

  private static void putKnown(Map<String, Object> all, String name, Figure figure) {
    if (figure instanceof Figure.Known known) {
      all.put(name, known.value());
    }
  }

  /** {@code p99p9} is 99.9 %. */
  private static String level(double level) {
    return "p" + BigDecimal.valueOf(level).movePointRight(2).stripTrailingZeros()
        .toPlainString().replace('.', 'p');
  }
}
