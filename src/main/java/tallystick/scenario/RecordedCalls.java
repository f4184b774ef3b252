package tallystick.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes rows of the calls of a recorded session: what each waited for, and for how long. Of what a
 * recording does not say, its times decide:
 *
 * <ul>
 *   <li>a call waits for its agent's latest one that had ended before;
 *   <li>an agent's first call waits for the latest one, ended by then, of who called the agent;
 *   <li>a call waits for every agent that its own one called and that was done by then;
 *   <li>a call that began while another of the same agent went on is one of an agent beside it;
 *   <li>a call with a shorter prompt than its agent's latest one forgot the history before it.
 * </ul>
 */
final class RecordedCalls {
  /** Column of the agent's number. */
  static final String AGENT = "agent";

  /** Column of the places in the session that a call waits for; left out for the place before. */
  static final String AFTER = "after";

  /** Column of whether it brings a tool's result. */
  static final String TOOL = "tool";

  /** Column of whether it forgot what was before. */
  static final String FORGETS = "forgets";

  private static final String PROMPT = "input_tokens";

  private final List<Call> calls;
  private final long beginNanos;
  private final Map<String, TreeMap<Long, Integer>> ends = new HashMap<>();
  private final Map<String, Integer> lastCalls = new HashMap<>();
  private final List<Chain> open = new ArrayList<>();
  private int chains;

  /**
   * A call of a model.
   *
   * @param agent who made it; empty for who began the session
   * @param caller who called the agent; empty as well
   * @param callsTool whether its answer calls a tool, so that the next one brings a result
   * @param row its columns
   */
  record Call(
      String agent, String caller, long startNanos, long endNanos, boolean callsTool,
      ObjectNode row, SourceLocation origin) {
    /** The same at another moment, and ended with it. */
    Call at(long nanos) {
      return new Call(agent, caller, nanos, Math.max(nanos, endNanos), callsTool, row, origin);
    }
  }

  /** Calls of one history that follow each other. */
  private static final class Chain {
    private final int number;
    private final String agent;
    private final String caller;
    private int last = -1;
    private long endNanos;

    Chain(int number, Call first) {
      this.number = number;
      this.agent = first.agent();
      this.caller = first.caller();
    }
  }

  private RecordedCalls(List<Call> calls) {
    this.calls = calls;
    this.beginNanos = calls.getFirst().startNanos();
    for (int i = 0; i < calls.size(); i++) {
      lastCalls.put(calls.get(i).agent(), i);
    }
  }

  /**
   * The rows of one session in the order of their starts; before them those of calls that tell no
   * tokens, as of failures, for which nothing waited.
   */
  static List<DataRow> rows(List<Call> session) {
    List<DataRow> rows = new ArrayList<>();
    List<Call> inOrder = new ArrayList<>();
    for (Call call : session) {
      if (call.row().path(PROMPT).asLong() > 0
          && call.row().path("output_tokens").asLong() > 0) {
        inOrder.add(call);
      } else {
        rows.add(DataRow.ofJson(call.row(), call.origin()));
      }
    }
    inOrder.sort(Comparator.comparingLong(Call::startNanos));
    if (!inOrder.isEmpty()) {
      RecordedCalls calls = new RecordedCalls(inOrder);
      for (int i = 0; i < inOrder.size(); i++) {
        rows.add(calls.row(i));
      }
    }
    return rows;
  }

  private DataRow row(int place) {
    Call call = calls.get(place);
    List<Integer> after = new ArrayList<>();
    Chain chain = chain(call, after);
    boolean isTool = chain.last >= 0 && calls.get(chain.last).callsTool();
    boolean forgets =
        chain.last >= 0
            && call.row().path(PROMPT).asLong()
                < calls.get(chain.last).row().path(PROMPT).asLong();
    if (chain.last >= 0 && !forgets) {
      // It sends a history whose blocks the first call of the chain has told.
      call.row().remove("hash_ids");
    }
    joined(call, place, chain).forEach(one -> {
      after.add(one.last);
      open.remove(one);
    });
    after.sort(Comparator.naturalOrder());
    long free =
        after.stream().mapToLong(one -> calls.get(one).endNanos()).max().orElse(beginNanos);
    chain.last = place;
    chain.endNanos = call.endNanos();
    ends.computeIfAbsent(call.agent(), any -> new TreeMap<>()).put(call.endNanos(), place);
    ObjectNode row = call.row();
    if (place > 0) {
      row.put("pause", call.startNanos() - free);
    }
    boolean isNext = after.equals(place == 0 ? List.of() : List.of(place - 1));
    if (chain.number > 0 || isTool || forgets || !isNext) {
      row.put(AGENT, chain.number).put(TOOL, isTool).put(FORGETS, forgets);
      ArrayNode places = JsonNodeFactory.instance.arrayNode();
      after.forEach(places::add);
      row.set(AFTER, places);
    }
    return DataRow.ofJson(row, call.origin());
  }

  /** The chain that a call goes on with, or one of its own that branches off. */
  private Chain chain(Call call, List<Integer> after) {
    Chain latest =
        open.stream()
            .filter(one -> one.agent.equals(call.agent()) && one.endNanos <= call.startNanos())
            .max(Comparator.comparingLong(one -> one.endNanos))
            .orElse(null);
    if (latest != null) {
      after.add(latest.last);
      return latest;
    }
    Chain fresh = new Chain(chains++, call);
    open.add(fresh);
    Map.Entry<Long, Integer> before = endedBy(call.agent(), call.startNanos());
    if (before == null) {
      before = endedBy(call.caller(), call.startNanos());
    }
    if (before != null) {
      after.add(before.getValue());
    }
    return fresh;
  }

  private Map.Entry<Long, Integer> endedBy(String agent, long nanos) {
    return ends.getOrDefault(agent, new TreeMap<>()).floorEntry(nanos);
  }

  /** Chains that have ended and that a call needs: beside its own, and of agents it called. */
  private List<Chain> joined(Call call, int place, Chain own) {
    return open.stream()
        .filter(one -> one != own && one.endNanos <= call.startNanos())
        .filter(
            one ->
                one.agent.equals(call.agent())
                    || one.caller.equals(call.agent()) && isDone(one.agent, call, place))
        .toList();
  }

  private boolean isDone(String agent, Call call, int place) {
    return lastCalls.get(agent) < place
        && open.stream()
            .filter(one -> one.agent.equals(agent))
            .allMatch(one -> one.endNanos <= call.startNanos());
  }
}
