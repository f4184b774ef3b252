package tallystick.scrape;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.PromptForm;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordWriter;
import tallystick.runrecord.RunClock;
import tallystick.scenario.Target;

/**
 * CPU time of scraping many targets every second into a record; {@code bench/scrape-cost/run.sh}
 * runs it.
 */
final class ScraperCost {
  private static final long SECOND = 1_000_000_000L;
  private static final int WARM_UP_SECONDS = 20;

  private ScraperCost() {}

  /** Arguments: metrics URL, number of targets, seconds, folder of the run. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Target target = new Target("http://127.0.0.1", arguments[0], 1);
    int count = Integer.parseInt(arguments[1]);
    int seconds = Integer.parseInt(arguments[2]);
    RecordFiles files = RecordFiles.ofRun(Path.of(arguments[3]));
    List<Target> targets = Collections.nCopies(count, target);
    RunClock clock = RunClock.start();
    RecordWriter record = RecordWriter.open(files, manifest(targets), clock);
    LongAdder good = new LongAdder();
    LongAdder bad = new LongAdder();
    try (Scraper scraper =
        new Scraper(
            targets,
            SECOND,
            clock,
            row -> {
              record.offer(row);
              (row.isGood() ? good : bad).increment();
            },
            MetricsAccess.plain())) {
      scraper.start();
      TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
      good.reset();
      long bytes = Files.size(files.scrapes());
      long cpu = processCpuNanos();
      long began = System.nanoTime();
      TimeUnit.SECONDS.sleep(seconds);
      double cores = (double) (processCpuNanos() - cpu) / (System.nanoTime() - began);
      double written = (double) (Files.size(files.scrapes()) - bytes) / good.sum();
      System.out.printf(
          Locale.ROOT,
          "%d targets: %.2f %% of one core, %d scrapes in %d s, %d failed, %.1f KB recorded each%n",
          count, cores * 100, good.sum(), seconds, bad.sum(), written / 1e3);
    }
    record.close(Manifest.Ending.State.COMPLETED, "");
  }

  private static Manifest manifest(List<Target> targets) {
    return new Manifest(
        Manifest.CURRENT_FORMAT, "scraper-cost", "", Manifest.Source.REAL, 0, "", "", targets,
        Map.of(), Map.of(), Map.of(), new Manifest.Clock(0, 0, 0), Manifest.Ending.OPEN,
        PromptForm.UNKNOWN);
  }

  private static long processCpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean)
            ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
