package tallystick.simengine;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A server under a shape of load, seen from both sides: what clients felt, what it counted. */
final class LoadedEngine {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(600);

  private final String url;
  private final StreamingClient streams;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /**
   * A load whose counts do not depend on how fast the server is.
   *
   * @param name for the table
   * @param bodies request bodies; all are sent at once, or one after the other
   * @param isParallel whether all at once
   * @param leaveAfterChunks chunks after which the client goes away; 0 means never
   */
  record Shape(String name, List<String> bodies, boolean isParallel, int leaveAfterChunks) {}

  /**
   * What a shape did.
   *
   * @param moved by how much each sample of the exposition moved
   * @param ttftMillis median over requests of send to first event
   * @param itlMillis median over all gaps between two events of a choice
   * @param seconds from first send to last answer
   */
  record Result(
      Map<String, Double> moved, double ttftMillis, double itlMillis, double seconds) {
    double get(String name) {
      return moved.getOrDefault("vllm:" + name, 0.0);
    }
  }

  LoadedEngine(String url) {
    this.url = url;
    this.streams = new StreamingClient(url);
  }

  Result play(Shape shape) throws Exception {
    Map<String, Double> before = quietMetrics();
    long begin = System.nanoTime();
    List<StreamingClient.Heard> heard = new ArrayList<>();
    if (shape.isParallel()) {
      heard.addAll(streams.together(shape.bodies()));
    } else {
      int most = shape.leaveAfterChunks() == 0 ? Integer.MAX_VALUE : shape.leaveAfterChunks();
      for (String body : shape.bodies()) {
        heard.add(streams.alone(body, most));
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    Map<String, Double> moved = new TreeMap<>();
    quietMetrics()
        .forEach((name, value) -> moved.put(name, value - before.getOrDefault(name, 0.0)));
    return new Result(
        moved,
        median(heard.stream().mapToDouble(LoadedEngine::ttftMillis).toArray()),
        median(gapMillis(heard)),
        seconds);
  }

  /** Processor time that the API server's process has used. */
  double apiServerSeconds() throws IOException, InterruptedException {
    return exposition()
        .lines()
        .filter(line -> line.startsWith("process_cpu_seconds_total "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }

  /** A streamed completion that generates all it may. */
  static String body(List<Integer> prompt, int maxTokens, int choices) {
    return ("{\"model\":\"tiny\",\"prompt\":%s,\"max_tokens\":%d,\"n\":%d,\"ignore_eos\":true,"
            + "\"stream\":true,\"return_token_ids\":true,"
            + "\"stream_options\":{\"include_usage\":true}}")
        .formatted(prompt, maxTokens, choices);
  }

  static List<Integer> tokens(SplittableRandom random, int count) {
    return IntStream.range(0, count).mapToObj(i -> 7 + random.nextInt(2000)).toList();
  }

  private static double ttftMillis(StreamingClient.Heard heard) {
    return (heard.eventNanos()[0] - heard.sentNanos()) / 1e6;
  }

  private static double[] gapMillis(List<StreamingClient.Heard> heard) throws IOException {
    List<Double> gaps = new ArrayList<>();
    for (StreamingClient.Heard one : heard) {
      Map<Integer, Long> last = new TreeMap<>();
      for (int i = 0; i < one.events().size(); i++) {
        JsonNode choice = Json.MAPPER.readTree(one.events().get(i)).path("choices").path(0);
        if (choice.isObject()) {
          Long before = last.put(choice.path("index").asInt(), one.eventNanos()[i]);
          if (before != null) {
            gaps.add((one.eventNanos()[i] - before) / 1e6);
          }
        }
      }
    }
    return gaps.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Every sample but buckets and creation times, once nothing has moved for a while. */
  private Map<String, Double> quietMetrics() throws IOException, InterruptedException {
    Map<String, Double> last = metrics();
    long since = System.nanoTime();
    while (System.nanoTime() - since < QUIET_NANOS) {
      Map<String, Double> now = metrics();
      if (!now.equals(last)) {
        last = now;
        since = System.nanoTime();
      }
      TimeUnit.MILLISECONDS.sleep(150);
    }
    return last;
  }

  private Map<String, Double> metrics() throws IOException, InterruptedException {
    Map<String, Double> samples = new TreeMap<>();
    exposition()
        .lines()
        .filter(line -> line.startsWith("vllm:"))
        .filter(line -> !line.contains("_bucket") && !line.contains("_created"))
        .forEach(
            line -> {
              int space = line.lastIndexOf(' ');
              String name = line.substring(0, space);
              samples.put(
                  name.contains("finished_reason") ? reason(name) : name.replaceAll("\\{.*", ""),
                  Double.parseDouble(line.substring(space + 1)));
            });
    return samples;
  }

  private String exposition() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/metrics")).timeout(PATIENCE).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static String reason(String series) {
    String reason = series.replaceAll(".*finished_reason=\"(\\w+)\".*", "$1");
    return "vllm:request_success_total " + reason;
  }

  static double median(double[] values) {
    Arrays.sort(values);
    int middle = values.length / 2;
    return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }
}
