package tallystick.simengine;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/** Sequences that wait for admission, in the order of the policy. */
final class WaitingQueue {
  private static final Comparator<Sequence> MOST_URGENT_FIRST =
      Comparator.<Sequence>comparingInt(sequence -> sequence.priority)
          .thenComparingLong(sequence -> sequence.arrivalNanos)
          .thenComparingLong(sequence -> sequence.id);

  private final Queue<Sequence> queue;

  WaitingQueue(SchedulingPolicy policy) {
    queue =
        switch (policy) {
          case FCFS -> new ArrayDeque<>();
          case PRIORITY -> new PriorityQueue<>(MOST_URGENT_FIRST);
        };
  }

  void add(Sequence sequence) {
    queue.add(sequence);
  }

  /** Puts a preempted sequence back: to the head, or where its priority says. */
  void putBack(Sequence sequence) {
    if (queue instanceof ArrayDeque<Sequence> deque) {
      deque.addFirst(sequence);
    } else {
      queue.add(sequence);
    }
  }

  Sequence peek() {
    return queue.element();
  }

  void removeHead() {
    queue.remove();
  }

  void remove(Sequence sequence) {
    queue.remove(sequence);
  }

  int size() {
    return queue.size();
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }
}
