package tallystick.simengine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A server under a shape of load, seen from both sides: what clients felt, what it counted. */
final class LoadedEngine {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final String url;
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
   * @param ttftMillis median over requests of send to first chunk
   * @param tpotMillis median over requests of (last chunk - first chunk) / (tokens - 1)
   * @param seconds from first send to last answer
   */
  record Result(
      Map<String, Double> moved, double ttftMillis, double tpotMillis, double seconds) {
    double get(String name) {
      return moved.getOrDefault("vllm:" + name, 0.0);
    }
  }

  private record Felt(double ttftMillis, double tpotMillis) {}

  LoadedEngine(String url) {
    this.url = url;
  }

  Result play(Shape shape) throws Exception {
    Map<String, Double> before = quietMetrics();
    long begin = System.nanoTime();
    List<Felt> felt = new ArrayList<>();
    int threads = shape.isParallel() ? shape.bodies().size() : 1;
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Callable<Felt>> calls = new ArrayList<>();
      shape.bodies().forEach(body -> calls.add(() -> send(body, shape.leaveAfterChunks())));
      for (Future<Felt> one : pool.invokeAll(calls)) {
        felt.add(one.get());
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    Map<String, Double> moved = new TreeMap<>();
    quietMetrics()
        .forEach((name, value) -> moved.put(name, value - before.getOrDefault(name, 0.0)));
    return new Result(
        moved,
        median(felt.stream().mapToDouble(Felt::ttftMillis).toArray()),
        median(felt.stream().mapToDouble(Felt::tpotMillis).toArray()),
        seconds);
  }

  private Felt send(String body, int leaveAfterChunks) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/v1/completions"))
            .timeout(PATIENCE)
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    long sent = System.nanoTime();
    HttpResponse<InputStream> response =
        client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    long first = 0;
    long last = 0;
    int chunks = 0;
    int tokens = 0;
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.contains("\"token_ids\"")) {
          continue;
        }
        last = System.nanoTime();
        first = first == 0 ? last : first;
        chunks++;
        tokens += tokensIn(line);
        if (chunks == leaveAfterChunks) {
          break;
        }
      }
    }
    double tpot = tokens > 1 ? (last - first) / 1e6 / (tokens - 1) : 0;
    return new Felt((first - sent) / 1e6, tpot);
  }

  private static int tokensIn(String event) throws IOException {
    return Json.MAPPER
        .readTree(event.substring("data: ".length()))
        .path("choices")
        .path(0)
        .path("token_ids")
        .size();
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
      TimeUnit.MILLISECONDS.sleep(200);
    }
    return last;
  }

  private Map<String, Double> metrics() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/metrics")).timeout(PATIENCE).build();
    Map<String, Double> samples = new TreeMap<>();
    client
        .send(request, HttpResponse.BodyHandlers.ofString())
        .body()
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
