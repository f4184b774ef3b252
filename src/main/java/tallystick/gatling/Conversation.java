package tallystick.gatling;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import tallystick.openai.CompletionResult;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.plan.SessionOrder;

/**
 * One user's requests; most conversations have one. Either they are taken one after the other, or
 * in the order of their session, in which sub-agents send at the same time. Threads: any.
 */
final class Conversation {
  private final List<PlannedRequest> turns;
  private SessionOrder order;
  /** Agent → its last turn; filled when it is first asked for. */
  private Map<Integer, Integer> lastTurns = Map.of();
  private Map<Integer, History> histories = Map.of();
  private int position;
  private volatile byte[] firstBody;

  /** What was said in the name of one agent. */
  private static final class History {
    private final List<Prompt.Message> said = new ArrayList<>();
    private String latestAnswer = "";
  }

  private Conversation(List<PlannedRequest> turns) {
    this.turns = turns;
  }

  /** Conversations in the order of their first requests; turn 0 begins a new one. */
  static List<Conversation> of(List<PlannedRequest> requests) {
    List<List<PlannedRequest>> all = new ArrayList<>();
    Map<Integer, List<PlannedRequest>> latest = new HashMap<>();
    for (PlannedRequest request : requests) {
      if (request.turn() == 0) {
        List<PlannedRequest> fresh = new ArrayList<>(1);
        latest.put(request.user(), fresh);
        all.add(fresh);
      }
      latest.get(request.user()).add(request);
    }
    return all.stream().map(Conversation::new).toList();
  }

  /** A request that nothing follows. */
  static Conversation alone(PlannedRequest request) {
    return new Conversation(List.of(request));
  }

  /** Has the body of the first request written before its user is free. */
  void writeAhead(Supplier<byte[]> writer) {
    if (position == 0) {
      firstBody = writer.get();
    }
  }

  /** The body that was written ahead, if it is this request's; it is given once. */
  Optional<byte[]> takeAhead(PlannedRequest request) {
    if (request != first()) {
      return Optional.empty();
    }
    byte[] body = firstBody;
    firstBody = null;
    return Optional.ofNullable(body);
  }

  PlannedRequest first() {
    return turns.get(0);
  }

  long firstOffsetNanos() {
    return Math.max(0, turns.get(0).offsetNanos());
  }

  boolean hasNext() {
    return position < turns.size();
  }

  PlannedRequest next() {
    return turns.get(position++);
  }

  /** The requests that begin it, where its order is kept. */
  List<PlannedRequest> begin() {
    position = turns.size();
    order = new SessionOrder(turns);
    return order.begin();
  }

  /** The order of one that was begun so. */
  SessionOrder order() {
    return order;
  }

  /** Whether it is one request without a history. */
  boolean isSingle() {
    return turns.size() == 1;
  }

  /** Whether what is said now will be needed later. */
  synchronized boolean continuesAfter(PlannedRequest request) {
    if (isSingle()) {
      return false;
    }
    if (lastTurns.isEmpty()) {
      lastTurns = new HashMap<>();
      turns.forEach(one -> lastTurns.put(one.agent(), one.turn()));
    }
    return lastTurns.get(request.agent()) > request.turn();
  }

  /** A failed turn ends the conversation: its successors would have no history. */
  void abandon() {
    position = turns.size();
    if (order != null) {
      order.giveUp();
    }
  }

  /** What the agent of a request has heard and said. */
  synchronized List<Prompt.Message> history(PlannedRequest request) {
    return List.copyOf(of(request).said);
  }

  /** The id of the agent's latest answer; empty before the first. */
  synchronized String latestAnswer(PlannedRequest request) {
    return of(request).latestAnswer;
  }

  synchronized void remember(
      PlannedRequest request, List<Prompt.Message> said, CompletionResult answer) {
    History history = of(request);
    history.said.addAll(said);
    history.said.add(new Prompt.Message("assistant", answer.text()));
    history.latestAnswer = answer.id();
  }

  private History of(PlannedRequest request) {
    // Most conversations are single requests, of which nothing is kept.
    histories = histories.isEmpty() ? new HashMap<>() : histories;
    return histories.computeIfAbsent(request.agent(), any -> new History());
  }

  /** Before a request is written that sends nothing of what was said. */
  synchronized void forget(PlannedRequest request) {
    histories.remove(request.agent());
  }
}
