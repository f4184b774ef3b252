package tallystick.gatling;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import tallystick.plan.LoopShape;
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
  private static final int REQUESTS = 2_000;
  private static final int AT_ONCE = 8;
  private static final int PROMPT_TOKENS = 64;
  private static final long LONGEST_SECONDS = 5;
  private static final long AHEAD_NANOS = 200_000L;

  private Rehearsal() {}

  /**
   * Plays until the code is warm, at most a few seconds.
   *
   * @param parts those of the real sender; target and rows are replaced
   * @return requests played
   */
  public static int play(RequestSender.Parts parts) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
    Semaphore free = new Semaphore(AT_ONCE);
    int played = 0;
    try (RehearsalServer server = new RehearsalServer();
        RequestSender sender = new RequestSender(parts.rehearsing(Target.at(server.url())))) {
      Load load =
          new Load(List.of(), LoopShape.OPEN, 0, Long.MAX_VALUE, sender, origin -> {});
      while (played < REQUESTS && System.nanoTime() < deadline) {
        if (free.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          sender.send(pair(played, load, free));
          played += 2;
        }
      }
      free.tryAcquire(AT_ONCE, LONGEST_SECONDS, TimeUnit.SECONDS);
    }
    parts.client().dropIdleConnections();
    return played;
  }

  /** A request at its moment, and one that follows it as a closed loop's do. */
  private static RequestSender.Errand pair(int index, Load load, Semaphore free) {
    return errand(index, load, new FollowedOnce(errand(index + 1, load, row -> free.release())));
  }

  private record FollowedOnce(RequestSender.Errand next) implements RequestSender.Waiter {
    @Override
    public Optional<RequestSender.Errand> ended(long endedNanoTime) {
      return Optional.of(next);
    }

    @Override
    public void recorded(RequestRow row) {
      // The one that follows is waited for.
    }
  }

  private static RequestSender.Errand errand(
      int index, Load load, RequestSender.Waiter waiter) {
    PlannedRequest request =
        PlannedRequest.simple(
            index, "rehearsal", 0, Prompt.Synthetic.unique(PROMPT_TOKENS), PROMPT_TOKENS);
    return new RequestSender.Errand(
        request,
        Conversation.of(List.of(request)).get(0),
        RequestSender.Moment.at(System.nanoTime() + AHEAD_NANOS),
        load,
        waiter);
  }
}
