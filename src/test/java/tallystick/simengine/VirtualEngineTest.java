package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VirtualEngineTest {

  /** Every token of every request, with its time. */
  private static final class Log implements VirtualRequest.Observer {
    final List<String> lines = new ArrayList<>();
    int tokens;

    @Override
    public void tokens(long nanos, int choice, int[] chunk) {
      tokens += chunk.length;
      lines.add(nanos + " " + choice + " " + java.util.Arrays.toString(chunk));
    }

    @Override
    public void ended(long nanos, int choice, VirtualRequest.Ending ending) {
      lines.add(nanos + " " + choice + " " + ending);
    }
  }

  @Test
  void oneSeedGivesOneHistory() {
    assertThat(load(7, 60, 4).lines).isEqualTo(load(7, 60, 4).lines);
    assertThat(load(7, 60, 4).lines).isNotEqualTo(load(8, 60, 4).lines);
  }

  @Test
  void anArrivalDuringAStepWaitsForItsEnd() {
    VirtualEngine engine = new VirtualEngine(settings(Map.of("profile", "invented-mid-gpu")), 0);
    Log log = new Log();
    engine.at(0, () -> engine.submit(new VirtualRequest(new int[] {9}, 3, 1), log));
    Log late = new Log();
    engine.at(1_000_000, () -> engine.submit(new VirtualRequest(new int[] {8}, 1, 1), late));
    engine.run();
    long firstStepEnd = Long.parseLong(log.lines.getFirst().split(" ")[0]);
    long lateToken = Long.parseLong(late.lines.getFirst().split(" ")[0]);
    assertThat(lateToken).isGreaterThan(firstStepEnd);
  }

  @Test
  void outputsOfOneStepGoOutOneByOneWhereAnOutputTakesTime() {
    StepTimeProfile.ApiServerTime server = new StepTimeProfile.ApiServerTime(0, 0, 50_000, true);
    StepTimeProfile profile = new StepTimeProfile("p", 1e6, 0, 0, 0, 0, server, 0);
    VirtualEngine engine = new VirtualEngine(settings(Map.of()).with(profile), 0);
    List<Log> logs = List.of(new Log(), new Log(), new Log());
    engine.at(
        0,
        () ->
            logs.forEach(
                log -> engine.submit(new VirtualRequest(new int[] {9}, 2, 1), log)));
    engine.run();
    // The first request begins a step alone; the other two share the next.
    assertThat(logs.get(0).lines.getFirst()).startsWith("1050000 ");
    List<String> second =
        List.of(logs.get(1).lines.getFirst(), logs.get(2).lines.getFirst());
    assertThat(second.get(0).split(" ")[0]).isNotEqualTo(second.get(1).split(" ")[0]);
  }

  @Test
  void aCancelledRequestSaysNothingMore() {
    VirtualEngine engine = new VirtualEngine(settings(Map.of()), 0);
    Log log = new Log();
    List<VirtualRequest.Handle> handles = new ArrayList<>();
    engine.at(
        0, () -> handles.add(engine.submit(new VirtualRequest(new int[] {9}, 3000, 1), log)));
    engine.at(1_000_000_000, () -> handles.getFirst().cancel());
    engine.run();
    long last = Long.parseLong(log.lines.getLast().split(" ")[0]);
    assertThat(last).isLessThanOrEqualTo(1_000_000_000);
    assertThat(log.tokens).isBetween(1, 2999);
  }

  @Test
  void aStallIsOneLongGapOfEveryRunningRequest() {
    VirtualEngine engine =
        new VirtualEngine(settings(Map.of("fault", "stall:at=100ms,for=2s")), 0);
    Log log = new Log();
    engine.at(0, () -> engine.submit(new VirtualRequest(new int[] {9}, 50, 1), log));
    engine.run();
    long largest = 0;
    for (int i = 1; i < log.lines.size(); i++) {
      long gap = nanosOf(log.lines.get(i)) - nanosOf(log.lines.get(i - 1));
      largest = Math.max(largest, gap);
    }
    assertThat(largest).isBetween(2_000_000_000L, 2_020_000_000L);
    assertThat(log.tokens).isEqualTo(50);
  }

  private static long nanosOf(String line) {
    return Long.parseLong(line.split(" ")[0]);
  }

  @Test
  void aScrapeReadsWhatTheLastStepPublished() {
    VirtualEngine engine = new VirtualEngine(settings(Map.of()), 0);
    List<Double> running = new ArrayList<>();
    int index =
        engine.series().stream()
            .map(VirtualEngine.MetricSeries::name)
            .toList()
            .indexOf("vllm:num_requests_running");
    engine.at(0, () -> engine.submit(new VirtualRequest(new int[] {9}, 50, 1), new Log()));
    engine.at(1, () -> running.add(engine.sample()[index]));
    engine.at(100_000_000, () -> running.add(engine.sample()[index]));
    engine.run();
    running.add(engine.sample()[index]);
    assertThat(running).containsExactly(0.0, 1.0, 0.0);
  }

  static Log load(long seed, int seconds, double rate) {
    Log log = new Log();
    VirtualEngine engine = new VirtualEngine(settings(Map.of("seed", "" + seed)), 0);
    Random random = new Random(seed);
    long at = 0;
    while (at < seconds * 1_000_000_000L) {
      int[] prompt = EngineRun.prompt(20 + random.nextInt(200), random.nextInt(1 << 20));
      VirtualRequest request = new VirtualRequest(prompt, 1 + random.nextInt(100), 1);
      engine.at(at, () -> engine.submit(request, log));
      at += (long) (-Math.log(1 - random.nextDouble()) / rate * 1e9);
    }
    engine.run();
    return log;
  }

  private static EngineSettings settings(Map<String, String> flags) {
    return EngineSettings.ofFlags(flags);
  }
}
