package tallystick.scrape;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Exporter;
import tallystick.scenario.Target;

/**
 * Scrapes every target on a fixed grid of the run's clock, one target shortly after the other: all
 * texts at one moment would be felt by the load beside them.
 *
 * <p>A scrape that takes longer than the interval makes the next one start at the next free grid
 * point: points are left out, scrapes never pile up. Every scrape gives a row, a failed one with
 * its error. Targets without a metrics URL are left out. A metrics URL may also be the query API of
 * a Prometheus: then its stored scrapes become the rows, at its own interval and by its own clock.
 *
 * <p>Threads: one daemon thread per target calls the sink, and so does the caller of {@link
 * #scrape}; the sink must bear that. The rows of one target arrive one at a time in order.
 */
public final class Scraper implements ScrapeSource, AutoCloseable {
  private static final long JOIN_MILLIS = 1_000; // a bound, so that an end is an end
  private static final long STAGGER_NANOS = 5_000_000; // not all targets at one moment
  /** The last target's grid is at most this part of the interval behind the first one's. */
  private static final int STAGGER_PART = 4;

  private final long intervalNanos;
  private final RunClock clock;
  private final HttpFetch fetch;
  private final Map<Integer, TargetScrape> scrapes = new ConcurrentSkipListMap<>();
  private final Map<Integer, Thread> threads = new ConcurrentHashMap<>();
  private final MetricsAccess access;
  private final Consumer<ScrapeRow> sink;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean isStarted;
  private volatile boolean stopped;

  /**
   * A scraper that does nothing before {@link #start}.
   *
   * @param targets servers under test, in the manifest's order
   * @param intervalNanos width of the grid
   * @param clock the run's clock
   * @param sink takes every row
   * @param access whom to trust and what to show
   */
  public Scraper(
      List<Target> targets,
      long intervalNanos,
      RunClock clock,
      Consumer<ScrapeRow> sink,
      MetricsAccess access) {
    this(clock, intervalNanos, sink, access);
    for (int i = 0; i < targets.size(); i++) {
      if (!targets.get(i).metricsUrl().isEmpty()) {
        add(i, access.of(targets.get(i)));
      }
    }
  }

  private Scraper(
      RunClock clock, long intervalNanos, Consumer<ScrapeRow> sink, MetricsAccess access) {
    if (intervalNanos <= 0) {
      throw new IllegalArgumentException("interval must be > 0 ns, was " + intervalNanos);
    }
    this.intervalNanos = intervalNanos;
    this.clock = clock;
    this.sink = sink;
    this.access = access;
    this.fetch = HttpFetch.trusting(access.caFile());
  }

  /** A scraper of what stands beside the targets, each with credentials of its own. */
  public static Scraper ofExporters(
      List<Exporter> exporters,
      long intervalNanos,
      RunClock clock,
      Consumer<ScrapeRow> sink,
      MetricsAccess access) {
    Scraper scraper = new Scraper(clock, intervalNanos, sink, access);
    for (int i = 0; i < exporters.size(); i++) {
      scraper.add(i, access.of(exporters.get(i)));
    }
    return scraper;
  }

  private void add(int index, MetricsUrl url) {
    RowSource source = RowSources.of(index, url, fetch, clock);
    scrapes.put(index, new TargetScrape(source, sink));
  }

  /**
   * Begins to scrape a target that a list names: at this moment, or with all others where they have
   * not begun; one that is back goes on. The API key is not shown to it. One thread.
   */
  public void join(int index, Target target) throws InterruptedException {
    Thread before = threads.get(index);
    if (before != null) {
      before.interrupt();
      before.join(JOIN_MILLIS);
    }
    add(index, access.withoutKey().of(target));
    if (isStarted) {
      run(index, scrapes.get(index), clock.nanos(), false);
    }
  }

  /** Stops to scrape a target after one scrape more, at its next time. One thread. */
  public void leave(int index) {
    scrapes.get(index).leave();
  }

  /**
   * Begins to scrape, the first target at this moment and each other 5 ms after the one before it,
   * or closer where they would not fit into a quarter of the interval. Their rows are added up as
   * if taken at once.
   */
  public void start() {
    long closest = intervalNanos / STAGGER_PART / Math.max(1, scrapes.size());
    start(Math.min(STAGGER_NANOS, closest), false);
  }

  /**
   * Begins to scrape with a grid for each target, spread evenly over the interval, after a first
   * scrape of all at this moment: for endpoints that nobody adds up.
   */
  public void startSpread() {
    start(intervalNanos / Math.max(1, scrapes.size()), true);
  }

  private void start(long spreadNanos, boolean allFirst) {
    isStarted = true;
    long first = clock.nanos();
    scrapes.forEach(
        (target, scrape) -> {
          long origin = first + threads.size() * spreadNanos;
          run(target, scrape, origin, allFirst && origin > first);
        });
  }

  private void run(int target, TargetScrape scrape, long origin, boolean atOnce) {
    Thread thread = new Thread(() -> run(scrape, origin, atOnce), "scrape-" + target);
    thread.setDaemon(true);
    threads.put(target, thread);
    thread.start();
  }

  @Override
  public List<Integer> targets() {
    return scrapes.entrySet().stream()
        .filter(one -> !one.getValue().hasLeft())
        .map(Map.Entry::getKey)
        .toList();
  }

  @Override
  public ScrapeRow scrape(int target) throws InterruptedException {
    return scrapes.get(target).scrape();
  }

  @Override
  public List<ScrapeRow> recent(int target) {
    return scrapes.get(target).recent();
  }

  /** The newest row of a target; empty before its first scrape. */
  public Optional<ScrapeRow> latest(int target) {
    return Optional.ofNullable(scrapes.get(target)).map(TargetScrape::latest);
  }

  /**
   * Stops scraping; a scrape under way is broken off and gives no row.
   *
   * @throws IllegalStateException if a scraping thread died before, for example of a failing sink
   */
  @Override
  public void close() {
    stopped = true;
    fetch.close();
    threads.values().forEach(Thread::interrupt);
    try {
      for (Thread thread : threads.values()) {
        thread.join(JOIN_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failure.get() != null) {
      throw new IllegalStateException("a scraping thread died", failure.get());
    }
  }

  private void run(TargetScrape scrape, long origin, boolean atOnce) {
    try {
      if (atOnce) {
        scrape.scrape();
      }
      long next = origin;
      for (boolean isLast = false; !stopped && !isLast; ) {
        TimeUnit.NANOSECONDS.sleep(next - clock.nanos());
        isLast = scrape.hasLeft();
        scrape.scrape();
        next = nextGridPoint(origin, next, clock.nanos(), intervalNanos);
      }
    } catch (InterruptedException e) {
      // Only close() interrupts these threads, and the thread ends here.
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  /** The first point of the grid that is after {@code last} and not before {@code now}. */
  static long nextGridPoint(long origin, long last, long now, long interval) {
    long missed = Math.ceilDiv(now - origin, interval) * interval + origin;
    return Math.max(last + interval, missed);
  }
}
