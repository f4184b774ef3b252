package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Planner;
import tallystick.scenario.ScenarioReader;

/**
 * The replicas that a search gives for traffic over time carry it, and one fewer do not: each
 * replica plays its part of the traffic in virtual time, dealt out in turn.
 */
@Tag("stress")
class TrafficPlayTest {
  private static final int SEEDS = Integer.getInteger("traffic.seeds", 1);
  private static final int FIRST = Integer.getInteger("traffic.first", 501);
  private static final double WINDOW = 60;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSSS").withZone(ZoneOffset.UTC);

  private static final String REST =
      """
        prompt_tokens: 320
        output_tokens: 128
      warmup: {requests: 0}
      objectives:
        - {ttft: 1s, share: 0.99}
      timeout: 120s
      """;

  @TempDir private Path folder;

  @Test
  void theReplicasOfEachWindowCarryTheTrafficAndOneFewerDoNot() throws Exception {
    for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
      Path day =
          write(
              "day.yaml",
              "name: day\nduration: 8m\nseed: " + seed + "\nworkload:\n  arrival: poisson\n"
                  + "  rate: {sine: {mean: 60, amplitude: 40, period: 8m}}\n" + REST);
      JsonNode answer = sized(day, seed);
      assertThat(answer.path("replicas_peak").asInt()).isGreaterThan(2);

      assertThat(share(day, seed, answer, 0)).as("seed " + seed).isGreaterThanOrEqualTo(0.99);
      assertThat(share(day, seed, answer, 1)).as("one fewer, seed " + seed).isLessThan(0.99);
    }
  }

  private JsonNode sized(Path day, int seed) throws IOException {
    Path steady =
        write(
            "steady.yaml",
            "name: steady\nduration: 60s\nworkload:\n  arrival: poisson\n  rate: 20\n" + REST);
    Path out = folder.resolve("capacity-" + seed);
    CommandRun ran =
        CommandRun.of(
            "capacity", steady.toString(), "--rehearse", "--budget", "60m", "--seed", "" + seed,
            "--traffic", day.toString(), "--window", "1m", "--out", out.toString());
    assertThat(ran.code()).as(ran.output()).isIn(0, 5);
    assertThat(ran.output()).contains("for the traffic of day, ");
    return CommandRun.json(
        Files.readString(CommandRun.onlyRun(out).resolve("capacity.json")));
  }

  /** The share of all requests that were good, each window dealt out over its replicas. */
  private double share(Path day, int seed, JsonNode answer, int fewer) throws IOException {
    int most = answer.path("replicas_peak").asInt();
    List<StringBuilder> parts = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      parts.add(new StringBuilder("TIMESTAMP,ContextTokens,GeneratedTokens\n"));
    }
    int turn = 0;
    for (PlannedRequest request :
        Planner.plan(ScenarioReader.read(day, List.of(), List.of()), seed).requests()) {
      int window = (int) (request.offsetNanos() / 1e9 / WINDOW);
      int replicas = answer.path("replicas_over_time").path(window).path("replicas").asInt();
      parts.get(turn++ % Math.max(1, replicas - fewer))
          .append(TIME.format(Instant.ofEpochSecond(1_700_000_000, request.offsetNanos())))
          .append(",320,128\n");
    }
    long judged = 0;
    long good = 0;
    for (int i = 0; i < most; i++) {
      if (parts.get(i).toString().lines().count() > 1) {
        JsonNode objective = played(i, parts.get(i).toString(), seed + "-" + fewer);
        judged += objective.path("judged").asLong();
        good += objective.path("good").asLong();
      }
    }
    System.out.println("seed " + seed + ", " + fewer + " fewer: " + good + " of " + judged);
    return (double) good / judged;
  }

  private JsonNode played(int replica, String trace, String name) throws IOException {
    Path file = write("part-" + name + "-" + replica + ".csv", trace);
    Path scenario =
        write(
            "replica.yaml",
            "name: replica\nworkload:\n  arrival: trace\n  dataset: {format: azure, file: "
                + file.getFileName() + "}\n" + REST.substring(REST.indexOf("warmup")));
    Path out = folder.resolve("played-" + name + "-" + replica);
    CommandRun ran = CommandRun.of("simulate", scenario.toString(), "--out", out.toString());
    assertThat(ran.code()).as(ran.output()).isIn(0, 1, 5);
    return CommandRun.analysis(out).path("objectives").path(0);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
