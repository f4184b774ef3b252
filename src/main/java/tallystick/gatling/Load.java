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
  private final boolean hasSessions;
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
   * @param durationNanos how long new users come, or those of a closed loop begin anew
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
    this.hasSessions = conversations.stream().anyMatch(one -> !one.isSingle());
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

  /**
   * Ends the load early: nothing new is sent, and nobody waits for a moment or a place any more;
   * what is in flight is not touched.
   */
  public void stop() {
    stopped = true;
    sender.dropUnwanted();
  }

  /** Whether its time is over, so that nothing but the rest of its sessions is to come. */
  public boolean isPastItsTime() {
    return hasSessions
        && originNanoTime != 0
        && System.nanoTime() - originNanoTime >= durationNanos;
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

  long injectionStarts(long startNanoTime, long firstId) {
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
      Turns user = users.get(userId);
      begun(new Journey(userId, user, whenRecorded, afterwards)).forEach(sender::send);
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

  /** The way of a user of whom all requests are wanted. */
  private static final class Journey {
    private final long userId;
    private final Turns user;
    private final Consumer<RequestRow> whenRecorded;
    private final Runnable afterwards;
    /** Requests that were named to be sent, and are neither recorded nor dropped. */
    private final AtomicInteger open = new AtomicInteger();

    Journey(
        long userId, Turns user, Consumer<RequestRow> whenRecorded, Runnable afterwards) {
      this.userId = userId;
      this.user = user;
      this.whenRecorded = whenRecorded;
      this.afterwards = afterwards;
    }

    /** One is done with; those that follow it were named before. */
    void close() {
      if (open.decrementAndGet() == 0) {
        afterwards.run();
      }
    }
  }

  /** Waits for one request of a user of whom all are wanted, and names what follows it. */
  private final class Turn implements ScheduledRequest.Waiter {
    private final Journey journey;
    private final Conversation conversation;
    private final PlannedRequest request;

    Turn(Journey journey, PlannedRequest request) {
      this.journey = journey;
      this.conversation = journey.user.conversation;
      this.request = request;
      journey.open.incrementAndGet();
    }

    @Override
    public boolean isWanted() {
      return !stopped && !conversation.order().isGivenUp();
    }

    @Override
    public Optional<ScheduledRequest> ended(long endedNanoTime) {
      List<ScheduledRequest> next;
      // Only sub-agents of one user ever meet here.
      synchronized (journey.user) {
        journey.user.previousEndNanoTime =
            Math.max(journey.user.previousEndNanoTime, endedNanoTime);
        if (stopped) {
          conversation.abandon();
        }
        next = following(conversation.order().ended(request, endedNanoTime));
      }
      if (conversation.order().isGivenUp() && !conversation.order().isOver()) {
        // A sub-agent failed: the others' next requests may wait for long.
        sender.dropUnwanted();
      }
      next.stream().skip(1).forEach(sender::send);
      return next.stream().findFirst();
    }

    /** What is ready of the conversation; once it is over, what begins the user's next one. */
    private List<ScheduledRequest> following(List<PlannedRequest> ready) {
      if (ready.isEmpty() && conversation.order().isOver()) {
        return stopped || !prepareNext(journey.userId) ? List.of() : begun(journey);
      }
      return ready.stream()
          .map(one -> scheduled(journey, one, conversation.order().dueNanos(one)))
          .toList();
    }

    @Override
    public void recorded(RequestRow row) {
      journey.whenRecorded.accept(row);
      journey.close();
    }

    @Override
    public void skipped() {
      List<ScheduledRequest> next;
      synchronized (journey.user) {
        conversation.order().dropped();
        next = following(List.of());
      }
      next.forEach(sender::send);
      journey.close();
    }
  }

  /** The requests that begin a user's conversation, which {@link #prepareNext} has set. */
  private List<ScheduledRequest> begun(Journey journey) {
    Conversation conversation = journey.user.conversation;
    PlannedRequest first = conversation.first();
    long intended = dueNanoTime(journey.user, first);
    return conversation.begin().stream()
        .map(
            one ->
                scheduled(journey, one, one == first ? intended : intended + one.thinkNanos()))
        .toList();
  }

  private ScheduledRequest scheduled(Journey journey, PlannedRequest request, long intended) {
    return scheduled(journey.userId, request, intended, new Turn(journey, request));
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

  boolean prepareNext(long userId) {
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
    long think = conversations.get(index).first().thinkNanos();
    if (System.nanoTime() + think - originNanoTime >= durationNanos) {
      return false; // it thinks beyond the end
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
