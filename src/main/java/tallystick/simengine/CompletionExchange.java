package tallystick.simengine;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One completion on its way from engine to client.
 *
 * <p>Threads: deliveries come in on the engine's thread, everything else happens on the event loop
 * of the connection. Output that comes before the last was written is merged with it, as in vLLM.
 */
final class CompletionExchange {
  private final CompletionCall call;
  private final AnswerText text;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Context context;
  private final Thread eventLoop = Thread.currentThread();
  private final Optional<Fault.Stream> harm;
  private final Delivery[] pending;
  private final List<Integer> pendingOrder = new ArrayList<>();
  private final int[] sentTokens;
  private final Delivery[] whole;
  private final List<Buffer> ready = new ArrayList<>();
  private Buffer body = Buffer.buffer();
  private boolean isOpened;
  private boolean isComplete;
  private int openChoices;
  private int sentEvents;
  private volatile boolean isOver;
  private boolean isAborted;

  CompletionExchange(
      CompletionCall call,
      AnswerText text,
      HttpServerRequest request,
      Context context,
      Optional<Fault.Stream> harm) {
    this.call = call;
    this.text = text;
    this.request = request;
    this.response = request.response();
    this.context = context;
    this.harm = harm;
    this.pending = new Delivery[call.choices()];
    this.sentTokens = new int[call.choices()];
    this.whole = new Delivery[call.choices()];
    this.openChoices = call.choices();
  }

  Context context() {
    return context;
  }

  /** The thread on which all of this but {@link #receive} happens. */
  Thread eventLoop() {
    return eventLoop;
  }

  /** Sends the head of a stream at once, as vLLM does, long before its first token. */
  void begin() {
    if (call.stream()) {
      response.setChunked(true);
      response.putHeader("content-type", "text/event-stream; charset=utf-8");
      response.drainHandler(drained -> flush());
      response.writeHead();
    }
  }

  /** Takes output of a choice; called on the engine's thread. */
  void receive(int choice, Delivery delivery) {
    synchronized (pending) {
      if (pending[choice] == null) {
        pending[choice] = delivery;
        pendingOrder.add(choice);
      } else {
        pending[choice] = pending[choice].merge(delivery);
      }
    }
  }

  /**
   * Puts what has come in into the bytes that {@link #flush} writes, unless the client does not
   * read; called on the event loop.
   */
  void prepare() {
    if (isOver || response.closed() || (call.stream() && response.writeQueueFull())) {
      return;
    }
    List<Integer> order;
    Delivery[] taken;
    synchronized (pending) {
      order = List.copyOf(pendingOrder);
      taken = pending.clone();
      pendingOrder.clear();
      Arrays.fill(pending, null);
    }
    if (!order.isEmpty() && !isOpened) {
      open();
    }
    for (int choice : order) {
      accept(choice, taken[choice]);
    }
    if (openChoices == 0 && !isOver && !isComplete) {
      complete();
    }
  }

  /** Writes what has come in, unless the client does not read; called on the event loop. */
  void flush() {
    prepare();
    for (Buffer event : ready) {
      write(event);
    }
    ready.clear();
    if (isComplete && !isOver) {
      isOver = true;
      response.end(body);
    }
  }

  /** Whether the answer is complete or its client has gone; safe from any thread. */
  boolean isOver() {
    return isOver;
  }

  /** Stops writing: the client has gone. */
  void abandon() {
    isOver = true;
  }

  private void open() {
    isOpened = true;
    if (call.stream() && call.isChat()) {
      for (int choice = 0; choice < call.choices(); choice++) {
        ready(text.role(choice, call.generations().getFirst().prompt()));
      }
    }
  }

  private void accept(int choice, Delivery delivery) {
    boolean isFirst = sentTokens[choice] == 0;
    sentTokens[choice] += delivery.tokens().length;
    openChoices -= delivery.ending().isPresent() ? 1 : 0;
    if (call.stream()) {
      int[] prompt = prompt(choice);
      AnswerText.Usage usage =
          new AnswerText.Usage(prompt.length, sentTokens[choice], delivery.cachedTokens());
      ready(
          text.chunk(
              choice, delivery, usage, isFirst ? Optional.of(prompt) : Optional.empty()));
    }
    boolean isKept =
        !call.stream() || call.kept().isPresent() || delivery.ending().isPresent();
    if (isKept) {
      whole[choice] = whole[choice] == null ? delivery : whole[choice].merge(delivery);
    }
  }

  private void complete() {
    isComplete = true;
    call.kept().ifPresent(turn -> turn.answered(text.id(), whole[0].text()));
    if (call.stream()) {
      text.end(usage(), whole.length == 1 ? whole[0].ending() : Optional.empty())
          .forEach(this::ready);
    } else {
      response.putHeader("content-type", "application/json");
      body = Buffer.buffer(text.body(whole, usage()));
    }
  }

  private void ready(String event) {
    ready.add(Buffer.buffer(event));
  }

  private void write(Buffer event) {
    if (isOver) {
      return;
    }
    if (harm.isEmpty()) {
      response.write(event);
    } else {
      write(event, harm.get());
    }
  }

  private void write(Buffer event, Fault.Stream fault) {
    boolean isNext = sentEvents == fault.afterEvents();
    boolean isBroken = fault.harm() == Fault.Stream.Harm.MALFORMED && isNext;
    response.write(isBroken ? Buffer.buffer(AnswerText.broken(event.toString())) : event);
    sentEvents++;
    if (sentEvents != fault.afterEvents()) {
      return;
    }
    switch (fault.harm()) {
      case CUT -> {
        isOver = true;
        request.connection().close();
      }
      case ERROR -> {
        isOver = true;
        isAborted = true;
        response.end(AnswerText.ERROR + AnswerText.DONE);
      }
      case MALFORMED -> {}
    }
  }

  /** Whether an error ended the answer, so that the engine need not go on. */
  boolean isAborted() {
    return isAborted;
  }

  private AnswerText.Usage usage() {
    int completion = Arrays.stream(sentTokens).sum();
    int cached = Arrays.stream(whole).mapToInt(Delivery::cachedTokens).max().orElse(0);
    return new AnswerText.Usage(call.promptTokens(), completion, cached);
  }

  private int[] prompt(int choice) {
    return call.generations().get(choice / call.generations().getFirst().choices()).prompt();
  }
}
