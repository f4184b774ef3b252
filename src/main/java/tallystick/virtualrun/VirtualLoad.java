package tallystick.virtualrun;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import tallystick.plan.LoopShape;
import tallystick.plan.PlannedRequest;
import tallystick.plan.SessionOrder;
import tallystick.plan.Settings;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.simengine.PromptLayout;
import tallystick.simengine.VirtualRequest;

/** One stretch of a plan, warm-up or measured window, played in virtual time. */
final class VirtualLoad {
  private static final VirtualRequest.Observer UNSEEN =
      new VirtualRequest.Observer() {
        @Override
        public void tokens(long nanos, int choice, int[] tokens) {}

        @Override
        public void ended(long nanos, int choice, VirtualRequest.Ending ending) {}
      };

  private final Settings settings;
  private final VirtualCall.Parts parts;
  private final VirtualPrompt prompts;
  private final long originNanos;
  private final long endNanos;
  private final Consumer<RequestRow> rows;
  private final Runnable whenDrained;
  private final List<List<PlannedRequest>> conversations = new ArrayList<>();
  private final Deque<Unsent> waitingForPermit = new ArrayDeque<>();
  private Iterator<List<PlannedRequest>> unstarted;
  private final boolean endsSessions;
  private final Set<User> openUsers = new LinkedHashSet<>();
  private int permits;
  private long sent;
  private long ok;
  private long failed;

  /**
   * Where a load stands in time.
   *
   * @param originNanos origin of intended starts
   * @param durationNanos a closed loop takes no new request after this
   * @param endsSessions whether sessions end then too: what they have in flight is their last
   */
  record Span(long originNanos, long durationNanos, boolean endsSessions) {}

  VirtualLoad(
      List<PlannedRequest> requests,
      Settings settings,
      VirtualCall.Parts parts,
      Span span,
      Consumer<RequestRow> rows,
      Runnable whenDrained) {
    this.settings = settings;
    this.parts = parts;
    this.prompts = new VirtualPrompt(settings);
    this.originNanos = span.originNanos();
    this.endNanos = span.originNanos() + span.durationNanos();
    this.endsSessions = span.endsSessions();
    this.rows = rows;
    this.whenDrained = whenDrained;
    Map<Integer, List<PlannedRequest>> latest = new HashMap<>();
    for (PlannedRequest request : requests) {
      if (request.turn() == 0) {
        List<PlannedRequest> fresh = new ArrayList<>(1);
        latest.put(request.user(), fresh);
        conversations.add(fresh);
      }
      latest.get(request.user()).add(request);
    }
  }

  /** Begins; the rest happens as virtual time goes on. */
  void begin() {
    unstarted = conversations.iterator();
    boolean isClosed = settings.loop() == LoopShape.CLOSED;
    permits = settings.concurrency() > 0 && !isClosed ? settings.concurrency() : Integer.MAX_VALUE;
    int users = isClosed ? settings.concurrency() : 1;
    for (int user = 0; user < users; user++) {
      if (isClosed) {
        nextUser(originNanos);
      } else {
        scheduleNext();
      }
    }
    if (endsSessions && conversations.stream().anyMatch(one -> one.size() > 1)) {
      parts.engine().at(endNanos, this::endSessions);
    }
  }

  private void endSessions() {
    for (User user : List.copyOf(openUsers)) {
      user.giveUp();
      leaveIfOver(user);
    }
  }

  long sent() {
    return sent;
  }

  long ok() {
    return ok;
  }

  long failed() {
    return failed;
  }

  /** An open loop keeps one arrival in the queue of events, not all of a long plan. */
  private void scheduleNext() {
    if (!unstarted.hasNext()) {
      if (openUsers.isEmpty()) {
        whenDrained.run();
      }
      return;
    }
    User user = new User(unstarted.next());
    long intended = originNanos + Math.max(0, user.first().offsetNanos());
    openUsers.add(user);
    parts
        .engine()
        .at(
            parts.world().begun(intended),
            () -> {
              scheduleNext();
              begin(user, intended);
            });
  }

  private void nextUser(long previousEnd) {
    if (!unstarted.hasNext() || previousEnd >= endNanos) {
      if (openUsers.isEmpty()) {
        whenDrained.run();
      }
      return;
    }
    User user = new User(unstarted.next());
    long intended = previousEnd + user.first().thinkNanos();
    if (intended >= endNanos) { // it thinks beyond the end
      nextUser(endNanos);
      return;
    }
    openUsers.add(user);
    long start = Math.max(parts.engine().nanos(), parts.world().begun(intended));
    parts.engine().at(start, () -> begin(user, intended));
  }

  /** A user with what was said in the name of each agent. */
  private static final class User {
    private final List<PlannedRequest> requests;
    private final SessionOrder order;
    private final BitSet unsent = new BitSet();
    private final Map<Integer, List<PromptLayout.Message>> histories = new HashMap<>();

    User(List<PlannedRequest> requests) {
      this.requests = requests;
      this.order = new SessionOrder(requests);
    }

    private PlannedRequest first() {
      return requests.getFirst();
    }

    /** Nothing else is sent, what waits for its moment or a place neither. */
    private void giveUp() {
      order.giveUp();
      unsent.stream().forEach(turn -> order.dropped());
      unsent.clear();
    }
  }

  /** A request that waits for its moment, and then for a place. */
  private record Unsent(User user, PlannedRequest request, long intended) {}

  private void begin(User user, long intended) {
    if (!openUsers.contains(user)) {
      return;
    }
    for (PlannedRequest request : user.order.begin()) {
      if (request == user.first()) {
        send(unsent(user, request, intended));
      } else {
        sendLater(user, request, intended + request.thinkNanos());
      }
    }
  }

  private void sendLater(User user, PlannedRequest request, long intended) {
    long start = Math.max(parts.engine().nanos(), parts.world().begun(intended));
    Unsent one = unsent(user, request, intended);
    parts.engine().at(start, () -> send(one));
  }

  private static Unsent unsent(User user, PlannedRequest request, long intended) {
    user.unsent.set(request.turn());
    return new Unsent(user, request, intended);
  }

  private void send(Unsent one) {
    if (permits == 0) {
      waitingForPermit.add(one);
    } else {
      start(one.user(), one.request(), one.intended());
    }
  }

  private void start(User user, PlannedRequest request, long intended) {
    if (!user.unsent.get(request.turn())) {
      return;
    }
    user.unsent.clear(request.turn());
    permits--;
    sent++;
    List<PromptLayout.Message> said =
        prompts.messages(
            request,
            request.forgets()
                ? List.of()
                : user.histories.getOrDefault(request.agent(), List.of()));
    int[] prompt = prompts.tokens(said);
    new VirtualCall(parts, request, prompt, intended, call -> over(user, request, said, call))
        .start();
    if (parts.world().isForeignRequestDue()) {
      sendForeign(request, prompt);
    }
  }

  /** A request like the plan's own, of which no row will tell. */
  private void sendForeign(PlannedRequest like, int[] prompt) {
    VirtualRequest request =
        new VirtualRequest(prompts.reversed(prompt), like.maxTokens(), like.choices());
    try {
      parts.engine().submit(request, UNSEEN);
    } catch (VirtualRequest.Refusal refused) {
      // Too long, as the plan's own is, or a fault: it never reaches the engine.
      return;
    }
  }

  private void over(
      User user, PlannedRequest request, List<PromptLayout.Message> said, VirtualCall call) {
    rows.accept(call.row());
    boolean isOk = call.row().ending().outcome() == Outcome.OK;
    ok += isOk ? 1 : 0;
    failed += isOk ? 0 : 1;
    if (!isOk) {
      user.giveUp();
    }
    permits++;
    while (!waitingForPermit.isEmpty() && permits > 0) {
      send(waitingForPermit.remove());
    }
    long now = parts.engine().nanos();
    if (isOk && user.requests.size() > 1) {
      List<PromptLayout.Message> history = new ArrayList<>(said);
      history.add(new PromptLayout.Message("assistant", call.words()));
      user.histories.put(request.agent(), history);
    }
    for (PlannedRequest next : user.order.ended(request, now)) {
      sendLater(user, next, user.order.dueNanos(next));
    }
    leaveIfOver(user);
  }

  private void leaveIfOver(User user) {
    if (!user.order.isOver()) {
      return;
    }
    openUsers.remove(user);
    if (settings.loop() == LoopShape.CLOSED) {
      nextUser(parts.engine().nanos());
    } else if (openUsers.isEmpty() && !unstarted.hasNext()) {
      whenDrained.run();
    }
  }
}
