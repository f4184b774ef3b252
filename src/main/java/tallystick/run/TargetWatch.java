package tallystick.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.HarnessRow.Scaling.Move;
import tallystick.runrecord.HarnessRow.Scaling;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.RecordWriter;
import tallystick.runrecord.RunClock;
import tallystick.scenario.Target;
import tallystick.scenario.TargetList;
import tallystick.scrape.ListedTargets;
import tallystick.scrape.Scraper;

/**
 * Looks at the list of targets again and again: who is new is scraped from then on, who is gone is
 * scraped once more. A list that cannot be read changes nothing.
 *
 * <p>Threads: {@link #begin} on the session's, every later look on one of its own.
 */
final class TargetWatch implements AutoCloseable {
  private static final long EVERY_MILLIS = 2_000; // so long a new engine goes unscraped
  private static final long JOIN_MILLIS = 1_000; // a bound, so that an end is an end

  private final TargetList list;
  private final ListedTargets listed;
  private final Scraper scraper;
  private final RunClock clock;
  private final RecordWriter writer;
  private final List<Target> targets;
  private final Map<String, Integer> indices = new LinkedHashMap<>();
  private final Set<String> present = new LinkedHashSet<>();
  private final Thread thread = new Thread(this::run, "target-watch");
  private boolean isUnread;

  /**
   * A watch over a list.
   *
   * @param fixed the targets that the manifest names already
   */
  TargetWatch(
      TargetList list, List<Target> fixed, Scraper scraper, RunClock clock, RecordWriter writer) {
    this.list = list;
    this.listed = new ListedTargets(list);
    this.scraper = scraper;
    this.clock = clock;
    this.writer = writer;
    this.targets = new ArrayList<>(fixed);
    fixed.forEach(target -> indices.put(target.metricsUrl(), -1));
    thread.setDaemon(true);
  }

  /** Adds who is listed now, and begins to watch; nothing where there is no list. */
  void begin() throws IOException, InterruptedException {
    if (!list.exists()) {
      return;
    }
    List<Target> now = listed.read();
    if (now.isEmpty()) {
      throw new IOException(list.words() + ": no target is listed");
    }
    take(now, false);
    thread.start();
  }

  /** Looks once. */
  void look() throws IOException, InterruptedException {
    List<Target> now;
    try {
      now = listed.read();
      isUnread = false;
    } catch (IOException e) {
      if (!isUnread) {
        isUnread = true;
        writer.offer(new Mark(clock.nanos(), Mark.Kind.TARGETS_UNREAD, e.getMessage()));
      }
      return;
    }
    take(now, true);
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
        look();
      }
    } catch (InterruptedException e) {
      // Only close() interrupts this thread, and it ends here.
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      // The record cannot be written: its writer says so by itself.
      return;
    }
  }

  private void take(List<Target> now, boolean isNoted) throws IOException, InterruptedException {
    List<HarnessRow> moves = new ArrayList<>();
    Set<String> named = new LinkedHashSet<>();
    int before = targets.size();
    List<Target> joined = new ArrayList<>();
    for (Target target : now) {
      named.add(target.metricsUrl());
      boolean isFixed = indices.getOrDefault(target.metricsUrl(), 0) < 0;
      if (!isFixed && present.add(target.metricsUrl())) {
        joined.add(target);
        if (indices.putIfAbsent(target.metricsUrl(), targets.size()) == null) {
          targets.add(target);
        }
      }
    }
    if (targets.size() > before) {
      writer.settle(targets);
    }
    for (Target target : joined) {
      int index = indices.get(target.metricsUrl());
      moves.add(new Scaling(clock.nanos(), index, Move.JOINED));
      scraper.join(index, target);
    }
    for (String gone : present.stream().filter(url -> !named.contains(url)).toList()) {
      present.remove(gone);
      moves.add(new Scaling(clock.nanos(), indices.get(gone), Move.LEFT));
      scraper.leave(indices.get(gone));
    }
    if (isNoted) {
      moves.forEach(writer::offer);
    }
  }
}
