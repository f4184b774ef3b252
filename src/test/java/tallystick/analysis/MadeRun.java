package tallystick.analysis;

import java.util.Comparator;
import java.util.List;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.MemoryRun;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;

/** A run built by hand to be analysed; times in seconds after the run's origin. */
public class MadeRun extends MemoryRun {
  /** Marks of a whole run whose window goes from {@code from} to {@code to}. */
  public MadeRun window(double from, double to) {
    mark(from - 1, Mark.Kind.QUIET_BEFORE_WINDOW);
    mark(from, Mark.Kind.WINDOW_ORIGIN);
    mark(to, Mark.Kind.WINDOW_DRAINED);
    mark(to + 3, Mark.Kind.QUIET_AFTER_WINDOW);
    return this;
  }

  public MadeRun mark(double at, Mark.Kind kind) {
    harness.add(new Mark(nanos(at), kind, ""));
    return this;
  }

  /** A scrape with whatever this exposition holds at the moment. */
  public MadeRun scrape(double at, Exposition exposition) {
    return scrape(0, at, exposition);
  }

  public MadeRun scrape(int target, double at, Exposition exposition) {
    scrapes.add(
        new ScrapeRow(target, nanos(at), nanos(at) + 1_000_000, exposition.samples(), ""));
    return this;
  }

  public MadeRun exporterScrape(int exporter, double at, List<Sample> samples) {
    exporterScrapes.add(new ScrapeRow(exporter, nanos(at), nanos(at) + 1_000_000, samples, ""));
    return this;
  }

  public MadeRun failedScrape(double at) {
    return failedScrape(0, at);
  }

  MadeRun failedScrape(int target, double at) {
    scrapes.add(new ScrapeRow(target, nanos(at), nanos(at) + 1_000_000, List.of(), "timed out"));
    return this;
  }

  public static long nanos(double seconds) {
    return Math.round(seconds * SECOND);
  }

  public RunAnalysis analyze() {
    requests.sort(Comparator.comparingLong(row -> row.times().ended()));
    scrapes.sort(Comparator.comparingLong(ScrapeRow::startedNanos));
    harness.sort(Comparator.comparingLong(HarnessRow::atNanos));
    return Analyzer.analyze(this);
  }
}
