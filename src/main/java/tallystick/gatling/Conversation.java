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

/**
 * One user's requests, one after the other; most conversations have one turn. Used by one request
 * at a time.
 */
final class Conversation {
  private final List<PlannedRequest> turns;
  private final List<Prompt.Message> history = new ArrayList<>();
  private String latestAnswer = "";
  private int position;
  private volatile byte[] firstBody;

  private Conversation(List<PlannedRequest> turns) {
    this.turns = turns;
  }

  /** Conversations in the order of their first requests; turn 0 begins a new one. */
  static List<Conversation> of(List<PlannedRequest> requests) {
    List<Conversation> all = new ArrayList<>();
    Map<Integer, Conversation> latest = new HashMap<>();
    for (PlannedRequest request : requests) {
      if (request.turn() == 0) {
        Conversation fresh = new Conversation(new ArrayList<>());
        latest.put(request.user(), fresh);
        all.add(fresh);
      }
      latest.get(request.user()).turns.add(request);
    }
    return all;
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
    byte[] body = firstBody;
    firstBody = null;
    return request == first() ? Optional.ofNullable(body) : Optional.empty();
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

  /** Whether it is one request without a history. */
  boolean isSingle() {
    return turns.size() == 1;
  }

  /** Whether what is said now will be needed later. */
  boolean continuesAfter(PlannedRequest request) {
    return request != turns.get(turns.size() - 1);
  }

  /** A failed turn ends the conversation: its successors would have no history. */
  void abandon() {
    position = turns.size();
  }

  List<Prompt.Message> history() {
    return List.copyOf(history);
  }

  /** The id of the latest answer; empty before the first. */
  String latestAnswer() {
    return latestAnswer;
  }

  void remember(List<Prompt.Message> said, CompletionResult answer) {
    history.addAll(said);
    history.add(new Prompt.Message("assistant", answer.text()));
    latestAnswer = answer.id();
  }
}
