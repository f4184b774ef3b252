package tallystick.virtualrun;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Strength;
import tallystick.plan.Planner;
import tallystick.plan.Settings;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;
import tallystick.simengine.EngineSettings;

/**
 * How often a verdict is right that is kept although the client was late. Each world is played with
 * a client that takes no time and with clients that stand still, on the same plan; each objective
 * is judged alone, and held against the clean run and against an hour of the same world.
 */
@Tag("stress")
class LateClientCalibrationTest {
  /** Seeds from 82,000 on were for trying; nothing was chosen on those from 83,000 on. */
  private static final long FIRST_SEED = Long.getLong("late.seed", 83_000);

  private static final int SEEDS = Integer.getInteger("late.seeds", 2);
  private static final int SECONDS = 60;
  private static final int LONG_SECONDS = 3_600;
  private static final Map<String, String> ENGINE = Map.of("max-num-seqs", "16");

  /** Limits as shares of the true percentile. */
  private static final double[] LIMITS = {0.3, 0.8, 0.95, 1.05, 1.2, 2, 5, 20};

  @TempDir private static Path folder;

  /** What is asked of the engine, which carries 15 requests/s. */
  private enum World {
    OPEN_HALF("arrival: poisson, rate: 8"),
    OPEN_BUSY("arrival: poisson, rate: 13"),
    CLOSED("concurrency: 12"),
    /** Half of its users wait for a place. */
    CLOSED_FULL("concurrency: 24");

    private final String load;

    World(String load) {
      this.load = load;
    }
  }

  /** A quantity with the share of its objective; {@code ALL} is a wait and a time per token. */
  private record Asked(Metric metric, double share) {}

  private static final List<Metric> JOINT = List.of(Metric.TTFT, Metric.TPOT);

  private static final List<Asked> ASKED =
      List.of(
          new Asked(Metric.TTFT, 0.95), new Asked(Metric.E2E, 0.9), new Asked(Metric.TPOT, 0.95),
          new Asked(Metric.ITL, 0.99), new Asked(Metric.LARGEST_GAP, 0.9),
          new Asked(Metric.ALL, 0.95));

  /** Verdicts, counted by what became of them. */
  private static final class Tally {
    private final Map<Count, Integer> counts = new EnumMap<>(Count.class);

    private enum Count {
      ALL, UNNOTICED, UNNOTICED_SURE, UNNOTICED_SURE_WRONG, KEPT, SURE, SURE_WRONG, LIKELY,
      LIKELY_WRONG, CLEAN_SURE, CLEAN_SURE_WRONG, CLEAN_LIKELY, CLEAN_LIKELY_WRONG, OTHER, BLAMED,
      INVALID, SHY
    }

    private int of(Count count) {
      return counts.getOrDefault(count, 0);
    }

    private void count(boolean is, Count count) {
      counts.merge(count, is ? 1 : 0, Integer::sum);
    }

    private void take(Seen late, Judgement clean, boolean isTrulyMet) {
      count(true, Count.ALL);
      Judgement now = late.judgement;
      boolean isCleanWrong = (clean.verdict() == Verdict.MET) != isTrulyMet;
      count(clean.strength() == Strength.SURE, Count.CLEAN_SURE);
      count(isCleanWrong && clean.strength() == Strength.SURE, Count.CLEAN_SURE_WRONG);
      count(clean.strength() == Strength.LIKELY, Count.CLEAN_LIKELY);
      count(isCleanWrong && clean.strength() == Strength.LIKELY, Count.CLEAN_LIKELY_WRONG);
      boolean isWrong = (now.verdict() == Verdict.MET) != isTrulyMet;
      boolean isSure = now.strength() == Strength.SURE;
      switch (late.told) {
        case INVALID -> {
          count(true, Count.INVALID);
          count(now.equals(clean), Count.SHY);
        }
        case NOTHING -> {
          count(true, Count.UNNOTICED);
          count(isSure, Count.UNNOTICED_SURE);
          count(isSure && isWrong, Count.UNNOTICED_SURE_WRONG);
        }
        case LATE -> {
          count(true, Count.KEPT);
          boolean isLikely = now.strength() == Strength.LIKELY;
          count(isSure, Count.SURE);
          count(isSure && isWrong, Count.SURE_WRONG);
          count(isLikely, Count.LIKELY);
          count(isLikely && isWrong, Count.LIKELY_WRONG);
          count(!now.isTooClose() && now.verdict() != clean.verdict(), Count.OTHER);
          count(
              now.isMissed() && clean.isMet() && clean.strength() == Strength.SURE, Count.BLAMED);
        }
      }
    }

    private void add(Tally more) {
      more.counts.forEach((count, times) -> counts.merge(count, times, Integer::sum));
    }

    /** Whether there is something to look at. */
    private boolean isOdd() {
      return of(Count.SURE_WRONG) + of(Count.LIKELY_WRONG) + of(Count.OTHER)
          + of(Count.UNNOTICED_SURE_WRONG) > 0;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%d: %d not late (sure %d, wrong %d), %d kept, %d invalid (%d as clean); kept and wrong:"
              + " sure %d of %d, likely %d of %d (clean: %d of %d, %d of %d); other than clean %d,"
              + " missed for met %d",
          of(Count.ALL), of(Count.UNNOTICED), of(Count.UNNOTICED_SURE),
          of(Count.UNNOTICED_SURE_WRONG), of(Count.KEPT), of(Count.INVALID), of(Count.SHY),
          of(Count.SURE_WRONG), of(Count.SURE), of(Count.LIKELY_WRONG), of(Count.LIKELY),
          of(Count.CLEAN_SURE_WRONG), of(Count.CLEAN_SURE), of(Count.CLEAN_LIKELY_WRONG),
          of(Count.CLEAN_LIKELY), of(Count.OTHER), of(Count.BLAMED));
    }
  }

  private enum Told { NOTHING, LATE, INVALID }

  /** What a run showed of an objective. */
  private record Seen(Judgement judgement, Told told) {}

  @Test
  void aVerdictKeptWithALateClientIsAsRightAsOneOfAPromptOne() throws Exception {
    Map<String, Tally> tallies = new TreeMap<>();
    for (World world : World.values()) {
      Map<Asked, Double> truth = truth(world);
      LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS)
          .parallel()
          .forEach(seed -> play(world, truth, seed, tallies));
    }
    Tally whole = new Tally();
    tallies.forEach(
        (name, tally) -> {
          System.out.println(name + ": " + tally);
          whole.add(tally);
        });
    System.out.println("all: " + whole);
    assertThat(whole.of(Tally.Count.KEPT)).isGreaterThan(100);
    assertThat(whole.of(Tally.Count.SURE_WRONG))
        .isLessThanOrEqualTo(whole.of(Tally.Count.SURE) / 20);
    assertThat(whole.of(Tally.Count.LIKELY_WRONG))
        .isLessThanOrEqualTo(whole.of(Tally.Count.LIKELY) / 4);
    assertThat(whole.of(Tally.Count.OTHER)).as("unlike the clean run's").isZero();
    assertThat(whole.of(Tally.Count.BLAMED)).isZero();
    assertThat(whole.of(Tally.Count.UNNOTICED_SURE_WRONG))
        .isLessThanOrEqualTo(whole.of(Tally.Count.UNNOTICED_SURE) / 20);
  }

  private static void play(
      World world, Map<Asked, Double> truth, long seed, Map<String, Tally> tallies) {
    try {
      Rows clean = played(world, SECONDS, seed, new VirtualWorld(still(), seed));
      Map<Objective, Judgement> judged = clean.judgements(objectives(truth));
      for (StarvedClient.Manner manner : StarvedClient.Manner.values()) {
        StarvedClient client = new StarvedClient(manner, SECONDS, ~seed);
        Rows late = played(world, SECONDS, seed, client);
        late.harness.addAll(client.notes(late.lastNanos()));
        count(world, manner.name(), late, truth, judged, seed, tallies);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void count(
      World world, String manner, Rows late, Map<Asked, Double> truth,
      Map<Objective, Judgement> clean, long seed, Map<String, Tally> tallies) {
    for (Objective objective : objectives(truth)) {
      Seen seen = late.seen(objective);
      // Of several limits the truth is a part of each.
      Metric part = objective.parts().getFirst().metric();
      double limit = objective.parts().getFirst().thresholdSeconds();
      double whole = objective.limits().isEmpty() ? 1 : truth.get(asked(part));
      double real = truth.get(asked(objective.metric())) * whole;
      boolean isTrulyMet = limit >= real;
      Tally one = new Tally();
      one.take(seen, clean.get(objective), isTrulyMet);
      if (one.isOdd()) {
        System.out.printf(
            Locale.ROOT, "%s %s %d %s %.1f ms (true %.1f): %s, clean %s, %s%n", world, manner, seed,
            objective.metric(), limit * 1e3, real * 1e3,
            seen.judgement.verdict() + " " + seen.judgement.strength(),
            clean.get(objective).verdict() + " " + clean.get(objective).strength(), seen.told);
      }
      synchronized (tallies) {
        tallies.computeIfAbsent(manner + " " + world, any -> new Tally()).add(one);
      }
    }
  }

  private static List<Objective> objectives(Map<Asked, Double> truth) {
    return truth.entrySet().stream()
        .flatMap(
            one ->
                Arrays.stream(LIMITS)
                    .mapToObj(share -> objective(one.getKey(), share * one.getValue(), truth)))
        .toList();
  }

  private static Objective objective(Asked asked, double limit, Map<Asked, Double> truth) {
    return asked.metric() == Metric.ALL
        ? Objective.ofAll(
            JOINT.stream()
                .map(part -> new Objective.Limit(part, limit * truth.get(asked(part))))
                .toList(),
            asked.share(), "")
        : new Objective(asked.metric(), limit, asked.share(), "");
  }

  private static Asked asked(Metric metric) {
    return ASKED.stream().filter(asked -> asked.metric() == metric).findFirst().orElseThrow();
  }

  /** Percentiles of an hour. */
  private static Map<Asked, Double> truth(World world) throws Exception {
    Rows rows =
        played(world, LONG_SECONDS, FIRST_SEED - 1, new VirtualWorld(still(), FIRST_SEED - 1));
    Map<Asked, Double> truth = new TreeMap<>(Comparator.comparing(Asked::metric));
    for (Asked asked : ASKED) {
      double[] brought =
          asked.metric() == Metric.ALL ? rows.used(truth) : rows.brought(asked.metric());
      truth.put(asked, brought[(int) Math.ceil(asked.share() * brought.length) - 1]);
    }
    System.out.println(world + " " + truth);
    return truth;
  }

  private static VirtualWorld.Shape still() {
    return new VirtualWorld.Shape(100_000, 0, 0, 0, 0);
  }

  private static Rows played(World world, int seconds, long seed, VirtualWorld around)
      throws IOException, InterruptedException {
    Path parent = Files.createTempDirectory(folder, "run");
    Path file =
        Files.writeString(
            parent.resolve("late.yaml"),
            """
            name: late
            endpoint: completions
            workload:
              {%s, prompt_tokens: {uniform: [100, 600]}, output_tokens: {uniform: [20, 100]}}
            duration: %ds
            warmup: {requests: 8}
            scrape_interval: 1s
            timeout: 900s
            """
                .formatted(world.load, seconds));
    Scenario scenario = ScenarioReader.read(file, List.of(), List.of());
    Map<String, String> flags = new TreeMap<>(ENGINE);
    flags.put("seed", Long.toString(seed));
    Path run = parent.resolve("played");
    new VirtualRecord(
            Planner.plan(scenario, seed), EngineSettings.ofFlags(flags), still(), "test")
        .write(RecordFiles.ofRun(run), around);
    Rows rows = new Rows(RecordReader.open(run));
    try (Stream<Path> files = Files.walk(parent)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
    return rows;
  }

  /** A record in memory. */
  private static final class Rows implements RunRows {
    private final Manifest manifest;
    private final Settings settings;
    private final long planned;
    private final List<RequestRow> requests = new ArrayList<>();
    private final List<ScrapeRow> scrapes = new ArrayList<>();
    private final List<HarnessRow> harness = new ArrayList<>();
    private List<Objective> objectives = List.of();

    Rows(RunRows record) {
      manifest = record.manifest();
      settings = record.settings();
      planned = record.plannedRequests();
      record.eachRequest(requests::add);
      record.eachScrape(scrapes::add);
      record.eachHarness(harness::add);
    }

    Map<Objective, Judgement> judgements(List<Objective> asked) {
      objectives = asked;
      Map<Objective, Judgement> all = new HashMap<>();
      Analyzer.analyze(this).objectives()
          .forEach(result -> all.put(result.objective(), result.judgement()));
      return all;
    }

    Seen seen(Objective objective) {
      objectives = List.of(objective);
      RunAnalysis analysis = Analyzer.analyze(this);
      Told told =
          analysis.findings().stream()
              .filter(one -> one.code() == Finding.Code.CLIENT_SATURATED)
              .map(one -> one.severity() == Finding.Severity.INVALID ? Told.INVALID : Told.LATE)
              .findFirst()
              .orElse(Told.NOTHING);
      return new Seen(analysis.objectives().getFirst().judgement(), told);
    }

    long lastNanos() {
      return requests.stream().mapToLong(row -> row.times().ended()).max().orElseThrow();
    }

    /** What the measured requests brought of a quantity, in seconds, ascending. */
    double[] brought(Metric metric) {
      return requests.stream()
          .filter(row -> row.phase().equals("main"))
          .flatMapToDouble(row -> brought(row, metric))
          .sorted()
          .toArray();
    }

    /** The largest part that they used of the truths of the joint limits, ascending. */
    double[] used(Map<Asked, Double> truth) {
      return requests.stream()
          .filter(row -> row.phase().equals("main"))
          .mapToDouble(
              row ->
                  JOINT.stream()
                      .mapToDouble(
                          part -> brought(row, part).findFirst().orElse(0) / truth.get(asked(part)))
                      .max()
                      .orElseThrow())
          .sorted()
          .toArray();
    }

    private static DoubleStream brought(RequestRow row, Metric metric) {
      long[] at = row.chunks().arrivalNanos();
      double start = row.times().started();
      return switch (metric) {
        case TTFT -> DoubleStream.of((at[0] - start) / 1e9);
        case E2E -> DoubleStream.of((row.lastTokenNanos() - start) / 1e9);
        case TPOT -> DoubleStream.of(row.timePerTokenNanos() / 1e9);
        case LARGEST_GAP ->
            DoubleStream.of(row.chunks().largestGapNanos() / 1e9);
        case ITL ->
            IntStream.range(1, at.length).mapToDouble(i -> (at[i] - at[i - 1]) / 1e9);
        default -> throw new IllegalArgumentException(metric + " is not asked");
      };
    }

    @Override
    public Manifest manifest() {
      return manifest;
    }

    @Override
    public Settings settings() {
      return new Settings(
          settings.scenario(), settings.seed(), settings.endpoint(), settings.model(),
          settings.targets(), settings.loop(), settings.concurrency(), settings.phases(),
          objectives, settings.timing(), settings.options(), settings.labels(),
          settings.classes(), settings.access(), settings.stop(), settings.exporters());
    }

    @Override
    public long plannedRequests() {
      return planned;
    }

    @Override
    public void eachRequest(Consumer<RequestRow> reader) {
      requests.forEach(reader);
    }

    @Override
    public void eachScrape(Consumer<ScrapeRow> reader) {
      scrapes.forEach(reader);
    }

    @Override
    public void eachHarness(Consumer<HarnessRow> reader) {
      harness.forEach(reader);
    }

    @Override
    public List<String> faults() {
      return List.of();
    }
  }
}
