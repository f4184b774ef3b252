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
    Turns user = users.get(userId);
    PlannedRequest request = user.conversation.next();
    sender.send(
        scheduled(
            userId, request, dueNanoTime(user, request),
            new OneTurn(userId, whenRecorded, afterwards)));
  }

  /**
   * Sends the user's requests, each as soon as those before it have ended and it was thought about.
   *
   * @param whenRecorded is told of each, in the order of their ends; no request waits for it
   * @param afterwards is run once, after the last
   */
  void sendAll(long userId, Consumer<RequestRow> whenRecorded, Runnable afterwards) {
    if (stopped || !prepareNext(userId)) {
      afterwards.run();
    } else {
      begun(userId, new Journey(userId, whenRecorded, afterwards)).forEach(sender::send);
    }
  }

  /** Waits for one request of a user. */
  private final class OneTurn implements ScheduledRequest.Waiter {
    private final long userId;
    private final Consumer<RequestRow> whenRecorded;
    private final Runnable afterwards;

    OneTurn(long userId, Consumer<RequestRow> whenRecorded, Runnable afterwards) {
      this.userId = userId;
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
      return Optional.empty();
    }

    @Override
    public void recorded(RequestRow row) {
      whenRecorded.accept(row);
      afterwards.run();
    }

    @Override
    public void skipped() {
      afterwards.run();
    }
  }

  /** What a user's requests have in common where all are wanted. */
  private record Journey(long userId, Consumer<RequestRow> whenRecorded, Runnable afterwards) {}

  /** Waits for one request of a user of whom all are wanted, and names what follows it. */
  private final class Turn implements ScheduledRequest.Waiter {
    private final Journey journey;
    private final Turns user;
    private final PlannedRequest request;
    private boolean isLast;

    Turn(Journey journey, Turns user, PlannedRequest request) {
      this.journey = journey;
      this.user = user;
      this.request = request;
    }

    @Override
    public boolean isWanted() {
      return !stopped;
    }

    @Override
    public Optional<ScheduledRequest> ended(long endedNanoTime) {
      List<ScheduledRequest> next = following(endedNanoTime);
      next.stream().skip(1).forEach(sender::send);
      return next.stream().findFirst();
    }

    private List<ScheduledRequest> following(long endedNanoTime) {
      // Only sub-agents of one user ever meet here.
      synchronized (user) {
        user.previousEndNanoTime = Math.max(user.previousEndNanoTime, endedNanoTime);
        Conversation conversation = user.conversation;
        if (stopped) {
          conversation.abandon();
        }
        List<PlannedRequest> ready = conversation.order().ended(request, endedNanoTime);
        if (!ready.isEmpty() || !conversation.order().isOver()) {
          return ready.stream()
              .map(
                  one ->
                      scheduled(
                          journey.userId, one, conversation.order().dueNanos(one),
                          new Turn(journey, user, one)))
              .toList();
        }
        isLast = stopped || !prepareNext(journey.userId);
        return isLast ? List.of() : begun(journey.userId, journey);
      }
    }

    @Override
    public void recorded(RequestRow row) {
      journey.whenRecorded.accept(row);
      if (isLast) {
        journey.afterwards.run();
      }
    }

    @Override
    public void skipped() {
      boolean isOver;
      synchronized (user) {
        user.conversation.order().dropped();
        isOver = user.conversation.order().isOver();
      }
      if (isOver) {
        journey.afterwards.run();
      }
    }
  }

  /** The requests that begin a user's conversation, which {@link #prepareNext} has set. */
  private List<ScheduledRequest> begun(long userId, Journey journey) {
    Turns user = users.get(userId);
    PlannedRequest first = user.conversation.first();
    long intended = dueNanoTime(user, first);
    return user.conversation.begin().stream()
        .map(
            one ->
                scheduled(
                    userId, one, one == first ? intended : intended + one.thinkNanos(),
                    new Turn(journey, user, one)))
        .toList();
  }

  private long dueNanoTime(Turns user, PlannedRequest request) {
    return request.offsetNanos() < 0
        ? previousEnd(user) + request.thinkNanos()
        : originNanoTime + request.offsetNanos();
  }

  private ScheduledRequest scheduled(
      long userId, PlannedRequest request, long intended, ScheduledRequest.Waiter waiter) {
    Turns user = users.get(userId);
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
