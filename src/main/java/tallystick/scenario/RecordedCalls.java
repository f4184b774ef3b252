package tallystick.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;

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
  private final Map<String, Agent> agents = new HashMap<>();
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
    private int last = -1;
    private long endNanos;

    Chain(int number) {
      this.number = number;
    }
  }

  /** Of several that ended at once the first is the latest. */
  private static final Comparator<Chain> BY_END =
      Comparator.<Chain>comparingLong(one -> one.endNanos)
          .thenComparing(one -> one.number, Comparator.reverseOrder());

  /** What is known of an agent as far as the calls were read. */
  private static final class Agent {
    private int callsLeft;
    /** When its calls ended → their places. */
    private final TreeMap<Long, Integer> ends = new TreeMap<>();
    /** Its chains that nothing has waited for. */
    private final TreeSet<Chain> open = new TreeSet<>(BY_END);
    /** Agents that it called and that call no more, by the end of their open chains. */
    private final PriorityQueue<Agent> finishing =
        new PriorityQueue<>(Comparator.comparingLong(one -> one.open.last().endNanos));

    Optional<Chain> latest(long nanos) {
      Chain until = new Chain(-1);
      until.endNanos = nanos;
      return Optional.ofNullable(open.floor(until));
    }

    Optional<Integer> endedBy(long nanos) {
      return Optional.ofNullable(ends.floorEntry(nanos)).map(Map.Entry::getValue);
    }

    /** Takes away the chains that had ended by then. */
    List<Chain> takeEnded(long nanos) {
      List<Chain> ended = new ArrayList<>();
      while (!open.isEmpty() && open.first().endNanos <= nanos) {
        ended.add(open.pollFirst());
      }
      return ended;
    }
  }

  private RecordedCalls(List<Call> calls) {
    this.calls = calls;
    this.beginNanos = calls.getFirst().startNanos();
    calls.forEach(call -> agent(call.agent()).callsLeft++);
  }

  private Agent agent(String name) {
    return agents.computeIfAbsent(name, any -> new Agent());
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
    joined(call).forEach(one -> after.add(one.last));
    after.sort(Comparator.naturalOrder());
    long free =
        after.stream().mapToLong(one -> calls.get(one).endNanos()).max().orElse(beginNanos);
    goOn(chain, place);
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

  /** The chain that a call goes on with, or one of its own that branches off; it is not open. */
  private Chain chain(Call call, List<Integer> after) {
    Agent agent = agent(call.agent());
    Optional<Chain> latest = agent.latest(call.startNanos());
    if (latest.isPresent()) {
      agent.open.remove(latest.get());
      after.add(latest.get().last);
      return latest.get();
    }
    agent.endedBy(call.startNanos())
        .or(() -> agent(call.caller()).endedBy(call.startNanos()))
        .ifPresent(after::add);
    return new Chain(chains++);
  }

  /** Takes away chains that have ended and that a call needs: of its agent, and those it called. */
  private List<Chain> joined(Call call) {
    Agent agent = agent(call.agent());
    List<Chain> joined = agent.takeEnded(call.startNanos());
    while (!agent.finishing.isEmpty()
        && agent.finishing.peek().open.last().endNanos <= call.startNanos()) {
      joined.addAll(agent.finishing.poll().takeEnded(call.startNanos()));
    }
    return joined;
  }

  /** Has a chain go on with a call; who called its agent waits for it after its last one. */
  private void goOn(Chain chain, int place) {
    Call call = calls.get(place);
    Agent agent = agent(call.agent());
    chain.last = place;
    chain.endNanos = call.endNanos();
    agent.open.add(chain);
    agent.ends.put(call.endNanos(), place);
    agent.callsLeft--;
    if (agent.callsLeft == 0 && !call.caller().equals(call.agent())) {
      agent(call.caller()).finishing.add(agent);
    }
  }
}
