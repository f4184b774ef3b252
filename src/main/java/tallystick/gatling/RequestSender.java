package tallystick.gatling;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import tallystick.openai.CompletionCall;
import tallystick.openai.CompletionClient;
import tallystick.openai.CompletionResult;
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
  /** How long before its start a request is handed to its stream's thread. */
  private static final long HANDOVER_NANOS = 4_000_000L;

  private final Settings settings;
  private final List<Target> targets;
  private final String runTag;
  private final RunClock clock;
  private volatile RequestWriter writer;
  private final CompletionClient client;
  private final Consumer<RequestRow> rows;
  private final StartTimer timer = new StartTimer();
  private final ExecutorService preparing =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "request-writer");
            thread.setDaemon(true);
            return thread;
          });
  private final Semaphore permits;
  private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();

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

    /** The same, but for one other target, and with rows that nobody keeps. */
    Parts rehearsing(Target target) {
      return new Parts(settings, List.of(target), runTag, clock, writer, client, row -> {});
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
    int cap = settings.concurrency();
    this.permits = new Semaphore(cap > 0 ? cap : Integer.MAX_VALUE);
  }

  /** One request about to be sent, and who waits for its end; empty if it was not sent. */
  record Errand(
      PlannedRequest request,
      Conversation conversation,
      long intendedNanoTime,
      Load load,
      Consumer<Optional<RequestRow>> whenDone) {}

  /** Has every body from here on written by another writer. */
  public void writeWith(RequestWriter other) {
    writer = other;
  }

  void send(Errand errand) {
    preparing.execute(
        () -> {
          CompletionCall call = call(errand);
          timer.at(errand.intendedNanoTime() - handoverNanos(), () -> launch(errand, call));
        });
  }

  /** Under a cap a place must not be taken before its time: another request may wait for it. */
  private long handoverNanos() {
    boolean capped = settings.loop() == LoopShape.OPEN && settings.concurrency() > 0;
    return capped ? 0 : HANDOVER_NANOS;
  }

  @Override
  public void close() {
    timer.close();
    preparing.shutdownNow();
  }

  private CompletionCall call(Errand errand) {
    PlannedRequest request = errand.request();
    Target target = targets.get(request.target());
    String requestId = runTag + "-" + request.index();
    return new CompletionCall(
        target.url() + settings.endpoint().path(),
        writer.body(
            request, errand.conversation().history(), errand.conversation().isSingle()),
        requestId,
        TraceId.of(requestId).traceparent(),
        errand.intendedNanoTime(),
        request.cancel().afterNanos(),
        request.cancel().afterTokens());
  }

  private void launch(Errand errand, CompletionCall call) {
    if (errand.load().isStopped()) {
      errand.load().skipped(errand);
    } else if (permits.tryAcquire()) {
      start(errand, call);
    } else {
      waiting.add(() -> start(errand, call));
      wakeOneWaiting();
    }
  }

  /** A permit may have come free between the refusal and the enqueueing. */
  private void wakeOneWaiting() {
    if (!waiting.isEmpty() && permits.tryAcquire()) {
      Runnable next = waiting.poll();
      if (next == null) {
        permits.release();
      } else {
        next.run();
      }
    }
  }

  private void start(Errand errand, CompletionCall call) {
    errand.load().counters().countStart();
    boolean keepText = errand.conversation().continuesAfter(errand.request());
    client.start(call, keepText, result -> end(errand, call, result));
  }

  private void end(Errand errand, CompletionCall call, CompletionResult result) {
    permits.release();
    wakeOneWaiting();
    RequestRow row = row(errand, call, result);
    if (row.ending().outcome() == Outcome.OK) {
      if (errand.conversation().continuesAfter(errand.request())) {
        List<Prompt.Message> said = writer.messages(errand.request());
        errand.conversation().remember(said, result.text());
      }
    } else {
      errand.conversation().abandon();
    }
    errand.load().counters().countEnd(row);
    rows.accept(row);
    errand.whenDone().accept(Optional.of(row));
  }

  private RequestRow row(Errand errand, CompletionCall call, CompletionResult result) {
    PlannedRequest request = errand.request();
    CompletionResult.Moments moments = result.moments();
    RequestRow.Times times =
        new RequestRow.Times(
            clock.fromNanoTime(errand.intendedNanoTime()),
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
