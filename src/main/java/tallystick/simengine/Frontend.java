package tallystick.simengine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The API server's half of the engine: turns step outputs into observations and deliveries.
 *
 * <p>It alone knows which requests a client still waits for. Outputs of others are counted nowhere,
 * as in vLLM, where all families are observed in the API server.
 */
final class Frontend {
  private static final Comparator<Choice> BY_SEQUENCE =
      Comparator.comparingLong(choice -> choice.sequence.id);

  private static final String NO_STOP_REASON = "null";

  private final EngineMetrics metrics;
  private final AtomicLong untilLost;
  private final Map<Long, Choice> choices = new HashMap<>();

  /** A request with all its choices; the handle by which it is cancelled. */
  static final class Request {
    private final Generation generation;
    private final Consumer<Delivery> receiver;
    private final List<Choice> choices = new ArrayList<>();
    private int unfinished;
    private int mostGenerated;

    Request(Generation generation, Consumer<Delivery> receiver) {
      this.generation = generation;
      this.receiver = receiver;
      this.unfinished = generation.choices();
    }

    List<Sequence> sequences() {
      return choices.stream().map(choice -> choice.sequence).toList();
    }
  }

  private static final class Choice {
    final Request request;
    final int index;
    final Sequence sequence;
    final StopStrings stopStrings;
    long queuedNanos;
    long scheduledNanos;
    long firstTokenNanos;
    long lastTokenNanos;
    int generated;
    int preemptions;
    int sentTokens;
    int[] held = new int[1];
    int heldCount;
    /** Whether the last token is what ended the text, and not part of it. */
    boolean isLastUnsaid;

    Choice(Request request, int index, Sequence sequence) {
      this.request = request;
      this.index = index;
      this.sequence = sequence;
      List<String> stop = request.generation.stop();
      this.stopStrings = stop.isEmpty() ? null : new StopStrings(stop);
    }
  }

  Frontend(EngineMetrics metrics, AtomicLong untilLost) {
    this.metrics = metrics;
    this.untilLost = untilLost;
  }

  /** Takes note of a request and the sequences that stand for its choices. */
  Request register(
      Generation generation, Consumer<Delivery> receiver, List<Sequence> sequences) {
    Request request = new Request(generation, receiver);
    for (int i = 0; i < sequences.size(); i++) {
      Choice choice = new Choice(request, i, sequences.get(i));
      request.choices.add(choice);
      choices.put(choice.sequence.id, choice);
    }
    return request;
  }

  /** Forgets a request whose client has gone; false if it had ended before. */
  boolean forget(Request request) {
    boolean wasOpen = false;
    for (Choice choice : request.choices) {
      if (choices.remove(choice.sequence.id) != null) {
        metrics.left();
        wasOpen = true;
      }
    }
    return wasOpen;
  }

  /** The sequences that clients wait for. */
  List<Sequence> openSequences() {
    return choices.values().stream().map(choice -> choice.sequence).toList();
  }

  /**
   * Books and delivers one step.
   *
   * @return sequences that a stop string ended here and that the scheduler still runs
   */
  List<Sequence> accept(StepOutput step) {
    metrics.stepEnded(step.statistics());
    if (step.outputs().isEmpty()) {
      return List.of();
    }
    List<Sequence> stopped = new ArrayList<>();
    long computedPromptTokens = 0;
    long newTokens = 0;
    for (StepOutput.Output output : step.outputs()) {
      Choice choice = choices.get(output.sequence().id);
      if (choice == null) {
        continue;
      }
      newTokens += output.tokens().length;
      computedPromptTokens += book(choice, output, step.endNanos());
      deliver(choice, output, stopped);
    }
    metrics.iteration(computedPromptTokens, newTokens);
    return stopped;
  }

  /**
   * Books and delivers the end of every request that the engine itself aborts.
   *
   * <p>As vLLM does, each counts as an output without a token: a last gap, or for a request that
   * had no token a first one that never came, measured from moments that were never told.
   */
  void abortAll(long nowNanos) {
    if (choices.isEmpty()) {
      return;
    }
    for (Choice choice : choices.values().stream().sorted(BY_SEQUENCE).toList()) {
      if (choice.generated == 0) {
        metrics.firstToken(nowNanos - choice.sequence.arrivalNanos);
        choice.firstTokenNanos = nowNanos;
      } else {
        metrics.laterOutput(nowNanos - choice.lastTokenNanos, 0);
      }
      choice.lastTokenNanos = nowNanos;
      send(choice, Optional.of(end(choice, FinishReason.ABORT, NO_STOP_REASON)));
    }
    metrics.iteration(0, 0);
  }

  private long book(Choice choice, StepOutput.Output output, long nowNanos) {
    Sequence sequence = choice.sequence;
    long computed = 0;
    choice.generated += output.tokens().length;
    choice.preemptions += output.preemptions();
    metrics.preempted(output.preemptions());
    if (output.isFirst()) {
      computed = sequence.promptTokens - sequence.cachedTokens;
      metrics.prefilled(sequence, nowNanos);
      choice.queuedNanos = sequence.queuedNanos;
      choice.scheduledNanos = sequence.scheduledNanos;
      choice.firstTokenNanos = nowNanos;
    } else {
      metrics.laterOutput(nowNanos - choice.lastTokenNanos, output.tokens().length);
    }
    choice.lastTokenNanos = nowNanos;
    return computed;
  }

  private void deliver(Choice choice, StepOutput.Output output, List<Sequence> stopped) {
    FinishReason reason = output.finishReason();
    String stopReason = NO_STOP_REASON;
    int[] said = output.tokens();
    for (int token : said) {
      hold(choice, token);
    }
    if (reason == FinishReason.STOP) {
      stopReason = stopReason(said[said.length - 1]);
      said = Arrays.copyOf(said, said.length - 1);
      choice.isLastUnsaid = true;
    }
    if (choice.stopStrings != null) {
      boolean mayStop = choice.generated >= choice.request.generation.limits().minTokens();
      Optional<String> found =
          choice.stopStrings.append(Vocabulary.text(said), mayStop);
      if (found.isPresent()) {
        stopReason = Json.quoted(found.get());
        if (reason == null) {
          stopped.add(choice.sequence);
        }
        reason = FinishReason.STOP;
      }
    }
    Optional<Delivery.Ending> ending = Optional.empty();
    if (reason != null) {
      ending = Optional.of(end(choice, reason, stopReason));
    }
    if (isDue(choice, reason != null)) {
      send(choice, ending);
    }
  }

  /** As JSON; the end token needs no mention. */
  private static String stopReason(int stopToken) {
    return stopToken == Vocabulary.END_OF_TEXT ? NO_STOP_REASON : Integer.toString(stopToken);
  }

  private Delivery.Ending end(Choice choice, FinishReason reason, String stopReason) {
    Sequence sequence = choice.sequence;
    Request request = choice.request;
    choices.remove(sequence.id);
    RequestTimes times =
        new RequestTimes(
            sequence.arrivalNanos,
            choice.queuedNanos,
            choice.scheduledNanos,
            choice.firstTokenNanos,
            choice.lastTokenNanos);
    EngineMetrics.TokenCounts counts =
        new EngineMetrics.TokenCounts(
            sequence.promptTokens,
            sequence.cachedTokens,
            choice.generated,
            sequence.limits.maxTokens(),
            choice.preemptions);
    metrics.finished(reason, counts, times);
    request.mostGenerated = Math.max(request.mostGenerated, choice.generated);
    request.unfinished--;
    if (request.unfinished == 0) {
      metrics.parentFinished(request.generation.choices(), request.mostGenerated);
    }
    return new Delivery.Ending(reason, stopReason, times, choice.generated);
  }

  private void hold(Choice choice, int token) {
    if (untilLost.getAndDecrement() == 1) {
      return;
    }
    if (choice.heldCount == choice.held.length) {
      choice.held = Arrays.copyOf(choice.held, choice.heldCount * 2);
    }
    choice.held[choice.heldCount++] = token;
  }

  private static boolean isDue(Choice choice, boolean isEnd) {
    int interval = choice.request.generation.streamInterval();
    return isEnd || choice.sentTokens == 0 || choice.heldCount >= interval;
  }

  private static void send(Choice choice, Optional<Delivery.Ending> ending) {
    if (choice.heldCount == 0 && ending.isEmpty()) {
      return;
    }
    int[] tokens = Arrays.copyOf(choice.held, choice.heldCount);
    choice.sentTokens += choice.heldCount;
    choice.heldCount = 0;
    String text =
        choice.stopStrings == null
            ? Vocabulary.text(choice.isLastUnsaid ? withoutLast(tokens) : tokens)
            : choice.stopStrings.take(ending.isPresent());
    int cached = choice.sequence.cachedTokens;
    choice.request.receiver.accept(new Delivery(choice.index, tokens, text, cached, ending));
  }

  private static int[] withoutLast(int[] tokens) {
    return Arrays.copyOf(tokens, Math.max(0, tokens.length - 1));
  }
}
