package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;
import tallystick.runrecord.ScrapeRow;

/** A record too big to load: rows are made as they are read. */
@Tag("stress")
class BigRecordTest {
  private static final int REQUESTS = 1_000_000;
  private static final int TOKENS = 128;
  private static final double SECONDS = 3600;

  @Test
  void aMillionRequestsOfManyTokensFitIntoAMinuteAndABoundedHeap() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    RunAnalysis analysis = Analyzer.analyze(new MadeRun());
    // CPU time, so that neighbours on the machine do not count.
    double seconds = (threads.getCurrentThreadCpuTime() - start) / 1e9;
    System.gc();
    long usedMiB =
        (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20;
    System.out.printf("analysed in %.1f CPU s, %d MiB live afterwards%n", seconds, usedMiB);
    assertThat(analysis.counts().chunks()).isEqualTo((long) REQUESTS * TOKENS);
    assertThat(analysis.client().chunkGaps().relativeError()).isEqualTo(1e-4);
    assertThat(analysis.client().ttftFromIntended().relativeError()).isZero();
    assertThat(seconds).isLessThan(60);
  }

  /** Open loop over an hour; nothing is kept. */
  private static final class MadeRun implements RunRows {
    private final MemoryRun frame = new MemoryRun().window(0, SECONDS);

    private MadeRun() {
      frame.phases.clear();
      frame.phases.add(new Phase("main", false, 0, MemoryRun.nanos(SECONDS), 0));
    }

    @Override
    public Manifest manifest() {
      return frame.manifest();
    }

    @Override
    public Settings settings() {
      return frame.settings();
    }

    @Override
    public long plannedRequests() {
      return REQUESTS;
    }

    @Override
    public void eachRequest(Consumer<RequestRow> reader) {
      SplittableRandom random = new SplittableRandom(1);
      int[] tokens = new int[TOKENS];
      Arrays.fill(tokens, 1);
      for (int i = 0; i < REQUESTS; i++) {
        long intended = (long) (i * SECONDS / REQUESTS * 1e9);
        long[] arrivals = new long[TOKENS];
        long at = intended + 50_000_000L + random.nextInt(100_000_000);
        for (int token = 0; token < TOKENS; token++) {
          arrivals[token] = at;
          at += 5_000_000L + random.nextInt(10_000_000);
        }
        long end = arrivals[TOKENS - 1] + 1_000_000;
        reader.accept(
            new RequestRow(
                i, "main", "default", i, 0, "", 10, TOKENS,
                new RequestRow.Times(
                    intended, intended + 1000, -1, -1, intended + 2000, arrivals[0],
                    arrivals[0], end),
                new RequestRow.Chunks(arrivals, tokens, 0),
                new RequestRow.Usage(10, TOKENS, -1),
                new RequestRow.Ending(Outcome.OK, 200, "length", ""),
                RequestRow.EngineTimings.NONE));
      }
    }

    @Override
    public void eachScrape(Consumer<ScrapeRow> reader) {
      frame.eachScrape(reader);
    }

    @Override
    public void eachHarness(Consumer<HarnessRow> reader) {
      frame.eachHarness(reader);
    }

    @Override
    public List<String> faults() {
      return List.of();
    }
  }
}
