package tallystick.scrape;

import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import tallystick.runrecord.RunClock;
import tallystick.scenario.Target;

/** CPU time of scraping many targets every second; {@code bench/scrape-cost/run.sh} runs it. */
final class ScraperCost {
  private static final long SECOND = 1_000_000_000L;
  private static final int WARM_UP_SECONDS = 20;

  private ScraperCost() {}

  /** Arguments: metrics URL, number of targets, seconds. */
  public static void main(String[] arguments) throws InterruptedException {
    Target target = new Target("http://127.0.0.1", arguments[0], 1);
    int count = Integer.parseInt(arguments[1]);
    int seconds = Integer.parseInt(arguments[2]);
    LongAdder good = new LongAdder();
    LongAdder bad = new LongAdder();
    List<Target> targets = Collections.nCopies(count, target);
    try (Scraper scraper =
        new Scraper(
            targets, SECOND, RunClock.start(), row -> (row.isGood() ? good : bad).increment())) {
      scraper.start();
      TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
      good.reset();
      long cpu = processCpuNanos();
      long began = System.nanoTime();
      TimeUnit.SECONDS.sleep(seconds);
      double cores = (double) (processCpuNanos() - cpu) / (System.nanoTime() - began);
      System.out.printf(
          Locale.ROOT,
          "%d targets: %.1f %% of one core, %d scrapes in %d s, %d failed%n",
          count, cores * 100, good.sum(), seconds, bad.sum());
    }
  }

  private static long processCpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean)
            ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
