package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.RunAnalysis;
import tallystick.plan.Phase;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

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
    RunAnalysis analysis = Analyzer.analyze(new EndlessRun());
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
  private static final class EndlessRun extends MadeRun {
    private EndlessRun() {
      window(0, SECONDS);
      planned = REQUESTS;
      phases.clear();
      phases.add(new Phase("main", false, 0, nanos(SECONDS), 0));
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
                    arrivals[0], end, RequestRow.NEVER),
                new RequestRow.Chunks(arrivals, tokens, 0),
                new RequestRow.Usage(10, TOKENS, -1),
                new RequestRow.Ending(Outcome.OK, 200, "length", ""),
                RequestRow.EngineTimings.NONE));
      }
    }
  }
}
