package tallystick.gatling;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import tallystick.openai.CompletionClient;
import tallystick.openai.CompletionRequest;
import tallystick.openai.CompletionResult;
import tallystick.openai.RequestWithSink;
import tallystick.openai.RequestWriter;
import tallystick.plan.LoopShape;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.plan.Settings;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.TraceId;
import tallystick.scenario.Target;

/**
 * Takes a request from its plan to its row: writes the body ahead of time, waits for the intended
 * nanosecond, starts the stream, records the end. Threads: any.
 */
public final class RequestSender implements AutoCloseable {
  /** Rows take milliseconds: after so long, who takes them hangs. */
  private static final long CLOSING_SECONDS = 10;

  private final Settings settings;
  private final List<Target> targets;
  private final String runTag;
  private final RunClock clock;
  private volatile RequestWriter writer;
  private final CompletionClient client;
  private final Consumer<RequestRow> rows;
  private final StartTimer timer = new StartTimer();
  /** Writes bodies ahead, and afterwards the rows: what no stream's thread should stop for. */
  private final ExecutorService paperwork =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "paperwork");
            thread.setDaemon(true);
            return thread;
          });
  /** Rows of ended requests that are not handed over yet. */
  private final AtomicLong unwritten = new AtomicLong();

  private final Semaphore permits;
  private final ConcurrentLinkedQueue<Unsent> waiting = new ConcurrentLinkedQueue<>();

  /**
   * What a sender works with.
   *
   * @param settings the plan's settings, targets resolved
   * @param targets servers in the order plan indices mean
   * @param runTag leads every request id
   * @param clock the run's clock
   * @param writer writes bodies
   * @param client streams; closed by whoever opened it
   * @param rows takes finished requests; must not block
   */
  public record Parts(
      Settings settings,
      List<Target> targets,
      String runTag,
      RunClock clock,
      RequestWriter writer,
      CompletionClient client,
      Consumer<RequestRow> rows) {

    /** The same with bodies of another writer. */
    public Parts with(RequestWriter other) {
      return new Parts(settings, targets, runTag, clock, other, client, rows);
    }

    /** The same, but with rows that nobody keeps. */
    public Parts unrecorded() {
      return new Parts(settings, targets, runTag, clock, writer, client, row -> {});
    }

    /** The same, but for one other target, and with rows that go elsewhere. */
    Parts rehearsing(Target target, Consumer<RequestRow> elsewhere) {
      return new Parts(settings, List.of(target), runTag, clock, writer, client, elsewhere);
    }
  }

  /** A sender of its own timer and writing thread. */
  public RequestSender(Parts parts) {
    this.settings = parts.settings();
    this.targets = parts.targets();
    this.runTag = parts.runTag();
    this.clock = parts.clock();
    this.writer = parts.writer();
    this.client = parts.client();
    this.rows = parts.rows();
    this.permits = new Semaphore(isCapped() ? settings.concurrency() : Integer.MAX_VALUE);
  }

  /** Has every body from here on written by another writer. */
  public void writeWith(RequestWriter other) {
    writer = other;
  }

  /** A request that waits for its moment, and then for a place. */
  private final class Unsent implements StartTimer.Task {
    private final ScheduledRequest scheduled;
    private final CompletionRequest call;

    Unsent(ScheduledRequest scheduled) {
      this.scheduled = scheduled;
      this.call = call(scheduled);
    }

    @Override
    public boolean isWanted() {
      return scheduled.waiter().isWanted();
    }

    @Override
    public void run() {
      admit(this).ifPresent(client::start);
    }

    @Override
    public void drop() {
      RequestSender.this.drop(scheduled);
    }
  }

  void send(ScheduledRequest scheduled) {
    later(
        () -> {
          if (scheduled.waiter().isWanted()) {
            timer.at(handoverNanoTime(scheduled), new Unsent(scheduled));
          } else {
            drop(scheduled);
          }
        });
  }

  private void drop(ScheduledRequest scheduled) {
    scheduled.conversation().abandon();
    later(scheduled.waiter()::skipped);
  }

  /** Does not keep waiting what is not wanted any more: for its moment, or for a place. */
  void dropUnwanted() {
    timer.dropUnwanted();
    for (Unsent one : waiting) {
      if (!one.isWanted() && waiting.remove(one)) {
        one.drop();
      }
    }
  }

  /** On the thread of a stream that has just ended: what that thread goes on with, if anything. */
  private Optional<RequestWithSink> follow(ScheduledRequest scheduled) {
    if (handoverNanoTime(scheduled) - System.nanoTime() > 0) {
      send(scheduled);
      return Optional.empty();
    }
    return admit(new Unsent(scheduled));
  }

  private long handoverNanoTime(ScheduledRequest scheduled) {
    // Under a cap a place must not be taken before its time: another request may wait for it.
    return scheduled.intendedNanoTime() - (isCapped() ? 0 : scheduled.moment().aheadNanos());
  }

  /** In a closed loop each user has a place, and sub-agents send beside their user. */
  private boolean isCapped() {
    return settings.loop() == LoopShape.OPEN && settings.concurrency() > 0;
  }

  /** Nothing more is sent; returns once the rows of what has ended are handed over. */
  @Override
  public void close() {
    timer.close();
    paperwork.shutdown();
    try {
      if (!paperwork.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
        paperwork.shutdownNow();
      }
    } catch (InterruptedException e) {
      paperwork.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /** Rows that were given up because the sender was closed before they could be handed over. */
  public long unwritten() {
    return unwritten.get();
  }

  private void later(Runnable piece) {
    try {
      paperwork.execute(piece);
    } catch (RejectedExecutionException e) {
      // The sender is closed: a body is not needed any more, a row stays counted as unwritten.
    }
  }

  /** Writes the first body of a conversation that a user will begin soon. */
  void writeAhead(Conversation conversation) {
    later(() -> conversation.writeAhead(() -> body(conversation.first(), conversation)));
  }

  private byte[] body(PlannedRequest request, Conversation conversation) {
    if (request.forgets()) {
      conversation.forget(request);
    }
    return writer.body(
        request, conversation.history(request), conversation.isSingle(),
        conversation.latestAnswer(request));
  }

  private CompletionRequest call(ScheduledRequest scheduled) {
    PlannedRequest request = scheduled.request();
    Conversation conversation = scheduled.conversation();
    Target target = targets.get(request.target());
    String requestId = runTag + "-" + request.index();
    return new CompletionRequest(
        target.url() + settings.access().pathOf(settings.endpoint()),
        conversation.takeAhead(request).orElseGet(() -> body(request, conversation)),
        requestId,
        TraceId.of(requestId).traceparent(),
        scheduled.intendedNanoTime(),
        request.cancel().afterNanos(),
        request.cancel().afterTokens(),
        settings.options().withoutStream());
  }

  /** The request to start now; empty if it has to wait for a place, or is not wanted any more. */
  private Optional<RequestWithSink> admit(Unsent one) {
    if (!one.isWanted()) {
      one.drop();
      return Optional.empty();
    }
    if (permits.tryAcquire()) {
      return Optional.of(exchange(one.scheduled, one.call));
    }
    waiting.add(one);
    // A permit may have come free between the refusal and the enqueueing.
    wakeWaiting();
    return Optional.empty();
  }

  /** Has those sent that wait for a place, as long as there is one. */
  private void wakeWaiting() {
    while (!waiting.isEmpty() && permits.tryAcquire()) {
      Unsent next = waiting.poll();
      if (next != null && next.isWanted()) {
        client.start(exchange(next.scheduled, next.call));
      } else {
        permits.release();
        Optional.ofNullable(next).ifPresent(Unsent::drop);
      }
    }
  }

  private RequestWithSink exchange(ScheduledRequest scheduled, CompletionRequest call) {
    scheduled.counters().countStart();
    boolean keepText = scheduled.conversation().continuesAfter(scheduled.request());
    return new RequestWithSink(call, keepText, result -> end(scheduled, call, result));
  }

  private Optional<RequestWithSink> end(
      ScheduledRequest scheduled, CompletionRequest call, CompletionResult result) {
    boolean isOk = result.ending().outcome() == Outcome.OK;
    if (!isOk) {
      scheduled.conversation().abandon();
    }
    permits.release();
    wakeWaiting();
    scheduled.counters().countEnd(scheduled.intendedNanoTime(), result);
    if (isOk && scheduled.conversation().continuesAfter(scheduled.request())) {
      List<Prompt.Message> said = writer.messages(scheduled.request());
      scheduled.conversation().remember(scheduled.request(), said, result);
    }
    Optional<ScheduledRequest> next = scheduled.waiter().ended(result.moments().ended());
    unwritten.incrementAndGet();
    later(
        () -> {
          RequestRow row = row(scheduled, call, result);
          rows.accept(row);
          unwritten.decrementAndGet();
          scheduled.waiter().recorded(row);
        });
    return next.flatMap(this::follow);
  }

  private RequestRow row(
      ScheduledRequest scheduled, CompletionRequest call, CompletionResult result) {
    PlannedRequest request = scheduled.request();
    CompletionResult.Moments moments = result.moments();
    RequestRow.Times times =
        new RequestRow.Times(
            clock.fromNanoTime(scheduled.intendedNanoTime()),
            moment(moments.started()),
            moment(moments.connectStarted()),
            moment(moments.connected()),
            moment(moments.written()),
            moment(moments.headers()),
            moment(moments.firstByte()),
            moment(moments.ended()),
            moment(moments.tlsStarted()));
    long[] arrivals = result.chunks().arrivalNanos();
    for (int i = 0; i < arrivals.length; i++) {
      arrivals[i] = clock.fromNanoTime(arrivals[i]);
    }
    int promptTokens =
        request.prompt() instanceof Prompt.Synthetic synthetic
            ? synthetic.tokens()
            : RequestRow.UNKNOWN;
    return new RequestRow(
        request.index(), request.phase(), request.requestClass(), request.user(),
        request.target(), call.requestId(), promptTokens, request.maxTokens(), times,
        result.chunks(), result.usage(), result.ending(), result.engine());
  }

  private long moment(long nanoTime) {
    return nanoTime == 0 ? RequestRow.NEVER : clock.fromNanoTime(nanoTime);
  }
}
