package tallystick.experiment.capacity;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * A server that works in steps, as vLLM does: in each, every running request gets a token, prompts
 * are computed as far as there is room, and waiting requests come in by turn. It counts requests
 * where the simulated engine keeps their blocks, and tokens only when a request ends: an hour of
 * load takes it a tenth of a second.
 */
final class StepQueueSimulator {
  private final InferredEngineModel engine;
  private final Taker taker;
  private final Deque<Sequence> waiting = new ArrayDeque<>();
  private final List<Sequence> running = new ArrayList<>();
  private final List<Sequence> prefilling = new ArrayList<>();
  private final List<Sequence> caughtUp = new ArrayList<>();
  private final PriorityQueue<Ending> endings = new PriorityQueue<>();
  private final MonotonicMaxQueue longest = new MonotonicMaxQueue();
  private double now;
  private long step;
  private int ended;
  private int decoding;

  /** Tokens in the cache, and those of them that decoding requests hold. */
  private double held;

  private double decodedContext;

  /** Tokens that ever came into the cache: they push out what nobody holds. */
  private double grown;

  private int room;
  private double computedTokens;
  private double computedPairs;
  private double context;
  private double busySeconds;
  private double runningSeconds;

  /** Takes how a request was answered. */
  interface Taker {
    /**
     * One request.
     *
     * @param index in the schedule
     * @param firstSeconds when its first token came
     * @param lastSeconds when its last one came
     * @param longestGapSeconds between two of its tokens; 0 of a single one
     */
    void take(int index, double firstSeconds, double lastSeconds, double longestGapSeconds);
  }

  /** A request in the engine. */
  private static final class Sequence {
    private final int index;
    private final ArrivedRequest arrival;
    private int computed;
    private int toCompute;
    private int got;
    private boolean isDecoding;
    private int preemptions;
    private long sinceStep;
    private double grownAtPreemption;
    private double first;
    private double last;
    private double longestGap;

    Sequence(int index, ArrivedRequest arrival) {
      this.index = index;
      this.arrival = arrival;
      // A prompt that nobody counted has a token at least.
      this.toCompute = Math.max(1, arrival.promptTokens());
    }
  }

  /** When a sequence will have all its tokens, unless it is preempted before. */
  private record Ending(long step, Sequence sequence, int preemptions)
      implements Comparable<Ending> {
    boolean stands() {
      return preemptions == sequence.preemptions;
    }

    @Override
    public int compareTo(Ending other) {
      return Long.compare(step, other.step);
    }
  }

  StepQueueSimulator(InferredEngineModel engine, Taker taker) {
    this.engine = engine;
    this.taker = taker;
  }

  /** Answers requests, which come in the order of their starts. */
  void play(List<ArrivedRequest> arrivals) {
    int next = 0;
    while (ended < arrivals.size()) {
      while (next < arrivals.size() && arrivals.get(next).atSeconds() <= now) {
        waiting.add(new Sequence(next, arrivals.get(next)));
        next++;
      }
      if (running.isEmpty() && waiting.isEmpty()) {
        now = arrivals.get(next).atSeconds();
      } else {
        step();
      }
    }
  }

  /** Requests that ran at once, over the time in which any did. */
  double meanRunning() {
    return busySeconds == 0 ? 0 : runningSeconds / busySeconds;
  }

  private void step() {
    step++;
    boolean hasPreempted = preempt();
    room = engine.batchedTokens() - decoding;
    computedTokens = 0;
    computedPairs = 0;
    context = decodedContext + decoding;
    prefilling.forEach(this::compute);
    if (!hasPreempted) {
      admit();
    }
    double seconds =
        engine.costs().seconds(computedTokens, computedPairs, decoding, context);
    now += seconds;
    busySeconds += seconds;
    runningSeconds += seconds * running.size();
    longest.add(step, seconds);
    held += decoding;
    grown += decoding;
    decodedContext += decoding;
    endDecoding();
    caughtUp.forEach(this::firstToken);
    caughtUp.clear();
  }

  /** Tokens of the blocks in use: the last one of each sequence is half full. */
  private double used() {
    return held + decoding + engine.blockTokens() / 2.0 * running.size();
  }

  /** Where the cache is full the last to come in goes back to the head of the line. */
  private boolean preempt() {
    boolean hasPreempted = false;
    while (used() > engine.cacheTokens() && running.size() > 1) {
      Sequence victim = running.removeLast();
      if (victim.isDecoding) {
        stopDecoding(victim, step - 1);
      } else {
        prefilling.remove(victim);
      }
      held -= victim.computed;
      victim.preemptions++;
      victim.grownAtPreemption = grown;
      victim.toCompute = Math.max(1, victim.arrival.promptTokens()) + victim.got;
      waiting.addFirst(victim);
      hasPreempted = true;
    }
    return hasPreempted;
  }

  private void admit() {
    while (room > 0 && !waiting.isEmpty() && running.size() < engine.sequences()) {
      Sequence head = waiting.peek();
      double needed = used() + head.toCompute + engine.blockTokens() / 2.0;
      if (needed > engine.cacheTokens() && !running.isEmpty()) {
        return;
      }
      waiting.remove();
      running.add(head);
      prefilling.add(head);
      int cached = Math.min(head.toCompute - 1, cached(head));
      head.computed = Math.max(0, cached);
      held += head.computed;
      grown += head.computed;
      compute(head);
    }
  }

  /** Of a preempted one, what newer tokens have not pushed out of the cache: whole blocks. */
  private int cached(Sequence sequence) {
    if (sequence.preemptions == 0) {
      return sequence.arrival.cachedTokens();
    }
    double left = sequence.toCompute - (grown - sequence.grownAtPreemption);
    return (int) Math.max(0, left) / engine.blockTokens() * engine.blockTokens();
  }

  private void compute(Sequence sequence) {
    int chunk = Math.min(room, sequence.toCompute - sequence.computed);
    if (chunk <= 0) {
      return;
    }
    computedTokens += chunk;
    computedPairs += chunk * (sequence.computed + chunk / 2.0);
    sequence.computed += chunk;
    held += chunk;
    grown += chunk;
    room -= chunk;
    context += sequence.computed;
    if (sequence.computed == sequence.toCompute) {
      caughtUp.add(sequence);
    }
  }

  private void endDecoding() {
    while (!endings.isEmpty() && endings.peek().step <= step) {
      Ending ending = endings.poll();
      if (ending.stands()) {
        stopDecoding(ending.sequence, step);
        end(ending.sequence);
      }
    }
  }

  /** Takes what it got since it began to decode, up to the end of a step. */
  private void stopDecoding(Sequence sequence, long lastStep) {
    int more = (int) (lastStep - sequence.sinceStep);
    sequence.got += more;
    sequence.computed += more;
    sequence.isDecoding = false;
    sequence.longestGap = Math.max(sequence.longestGap, longest.since(sequence.sinceStep));
    sequence.last = now;
    decoding--;
    decodedContext -= sequence.computed;
  }

  private void firstToken(Sequence sequence) {
    prefilling.remove(sequence);
    sequence.got++;
    if (sequence.got == 1) {
      sequence.first = now;
    } else {
      sequence.longestGap = Math.max(sequence.longestGap, now - sequence.last);
    }
    sequence.last = now;
    int left = sequence.arrival.outputTokens() - sequence.got;
    if (left <= 0) {
      end(sequence);
      return;
    }
    sequence.isDecoding = true;
    sequence.sinceStep = step;
    decoding++;
    decodedContext += sequence.computed;
    endings.add(new Ending(step + left, sequence, sequence.preemptions));
  }

  private void end(Sequence sequence) {
    running.remove(sequence);
    held -= sequence.computed;
    ended++;
    taker.take(
        sequence.index, sequence.first + engine.costs().request(),
        sequence.last + engine.costs().request(), sequence.longestGap);
  }
}
