package tallystick.gatling;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Target;

/**
 * Plays the client's whole path against a server inside this process before anything is measured:
 * the first hundreds of requests of a JVM run interpreted code and add a millisecond or two to
 * every TTFT, and so do the first hundreds of connections. Nothing of it reaches the target or the
 * record.
 */
public final class Rehearsal {
  private static final int MOST = 2_000; // an end where each block is faster than the last

  /** Java compiles what has been called 200 times, and every other request connects. */
  private static final int LEAST = 600;

  private static final int BLOCK = 200; // Java compiles what has been called so often

  /** A block that is no faster than this share of the one before it ends the rehearsal. */
  private static final double LEVEL = 0.9;

  private static final int AT_ONCE = 8; // side by side as in a run; more would wait for each other
  private static final int PROMPT_TOKENS = 64; // short: the path is rehearsed, not the length

  /** On a busier machine the run begins all the same; its mark says how many were played. */
  private static final long LONGEST_SECONDS = 5;

  /** So that the last 100 µs, which the start gate waits out, are rehearsed, too. */
  private static final long AHEAD_NANOS = 200_000L;

  private static final int JUDGED = 100; // the first are interpreted: Java compiles after 200 calls

  private Rehearsal() {}

  /**
   * What was played.
   *
   * @param requests how many
   * @param nanos how long it took
   * @param firstWriteNanos median time from start to written of the first {@value #JUDGED}
   * @param lastWriteNanos the same of the last: what the first measured request pays
   */
  public record Played(int requests, long nanos, long firstWriteNanos, long lastWriteNanos) {
    /** For a reader of the record. */
    public String words() {
      return String.format(
          Locale.ROOT,
          "%,d requests in %.2f s; start to written, median: %.3f ms of the first %d, %.3f ms of"
              + " the last",
          requests, nanos / 1e9, firstWriteNanos / 1e6, JUDGED, lastWriteNanos / 1e6);
    }
  }

  /**
   * Plays until the code is warm, at most a few seconds.
   *
   * @param parts those of the real sender; target and rows are replaced
   */
  public static Played play(RequestSender.Parts parts) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    long deadline = begun + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
    List<Long> writes = Collections.synchronizedList(new ArrayList<>());
    Semaphore free = new Semaphore(AT_ONCE);
    int played = 0;
    try (RehearsalServer server = new RehearsalServer();
        RequestSender sender = new RequestSender(rehearsing(parts, server, writes))) {
      while (played < MOST && System.nanoTime() < deadline && !isLevel(played, writes)) {
        if (free.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          sender.send(pair(played, free));
          played += 2;
        }
      }
      free.tryAcquire(AT_ONCE, LONGEST_SECONDS, TimeUnit.SECONDS);
    }
    parts.client().dropIdleConnections();
    List<Long> all = List.copyOf(writes);
    return new Played(
        all.size(), System.nanoTime() - begun, median(all.subList(0, Math.min(JUDGED, all.size()))),
        median(all.subList(Math.max(0, all.size() - JUDGED), all.size())));
  }

  /** Whether the last block was about as slow as the one before it: no more is to be gained. */
  static boolean isLevel(int played, List<Long> writes) {
    if (played < LEAST || played % BLOCK != 0) {
      return false;
    }
    List<Long> all = List.copyOf(writes);
    int end = all.size();
    return end >= 2 * BLOCK
        && median(all.subList(end - BLOCK, end))
            >= LEVEL * median(all.subList(end - 2 * BLOCK, end - BLOCK));
  }

  private static RequestSender.Parts rehearsing(
      RequestSender.Parts parts, RehearsalServer server, List<Long> writes) {
    return parts.rehearsing(
        Target.at(server.url()),
        row -> writes.add(row.times().written() - row.times().started()));
  }

  private static long median(List<Long> values) {
    return values.isEmpty() ? 0 : values.stream().sorted().toList().get(values.size() / 2);
  }

  /** A request at its moment, and one that follows it as a closed loop's do. */
  private static ScheduledRequest pair(int index, Semaphore free) {
    return request(index, new FollowedOnce(request(index + 1, row -> free.release())));
  }

  private record FollowedOnce(ScheduledRequest next) implements ScheduledRequest.Waiter {
    @Override
    public Optional<ScheduledRequest> ended(long endedNanoTime) {
      return Optional.of(next);
    }

    @Override
    public void recorded(RequestRow row) {
      // The one that follows is waited for.
    }
  }

  private static ScheduledRequest request(int index, ScheduledRequest.Waiter waiter) {
    return ScheduledRequest.alone(
        PlannedRequest.simple(
            index, "rehearsal", 0, Prompt.Synthetic.unique(PROMPT_TOKENS), PROMPT_TOKENS),
        ScheduledRequest.Moment.at(System.nanoTime() + AHEAD_NANOS),
        waiter);
  }
}
