package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Records a real engine under one shape of load and fits a step-time profile to it; writes both to
 * {@code target/fit}. See bench/engine-fit/README.md.
 *
 * <p>The shape: 48 requests at once, 200 output tokens each, prompts from 16 to 3000 tokens evenly
 * spread on a logarithmic scale, 140 blocks of 32. Every term of the model varies in it.
 *
 * <p>{@code TALLY_LIVE_URL} names the engine, {@code TALLY_LIVE_LOG} its log file.
 */
@Tag("live")
class LiveFitRecordingTest {
  private static final int REQUESTS = 48;
  private static final int OUTPUT_TOKENS = 200;
  private static final int BURSTS = 8;
  private static final long SETTLE_MILLIS = 600;

  private final SplittableRandom random = new SplittableRandom(System.nanoTime());
  private final List<Integer> promptTokens = promptTokens();

  @Test
  void recordsBurstsOfOneShapeAndFitsThem() throws Exception {
    String url = System.getenv("TALLY_LIVE_URL");
    assertThat(url).as("TALLY_LIVE_URL").isNotBlank();
    assertThat(System.getenv("TALLY_LIVE_LOG")).as("TALLY_LIVE_LOG").isNotBlank();
    Path log = Path.of(System.getenv("TALLY_LIVE_LOG"));
    StreamingClient client = new StreamingClient(url);
    LoadedEngine metrics = new LoadedEngine(url);
    client.together(bodies());
    List<StepLog.Step> steps = new ArrayList<>();
    List<List<Double>> waits = new ArrayList<>();
    List<Double> apiServerNanos = new ArrayList<>();
    for (int burst = 0; burst < BURSTS; burst++) {
      TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
      double before = metrics.apiServerSeconds();
      List<StreamingClient.Heard> heard = client.together(bodies());
      apiServerNanos.add(1e9 * (metrics.apiServerSeconds() - before));
      List<String> lines = Files.readAllLines(log);
      steps.addAll(StepLog.lastBurst(lines, inOrderOfFirstToken(heard), 139 * 32));
      waits.add(waits(heard));
    }
    double[] cpu = apiServerNanos.stream().mapToDouble(Double::doubleValue).toArray();
    FitRecording recording =
        new FitRecording(
            steps, waits, promptTokens, OUTPUT_TOKENS, LoadedEngine.median(cpu));
    Path folder = Path.of("target", "fit");
    recording.write(folder, System.getenv().getOrDefault("TALLY_LIVE_SOURCE", "unnamed"));
    Files.write(folder.resolve("fit.txt"), ProfileFitTest.lines(recording));
  }

  private List<String> bodies() {
    return promptTokens.stream()
        .map(tokens -> LoadedEngine.body(LoadedEngine.tokens(random, tokens), OUTPUT_TOKENS, 1))
        .toList();
  }

  private static List<Integer> promptTokens() {
    List<Integer> tokens =
        new ArrayList<>(
            IntStream.range(0, REQUESTS)
                .mapToObj(i -> (int) Math.round(16 * Math.pow(3000 / 16.0, i / (REQUESTS - 1.0))))
                .toList());
    Collections.shuffle(tokens, new java.util.Random(1));
    return tokens;
  }

  private static List<Integer> inOrderOfFirstToken(List<StreamingClient.Heard> heard)
      throws IOException {
    List<Map.Entry<Long, Integer>> firsts = new ArrayList<>();
    for (StreamingClient.Heard one : heard) {
      int tokens = usage(one).path("usage").path("prompt_tokens").asInt();
      firsts.add(Map.entry(one.eventNanos()[0], tokens));
    }
    firsts.sort(Comparator.comparingLong(Map.Entry::getKey));
    return firsts.stream().map(Map.Entry::getValue).toList();
  }

  private static List<Double> waits(List<StreamingClient.Heard> heard) throws IOException {
    List<Double> waits = new ArrayList<>();
    for (StreamingClient.Heard one : heard) {
      JsonNode metrics = usage(one).path("metrics");
      double inEngine =
          1e6
              * (metrics.path("queue_time_ms").asDouble()
                  + metrics.path("time_to_first_token_ms").asDouble());
      waits.add(one.eventNanos()[0] - one.sentNanos() - inEngine);
    }
    return waits;
  }

  private static JsonNode usage(StreamingClient.Heard heard) throws IOException {
    return Json.MAPPER.readTree(heard.events().getLast());
  }
}
