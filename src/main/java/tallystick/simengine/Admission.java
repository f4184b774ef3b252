package tallystick.simengine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Who is in the server, and who is turned away because too many are. Safe for threads. */
final class Admission {
  private static final String ELSEWHERE =
      " Please try again later or on a different instance.";

  private final EngineSettings.Serving limits;
  private final Replicas replicas;
  private final AtomicInteger choices = new AtomicInteger();
  private final AtomicLong queuedTokens = new AtomicLong();

  Admission(EngineSettings.Serving limits, Replicas replicas) {
    this.limits = limits;
    this.replicas = replicas;
  }

  /** Choices of requests in the server, waiting or running. */
  int load() {
    return choices.get();
  }

  /**
   * Lets a request pass.
   *
   * @throws ApiError if a limit is reached; the rejection is counted
   */
  void check(CompletionCall call) {
    int most = limits.maxNumQueuedReqs();
    if (most > 0 && choices.get() + call.choices() > most) {
      replicas.countRejection("max_num_queued_reqs");
      throw ApiError.unavailable(
          "The engine is currently busy and cannot accept new requests." + ELSEWHERE);
    }
    int mostTokens = limits.maxNumQueuedTokens();
    if (mostTokens > 0 && queuedTokens.get() >= mostTokens) {
      replicas.countRejection("max_num_queued_tokens");
      throw ApiError.unavailable(
          "The engine has reached its prefill token backlog limit." + ELSEWHERE);
    }
  }

  /** Takes note of a request that is let in. */
  Ticket admit(CompletionCall call) {
    return new Ticket(call);
  }

  /** A request that is in the server. */
  final class Ticket {
    private final int[] waitingTokens;
    private boolean isOver;

    private Ticket(CompletionCall call) {
      waitingTokens = new int[call.choices()];
      int choice = 0;
      for (Generation generation : call.generations()) {
        for (int i = 0; i < generation.choices(); i++) {
          waitingTokens[choice++] = generation.prompt().length;
        }
      }
      choices.addAndGet(waitingTokens.length);
      queuedTokens.addAndGet(java.util.Arrays.stream(waitingTokens).sum());
    }

    /** A choice has output: its prompt is no longer queued. */
    synchronized void output(int choice) {
      queuedTokens.addAndGet(-waitingTokens[choice]);
      waitingTokens[choice] = 0;
    }

    /** The request is answered, or its client has gone. */
    synchronized void end() {
      if (!isOver) {
        isOver = true;
        choices.addAndGet(-waitingTokens.length);
        for (int choice = 0; choice < waitingTokens.length; choice++) {
          output(choice);
        }
      }
    }
  }
}
