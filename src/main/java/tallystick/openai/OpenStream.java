package tallystick.openai;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.Response;
import tallystick.openai.StreamEnding.Leaving;
import tallystick.reach.ConnectionFault;
import tallystick.reach.Redaction;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow.Chunks;
import tallystick.runrecord.RequestRow.Ending;

/**
 * One request as it happens, from its start to its end. Written by the call's own thread, except
 * {@link #leave}, which any thread may call.
 */
final class OpenStream implements StreamEvents.Watcher {
  private static final int EXCERPT_CHARS = 500;

  private final CompletionRequest request;
  private final Redaction redaction;
  private final Consumer<CompletionResult> sink;
  private final StreamEvents events;
  private final RequestTimings phases;
  private final ConnectionLease carrier;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile Call call;
  private volatile Runnable onEnd = () -> {};
  private volatile Optional<Leaving> leaving = Optional.empty();

  private boolean isResent;
  private Response answer;
  private int status;

  OpenStream(RequestWithSink exchange, RequestTimings phases, Redaction redaction,
      Consumer<CompletionResult> sink) {
    this.request = exchange.request();
    this.redaction = redaction;
    this.sink = sink;
    this.events = new StreamEvents(exchange.keepText(), this);
    this.phases = phases;
    this.carrier = phases.carrier();
  }

  RequestTimings phases() {
    return phases;
  }

  /** Sets what is done once, before the result is handed over. */
  void onEnd(Runnable action) {
    onEnd = action;
  }

  void begin(Call newCall) {
    call = newCall;
  }

  /**
   * Takes an answer, whose body is still to be read.
   *
   * @throws IOException if it lay there before the request: it answers another one
   */
  void takeHead(Response head) throws IOException {
    carrier.takeHead(head);
    answer = head;
    status = head.code();
  }

  /** Whether the request may go out once more, because it found a dead connection. */
  boolean resends(IOException failure) {
    if (isResent || isLeft() || !carrier.hasDied(failure, phases.hasHeaders())) {
      return false;
    }
    carrier.drop();
    phases.beginAgain();
    isResent = true;
    return true;
  }

  @Override
  public void hasTokens(int count) {
    int limit = request.cancelAfterTokens();
    if (limit > 0 && count >= limit) {
      leave(Leaving.PLANNED);
    }
  }

  @Override
  public void hasTooManyChunks() {
    leave(Leaving.OVERFLOWED);
  }

  /** Ends the stream from outside. */
  void leave(Leaving why) {
    Call running = call;
    if (running != null && !ended.get()) {
      leaving = Optional.of(why);
      running.cancel();
    }
  }

  /** Whether somebody has ended the stream from outside. */
  boolean isLeft() {
    return leaving.isPresent();
  }

  /** Reads the answer to its end. */
  void read() {
    try (Response response = answer) {
      boolean isWhole = request.withoutStream();
      Optional<StreamEnding> early =
          isLeft() ? Optional.empty() : StreamEnding.ofHead(response, isWhole);
      if (isLeft() || early.isPresent()) {
        end(early.orElseGet(() -> StreamEnding.left(Leaving.PLANNED)));
      } else if (isWhole) {
        events.readWhole(response, carrier.socket());
        end(StreamEnding.ofEnd(events, true));
      } else {
        events.read(response, carrier.socket());
        end(StreamEnding.ofEnd(events, false));
      }
    } catch (IOException e) {
      fail(e);
    } catch (RuntimeException e) {
      // Whatever an answer brings about here, its request must have an end in the record.
      finish(new StreamEnding(
          Outcome.CUT_MID_STREAM, String.valueOf(ConnectionFault.noHttp(e).getMessage())));
    }
  }

  /** Ends the request because of a failure before there was an answer, or inside one. */
  void fail(IOException failure) {
    end(StreamEnding.ofFailure(failure, phases, carrier, events));
  }

  /** Whoever has left knows why the stream ended, whatever it looks like from inside. */
  private void end(StreamEnding seen) {
    finish(leaving.map(StreamEnding::left).orElse(seen));
  }

  private void finish(StreamEnding how) {
    phases.awaitStart();
    // Of a whole answer the end is the last of it: reading its JSON is the client's time.
    long now = how.outcome() == Outcome.OK && events.wholeNanoTime() != 0
        ? events.wholeNanoTime()
        : System.nanoTime();
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    onEnd.run();
    ChunkParser said = events.said();
    Chunks chunks = events.chunks(carrier.isPlain());
    Ending ending =
        new Ending(
            how.outcome(),
            status,
            redaction.of(said.contents().finishReason),
            redaction.excerpt(how.detail(), EXCERPT_CHARS),
            how.oddities(events, chunks, isResent));
    sink.accept(new CompletionResult(
        phases.until(now), chunks, said.usage(), ending, said.contents().engine,
        said.contents().text.toString(), said.contents().id(),
        answer == null ? "" : answer.protocol().toString()));
  }
}
