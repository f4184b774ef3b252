package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same load on a real vLLM and on the embedded engine moves the same counts.
 *
 * <p>{@code TALLY_LIVE_URL} names a real engine with 140 blocks of 32, 64 sequences and a budget of
 * 2048 that nobody else uses.
 */
@Tag("live")
class LiveDifferentialTest {
  private static final List<String> SAME =
      List.of(
          "request_success_total length",
          "request_success_total stop",
          "request_success_total abort",
          "prompt_tokens_total",
          "time_to_first_token_seconds_count",
          "e2e_request_latency_seconds_count",
          "request_params_n_sum",
          "prefix_cache_queries_total",
          "prefix_cache_hits_total");

  /** Rounds in which every shape is played on both engines, one right after the other. */
  private static final int ROUNDS = 3;

  private final SplittableRandom random = new SplittableRandom(System.nanoTime());
  private final List<String> table = new ArrayList<>();

  @Test
  void countsMoveAlikeOnBothEngines() throws Exception {
    String url = System.getenv("TALLY_LIVE_URL");
    assertThat(url).as("TALLY_LIVE_URL").isNotBlank();
    Map<String, String> flags =
        Map.of(
            "num-gpu-blocks-override", "140",
            "block-size", "32",
            "max-num-seqs", "64",
            "max-num-batched-tokens", "2048",
            "profile", "tiny-cpu");
    table.add("shape | count | real | simulated");
    try (EmbeddedEngine engine =
        EmbeddedEngine.start(EngineSettings.ofFlags(flags), "127.0.0.1", 0)) {
      LoadedEngine real = new LoadedEngine(url);
      LoadedEngine simulated = new LoadedEngine(engine.url());
      real.play(warmup());
      simulated.play(warmup());
      List<String> faults = new ArrayList<>();
      Map<String, PredictionTable.Shape> predictions = new LinkedHashMap<>();
      for (int round = 0; round < ROUNDS; round++) {
        for (LoadedEngine.Shape shape : shapes()) {
          LoadedEngine.Result reality = real.play(shape);
          LoadedEngine.Result simulation = simulated.play(shape);
          compare(faults, shape, reality, simulation);
          predictions
              .computeIfAbsent(shape.name(), name -> new PredictionTable.Shape())
              .add(reality, simulation);
        }
      }
      Files.write(
          Files.createDirectories(Path.of("target")).resolve("live-prediction.txt"),
          PredictionTable.lines(predictions));
      write();
      assertThat(faults).isEmpty();
    } finally {
      write();
    }
  }

  private void compare(
      List<String> faults,
      LoadedEngine.Shape shape,
      LoadedEngine.Result real,
      LoadedEngine.Result simulated) {
    for (String name : SAME) {
      row(shape, name, real.get(name), simulated.get(name));
      if (real.get(name) != simulated.get(name)) {
        faults.add(
            shape.name() + " " + name + ": " + real.get(name) + " and " + simulated.get(name));
      }
    }
    boolean isCut = shape.leaveAfterChunks() > 0;
    for (String name : List.of("generation_tokens_total", "inter_token_latency_seconds_count")) {
      row(shape, name, real.get(name), simulated.get(name));
      // Tokens made between the last chunk read and the abort differ from run to run.
      if (!isCut && real.get(name) != simulated.get(name)) {
        faults.add(
            shape.name() + " " + name + ": " + real.get(name) + " and " + simulated.get(name));
      }
    }
    row(shape, "preemptions", real.get("num_preemptions_total"),
        simulated.get("num_preemptions_total"));
    row(shape, "client TTFT p50 ms", real.ttftMillis(), simulated.ttftMillis());
    row(shape, "client ITL p50 ms", real.itlMillis(), simulated.itlMillis());
    row(shape, "engine TTFT mean ms", mean(real, "time_to_first_token_seconds"),
        mean(simulated, "time_to_first_token_seconds"));
    row(shape, "engine ITL mean ms", mean(real, "inter_token_latency_seconds"),
        mean(simulated, "inter_token_latency_seconds"));
    row(shape, "engine prefill mean ms", mean(real, "request_prefill_time_seconds"),
        mean(simulated, "request_prefill_time_seconds"));
    row(shape, "seconds", real.seconds(), simulated.seconds());
    if (!isCut) {
      identities(faults, shape, simulated);
      identities(faults, shape, real);
    }
  }

  private static void identities(
      List<String> faults, LoadedEngine.Shape shape, LoadedEngine.Result result) {
    double gaps = result.get("inter_token_latency_seconds_sum");
    double decode = result.get("request_decode_time_seconds_sum");
    double prefill = result.get("request_prefill_time_seconds_sum");
    double inference = result.get("request_inference_time_seconds_sum");
    if (Math.abs(gaps - decode) > 1e-6) {
      faults.add(shape.name() + ": sum of ITL " + gaps + " is not decode " + decode);
    }
    if (Math.abs(inference - prefill - decode) > 1e-6) {
      faults.add(shape.name() + ": inference " + inference + " is not prefill + decode");
    }
  }

  private LoadedEngine.Shape warmup() {
    return new LoadedEngine.Shape("warm-up", bodies(8, 40, 20, 1, List.of()), true, 0);
  }

  private List<LoadedEngine.Shape> shapes() {
    List<Integer> prefix = tokens(512);
    return List.of(
        new LoadedEngine.Shape("burst 48 x 40/200", bodies(48, 40, 200, 1, List.of()), true, 0),
        new LoadedEngine.Shape("burst 48 x 64/200", bodies(48, 64, 200, 1, List.of()), true, 0),
        new LoadedEngine.Shape("serial 10 x 16/64", bodies(10, 16, 64, 1, List.of()), false, 0),
        new LoadedEngine.Shape("serial 6 x 1000/32", bodies(6, 1000, 32, 1, List.of()), false, 0),
        new LoadedEngine.Shape("8 streams 64/64", bodies(8, 64, 64, 1, List.of()), true, 0),
        new LoadedEngine.Shape(
            "shared prefix 512, 6 x 600/32", bodies(6, 88, 32, 1, prefix), false, 0),
        new LoadedEngine.Shape("chunked 3000/8", bodies(5, 3000, 8, 1, List.of()), false, 0),
        new LoadedEngine.Shape("n=2 130/32", bodies(4, 130, 32, 2, List.of()), false, 0),
        new LoadedEngine.Shape("left after 5", bodies(4, 40, 400, 1, List.of()), false, 5));
  }

  private List<String> bodies(
      int count, int promptTokens, int maxTokens, int choices, List<Integer> prefix) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> {
              List<Integer> prompt = new ArrayList<>(prefix);
              prompt.addAll(tokens(promptTokens));
              return LoadedEngine.body(prompt, maxTokens, choices);
            })
        .toList();
  }

  private List<Integer> tokens(int count) {
    return LoadedEngine.tokens(random, count);
  }

  private static double mean(LoadedEngine.Result result, String family) {
    double count = result.get(family + "_count");
    return count == 0 ? Double.NaN : 1000 * result.get(family + "_sum") / count;
  }

  private void row(LoadedEngine.Shape shape, String count, double real, double simulated) {
    table.add("%s | %s | %.4g | %.4g".formatted(shape.name(), count, real, simulated));
  }

  private void write() throws IOException {
    Files.createDirectories(Path.of("target"));
    Files.write(Path.of("target", "live-differential.txt"), table);
  }
}
