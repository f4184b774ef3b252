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
public record LlmdReport(RunAnalysis analysis) {
  private static final String VERSION = "0.2";
  private static final String SECONDS = "s";
  private static final String SECONDS_A_TOKEN = "s/token";
  private static final String TOKENS = "tokens/s";

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
    Map<String, Object> aggregate =
        Map.of("requests", requests(), "latency", latency(), "throughput", throughput());
    return known(
        "version", VERSION,
        "run", run(),
        "scenario", known("load", load()),
        "results", Map.of("request_performance", Map.of("aggregate", aggregate)));
  }

  private Map<String, Object> run() {
    RunAnalysis.RunFacts run = analysis.run();
    Map<String, Object> time =
        known(
            "start", run.startedUtc(),
            "end", run.endedUtc(),
            "duration", Duration.ofMillis(Math.round(run.windowSeconds() * 1000)).toString());
    return Map.of("uid", run.runId(), "time", time, "description", String.join(" ", description()));
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
    double offered = analysis.load().offeredPerSecond().orNaN();
    Map<String, Object> standard =
        known(
            "tool", "tally",
            "tool_version", analysis.run().versions().getOrDefault("tally", "unknown"),
            "source", source(analysis.run().prompts()),
            "input_seq_len", length(prompt),
            "output_seq_len", length(each(analysis.counts().completionTokens())),
            "rate_qps", !analysis.run().closedLoop() && offered > 0 ? offered : "");
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
    return mean instanceof Figure.Known ? Map.of("distribution", "other", "value", mean) : Map.of();
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
    boolean isTold = counts.withoutRow() instanceof Figure.Known;
    return known(
        "failures", counts.ended() - counts.ok() - cancelled,
        "total", isTold ? counts.sent() : "",
        "incomplete", isTold ? (long) counts.withoutRow().orNaN() + cancelled : "",
        "input_length", mean("count", each(counts.promptTokens())),
        "output_length", mean("count", each(counts.completionTokens())));
  }

  private Map<String, Object> latency() {
    RunAnalysis.ClientLatencies client = analysis.client();
    return known(
        "time_to_first_token", statistics(SECONDS, client.ttftFromStart()),
        "time_per_output_token", statistics(SECONDS_A_TOKEN, client.tpot()),
        "inter_token_latency", statistics(SECONDS_A_TOKEN, client.tokenGaps()),
        "request_latency", statistics(SECONDS, client.e2eFromStart()));
  }

  private Map<String, Object> throughput() {
    RunAnalysis.Counts counts = analysis.counts();
    double prompts = counts.promptTokens().orNaN() / analysis.run().windowSeconds();
    return known(
        "request_rate", mean("queries/s", counts.requestsPerSecond()),
        "output_token_rate", mean(TOKENS, counts.completionTokensPerSecond()),
        "input_token_rate",
            Double.isFinite(prompts) ? mean(TOKENS, Figure.of(prompts)) : Map.of());
  }

  private static Map<String, Object> mean(String units, Figure mean) {
    return mean instanceof Figure.Known ? Map.of("units", units, "mean", mean) : Map.of();
  }

  private static Map<String, Object> statistics(String units, Distribution samples) {
    if (!(samples.mean() instanceof Figure.Known)) {
      return Map.of();
    }
    Map<String, Object> all =
        known(
            "units", units, "mean", samples.mean(), "min", samples.minimum(),
            "max", samples.maximum());
    samples.percentiles().forEach(one -> all.putAll(known(level(one.level()), one.value())));
    return all;
  }

  /** Names and what they stand for; those are left out for which nothing is known. */
  private static Map<String, Object> known(Object... namesAndValues) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      Object value = namesAndValues[i + 1];
      if (!value.equals("") && !value.equals(Map.of()) && !(value instanceof Figure.Unavailable)) {
        all.put((String) namesAndValues[i], value);
      }
    }
    return all;
  }

  /** {@code p99p9} is 99.9 %. */
  private static String level(double level) {
    return "p" + BigDecimal.valueOf(level).movePointRight(2).stripTrailingZeros()
        .toPlainString().replace('.', 'p');
  }
}
