package tallystick.simengine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What was seen of a real engine under several bursts of one shape.
 *
 * @param steps every step that followed another at once
 * @param waits one list for each burst: what came in between for each request, nanoseconds, that
 *     is, time to first token at the client less the engine's queue and prefill time
 * @param promptTokens prompt lengths, of every burst the same, in the order sent
 * @param outputTokens tokens that each request got
 * @param apiServerNanos processor time of the API server for one burst
 */
record FitRecording(
    List<StepLog.Step> steps,
    List<List<Double>> waits,
    List<Integer> promptTokens,
    int outputTokens,
    double apiServerNanos) {

  private static final String STEPS = "steps.csv";
  private static final String BURSTS = "bursts.csv";

  /** Writes two files of plain text, each with its source as first line. */
  void write(Path folder, String source) throws IOException {
    Files.createDirectories(folder);
    List<String> lines = new ArrayList<>();
    lines.add("# " + source);
    lines.add("# period_us,prefill_tokens,prefill_pairs,decode_sequences,kv_tokens");
    for (StepLog.Step step : steps) {
      StepWork work = step.work();
      lines.add(
          String.format(
              Locale.ROOT,
              "%.0f,%d,%.0f,%d,%d",
              step.periodNanos() / 1e3,
              work.prefillTokens(),
              work.prefillPairs(),
              work.decodeSequences(),
              work.kvTokens()));
    }
    Files.write(folder.resolve(STEPS), lines);
    lines.clear();
    lines.add("# " + source);
    lines.add("# line 1: output tokens of a request, API server's processor time of a burst in us");
    lines.add("# line 2: prompt tokens; then for each burst: waits in us, in the order sent");
    lines.add(outputTokens + "," + Math.round(apiServerNanos / 1e3));
    lines.add(joined(promptTokens.stream().map(Integer::doubleValue).toList(), 1));
    waits.forEach(burst -> lines.add(joined(burst, 1e3)));
    Files.write(folder.resolve(BURSTS), lines);
  }

  /** Reads what {@link #write} wrote, from the class path. */
  static FitRecording ofResource(String folder) {
    List<StepLog.Step> steps = new ArrayList<>();
    for (double[] row : rows(folder + "/" + STEPS)) {
      StepWork work = new StepWork((long) row[1], row[2], (long) row[3], (long) row[4]);
      steps.add(new StepLog.Step(row[0] * 1e3, work));
    }
    List<double[]> bursts = rows(folder + "/" + BURSTS);
    List<Integer> prompts = new ArrayList<>();
    for (double tokens : bursts.get(1)) {
      prompts.add((int) tokens);
    }
    List<List<Double>> waits = new ArrayList<>();
    for (double[] row : bursts.subList(2, bursts.size())) {
      waits.add(java.util.Arrays.stream(row).mapToObj(micros -> micros * 1e3).toList());
    }
    double[] totals = bursts.getFirst();
    return new FitRecording(steps, waits, prompts, (int) totals[0], totals[1] * 1e3);
  }

  private static String joined(List<Double> values, double unit) {
    return values.stream()
        .map(value -> Long.toString(Math.round(value / unit)))
        .collect(Collectors.joining(","));
  }

  private static List<double[]> rows(String name) {
    try (BufferedReader reader =
        new BufferedReader(
            new java.io.InputStreamReader(FitRecording.class.getResourceAsStream(name)))) {
      return reader
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(
              line ->
                  java.util.Arrays.stream(line.split(",")).mapToDouble(Double::valueOf).toArray())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
