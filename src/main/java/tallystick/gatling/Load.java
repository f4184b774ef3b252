package tallystick.gatling;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Session;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import tallystick.plan.LoopShape;
import tallystick.plan.PlannedRequest;
import tallystick.runrecord.RequestRow;

/**
 * One stretch of load that a simulation drives: the warm-up or the measured window. Threads: any.
 */
public final class Load {
  /** Users are injected this much ahead, and wait for their intended nanosecond. */
  static final long LEAD_NANOS = 100_000_000L;

  private final List<Conversation> conversations;
  private final LoopShape loop;
  private final long[] userOffsetsNanos;
  private final long durationNanos;
  private final RequestSender sender;
  private final LongConsumer originListener;
  private final LoadCounters counters = new LoadCounters();
  private final AtomicInteger nextConversation = new AtomicInteger();
  private final Map<Long, Turns> users = new ConcurrentHashMap<>();
  private volatile long originNanoTime;
  private volatile long firstUserId;
  private volatile boolean stopped;

  /** Where one Gatling user stands. */
  private static final class Turns {
    private Conversation conversation;
    private long previousEndNanoTime;
  }

  /**
   * A load of planned requests.
   *
   * @param requests the requests of this stretch, in plan order
   * @param loop open or closed
   * @param concurrency users of a closed loop
   * @param durationNanos a closed loop takes no new request after this
   * @param sender sends them
   * @param originListener is told the origin of intended starts, {@code System.nanoTime()}
   */
  public Load(
      List<PlannedRequest> requests,
      LoopShape loop,
      int concurrency,
      long durationNanos,
      RequestSender sender,
      LongConsumer originListener) {
    this.conversations = Conversation.of(requests);
    this.loop = loop;
    this.durationNanos = durationNanos;
    this.sender = sender;
    this.originListener = originListener;
    this.userOffsetsNanos =
        loop == LoopShape.CLOSED
            ? new long[Math.min(concurrency, conversations.size())]
            : conversations.stream().mapToLong(Conversation::firstOffsetNanos).toArray();
  }

  /** What has been done so far. */
  public LoadCounters counters() {
    return counters;
  }

  /** Ends the load early: nothing new is sent; what is in flight is not touched. */
  public void stop() {
    stopped = true;
  }

  /** Whether the load was told to end early. */
  public boolean isStopped() {
    return stopped;
  }

  /** A population that plays the journey at the plan's times. */
  public PopulationBuilder inject(ScenarioBuilder journey) {
    return new PopulationBuilder(journey.wrapped.inject(new ScheduledProfile(this)));
  }

  /** Whether this user has another request to send. */
  public boolean hasNext(Session session) {
    return !stopped && prepareNext(session.userId());
  }

  long[] userOffsetsNanos() {
    return userOffsetsNanos;
  }

  void injectionStarts(long startNanoTime, long firstId) {
    firstUserId = firstId;
    originNanoTime = startNanoTime + LEAD_NANOS;
    originListener.accept(originNanoTime);
  }

  /** Sends the user's next request. */
  void sendNext(long userId, Consumer<Optional<RequestRow>> whenDone) {
    Turns user = users.get(userId);
    PlannedRequest request = user.conversation.next();
    long intended =
        request.offsetNanos() == PlannedRequest.AFTER_PREVIOUS
            ? previousEnd(user) + request.thinkNanos()
            : originNanoTime + request.offsetNanos();
    sender.send(
        new RequestSender.Errand(
            request,
            user.conversation,
            intended,
            this,
            row -> {
              user.previousEndNanoTime = System.nanoTime();
              whenDone.accept(row);
            }));
  }

  /** A request whose time came after the load was stopped ends its user. */
  void skipped(RequestSender.Errand errand) {
    errand.conversation().abandon();
    errand.whenDone().accept(Optional.empty());
  }

  private long previousEnd(Turns user) {
    return user.previousEndNanoTime == 0 ? originNanoTime : user.previousEndNanoTime;
  }

  private boolean prepareNext(long userId) {
    Turns user = users.computeIfAbsent(userId, key -> new Turns());
    if (user.conversation != null && user.conversation.hasNext()) {
      return true;
    }
    if (loop == LoopShape.OPEN) {
      if (user.conversation == null) {
        user.conversation = conversations.get(Math.toIntExact(userId - firstUserId));
        return true;
      }
      users.remove(userId);
      return false;
    }
    boolean timeLeft = System.nanoTime() - originNanoTime < durationNanos;
    int index = timeLeft ? nextConversation.getAndIncrement() : conversations.size();
    if (index >= conversations.size()) {
      return false;
    }
    user.conversation = conversations.get(index);
    return true;
  }
}
