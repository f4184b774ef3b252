package tallystick.simengine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one engine's step has for its clients, held back until the step has ended.
 *
 * <p>For the engine's thread only.
 */
final class Outbox {
  private final EmissionLateness lateness;
  private final List<Letter> letters = new ArrayList<>();

  private record Letter(CompletionExchange exchange, int choice, Delivery delivery) {}

  Outbox(EmissionLateness lateness) {
    this.lateness = lateness;
  }

  /** Keeps output of a choice until {@link #send}. */
  void add(CompletionExchange exchange, int choice, Delivery delivery) {
    letters.add(new Letter(exchange, choice, delivery));
  }

  /**
   * Gives everything to its exchanges; the event loops get it ready at once and write it in time.
   *
   * @param dueNanoTime when it is to go out, as {@link System#nanoTime} says; not long after now,
   *     since event loops wait for it
   */
  void send(long dueNanoTime) {
    if (letters.isEmpty()) {
      return;
    }
    Map<Thread, List<CompletionExchange>> byLoop = new LinkedHashMap<>();
    for (Letter letter : letters) {
      letter.exchange().receive(letter.choice(), letter.delivery());
      byLoop
          .computeIfAbsent(letter.exchange().eventLoop(), loop -> new ArrayList<>())
          .add(letter.exchange());
    }
    letters.clear();
    for (List<CompletionExchange> exchanges : byLoop.values()) {
      exchanges.getFirst().context().runOnContext(run -> write(exchanges, dueNanoTime));
    }
  }

  private void write(List<CompletionExchange> exchanges, long dueNanoTime) {
    for (CompletionExchange exchange : exchanges) {
      exchange.prepare();
    }
    PreciseSleep.until(dueNanoTime);
    for (CompletionExchange exchange : exchanges) {
      exchange.flush();
      lateness.record(System.nanoTime() - dueNanoTime);
    }
  }
}
