import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lays a run record beside the paced server's own log, request by request.
 *
 * <pre>java bench/CompareTruth.java RUN_FOLDER SERVER_LOG</pre>
 *
 * TTFT error = client's (first token - intended or written) minus the server's (first token sent -
 * request read). Gap error = difference of the two gap distributions at the same level. Durations
 * only: no clock is mixed with another.
 */
final class CompareTruth {
  private CompareTruth() {}

  public static void main(String[] arguments) throws IOException {
    Map<String, long[]> truth = new HashMap<>();
    for (String line : Files.readAllLines(Path.of(arguments[1]))) {
      String[] words = line.split(" ");
      long[] moments = new long[words.length - 1];
      for (int i = 1; i < words.length; i++) {
        moments[i - 1] = Long.parseLong(words[i]);
      }
      truth.put(words[0], moments);
    }
    List<Double> fromIntended = new ArrayList<>();
    List<Double> fromWritten = new ArrayList<>();
    List<Double> clientTtft = new ArrayList<>();
    List<Double> trueTtft = new ArrayList<>();
    List<Double> clientGaps = new ArrayList<>();
    List<Double> trueGaps = new ArrayList<>();
    List<Double> lateness = new ArrayList<>();
    int missing = 0;
    for (String row : Files.readAllLines(Path.of(arguments[0], "record", "requests.ndjson"))) {
      long[] moments = truth.get(text(row, "request_id"));
      if (text(row, "phase").equals("warmup") || moments == null) {
        missing += moments == null ? 1 : 0;
        continue;
      }
      long[] chunks = numbers(row, "chunk_ns");
      double real = (moments[1] - moments[0]) / 1e6;
      fromIntended.add((chunks[0] - number(row, "intended_ns")) / 1e6 - real);
      fromWritten.add((chunks[0] - number(row, "written_ns")) / 1e6 - real);
      clientTtft.add((chunks[0] - number(row, "intended_ns")) / 1e6);
      trueTtft.add(real);
      lateness.add((number(row, "started_ns") - number(row, "intended_ns")) / 1e6);
      for (int i = 1; i < chunks.length; i++) {
        clientGaps.add(chunks[i] / 1e6);
      }
      for (int i = 2; i < moments.length; i++) {
        trueGaps.add((moments[i] - moments[i - 1]) / 1e6);
      }
    }
    System.out.printf(
        Locale.ROOT, "requests %d, unknown to the server %d, gaps %d of %d%n",
        clientTtft.size(), missing, clientGaps.size(), trueGaps.size());
    line("TTFT, client from intended (ms)", clientTtft);
    line("TTFT, server's truth (ms)", trueTtft);
    line("  error per request, from intended", fromIntended);
    line("  error per request, from written", fromWritten);
    line("start minus intended (ms)", lateness);
    line("gap, client (ms)", clientGaps);
    line("gap, server's truth (ms)", trueGaps);
    System.out.printf(
        Locale.ROOT, "p50 TTFT error %.3f ms   p99 gap error %.3f ms%n",
        at(clientTtft, 0.5) - at(trueTtft, 0.5), at(clientGaps, 0.99) - at(trueGaps, 0.99));
  }

  private static void line(String name, List<Double> values) {
    System.out.printf(
        Locale.ROOT, "%-36s p50 %9.3f  p90 %9.3f  p99 %9.3f  max %9.3f%n",
        name, at(values, 0.5), at(values, 0.9), at(values, 0.99), at(values, 1));
  }

  private static double at(List<Double> values, double level) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get((int) Math.max(0, Math.ceil(level * sorted.size()) - 1));
  }

  private static String text(String row, String field) {
    Matcher matcher = Pattern.compile("\"" + field + "\":\"([^\"]*)\"").matcher(row);
    return matcher.find() ? matcher.group(1) : "";
  }

  private static long number(String row, String field) {
    Matcher matcher = Pattern.compile("\"" + field + "\":(\\d+)").matcher(row);
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }

  private static long[] numbers(String row, String field) {
    Matcher matcher = Pattern.compile("\"" + field + "\":\\[([^\\]]*)\\]").matcher(row);
    matcher.find();
    String[] words = matcher.group(1).split(",");
    long[] numbers = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      numbers[i] = Long.parseLong(words[i]);
    }
    return numbers;
  }
}
