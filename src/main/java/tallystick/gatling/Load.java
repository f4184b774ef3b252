package tallystick.gatling;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Session;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
  private final List<Conversation> conversations;
  private final LoopShape loop;
  private final long[] userOffsetsNanos;
  private final long durationNanos;
  private final RequestSender sender;
  private final LongConsumer originListener;
  private final EarlyDispatch handovers;
  private final LoadCounters counters = new LoadCounters();
  private final AtomicInteger nextConversation = new AtomicInteger();
  private final Map<Long, Turns> users = new ConcurrentHashMap<>();
  private volatile OptionalLong wantedOrigin = OptionalLong.empty();
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
    this.handovers =
        new EarlyDispatch(
            userOffsetsNanos, conversations.stream().map(Conversation::first).toList());
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
    return new PopulationBuilder(
        journey.wrapped.inject(
            new ScheduledProfile(userOffsetsNanos, this::isStopped, this::injectionStarts)));
  }

  /** Whether this user has another request to send. */
  public boolean hasNext(Session session) {
    return !stopped && prepareNext(session.userId());
  }

  /** Has the load begin at a moment, {@code System.nanoTime()}, or as soon after as it can. */
  public void beginAt(long nanoTime) {
    wantedOrigin = OptionalLong.of(nanoTime);
  }

  private long injectionStarts(long startNanoTime, long firstId) {
    firstUserId = firstId;
    long soonest = startNanoTime + handovers.leadNanos();
    long delay = Math.max(0, wantedOrigin.orElse(soonest) - soonest);
    originNanoTime = soonest + delay;
    originListener.accept(originNanoTime);
    return delay;
  }

  /** Sends the user's next request, which {@link #hasNext} has promised. */
  void sendNext(long userId, Consumer<RequestRow> whenRecorded, Runnable afterwards) {
    sender.send(scheduled(userId, new Turn(userId, false, whenRecorded, afterwards)));
  }

  /**
   * Sends the user's requests, each as soon as the one before has ended and been thought about.
   *
   * @param whenRecorded is told of each, in their order; no request waits for it
   * @param afterwards is run once, after the last
   */
  void sendAll(long userId, Consumer<RequestRow> whenRecorded, Runnable afterwards) {
    if (stopped || !prepareNext(userId)) {
      afterwards.run();
    } else {
      sender.send(scheduled(userId, new Turn(userId, true, whenRecorded, afterwards)));
    }
  }

  /** Waits for one request of a user and, where all are wanted, names the next. */
  private final class Turn implements ScheduledRequest.Waiter {
    private final long userId;
    private final boolean isFollowed;
    private final Consumer<RequestRow> whenRecorded;
    private final Runnable afterwards;
    private boolean isLast = true;

    Turn(
        long userId, boolean isFollowed, Consumer<RequestRow> whenRecorded, Runnable afterwards) {
      this.userId = userId;
      this.isFollowed = isFollowed;
      this.whenRecorded = whenRecorded;
      this.afterwards = afterwards;
    }

    @Override
    public boolean isWanted() {
      return !stopped;
    }

    @Override
    public Optional<ScheduledRequest> ended(long endedNanoTime) {
      users.get(userId).previousEndNanoTime = endedNanoTime;
      isLast = !isFollowed || stopped || !prepareNext(userId);
      return isLast
          ? Optional.empty()
          : Optional.of(scheduled(userId, new Turn(userId, true, whenRecorded, afterwards)));
    }

    @Override
    public void recorded(RequestRow row) {
      whenRecorded.accept(row);
      if (isLast) {
        afterwards.run();
      }
    }

    @Override
    public void skipped() {
      afterwards.run();
    }
  }

  private ScheduledRequest scheduled(long userId, ScheduledRequest.Waiter waiter) {
    Turns user = users.get(userId);
    PlannedRequest request = user.conversation.next();
    long intended =
        request.offsetNanos() == PlannedRequest.AFTER_PREVIOUS
            ? previousEnd(user) + request.thinkNanos()
            : originNanoTime + request.offsetNanos();
    boolean isFirst = user.previousEndNanoTime == 0;
    long ahead =
        isFirst
            ? handovers.aheadNanos(Math.toIntExact(userId - firstUserId))
            : EarlyDispatch.LEAST_NANOS;
    return new ScheduledRequest(
        request, user.conversation, new ScheduledRequest.Moment(intended, ahead), counters, waiter);
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
    writeAhead(index + userOffsetsNanos.length);
    return true;
  }

  /** As many users ask again together, as many bodies must be there: a long one takes long. */
  private void writeAhead(int index) {
    if (index < conversations.size()) {
      sender.writeAhead(conversations.get(index));
    }
  }
}
