package tallystick.run;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.RecordWriter;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.SpanRow;
import tallystick.tracing.TraceReceiver;

/** Takes the engines' traces into the record while a run goes on, if the run is to. */
final class TraceIntake implements AutoCloseable {
  /** vLLM's exporter sends a batch every 5 s; the rest is for a busy machine. */
  private static final long LATEST_SPAN_NANOS = TimeUnit.SECONDS.toNanos(8);

  private final RunClock clock;
  private final RecordWriter writer;
  private final SpanWait waiting = new SpanWait();
  private final Optional<TraceReceiver> receiver;

  /**
   * Listens from now on.
   *
   * @param port on loopback; 0 takes no traces
   * @throws IOException if the port is taken
   */
  TraceIntake(int port, RunClock clock, RecordWriter writer) throws IOException {
    this.clock = clock;
    this.writer = writer;
    this.receiver =
        port == 0 ? Optional.empty() : Optional.of(TraceReceiver.open(port, this::take));
  }

  private void take(SpanRow span) {
    writer.offer(span);
    waiting.see(span);
  }

  /** Takes a finished request, whose span is then waited for. */
  void see(RequestRow row) {
    if (receiver.isPresent()) {
      waiting.see(row);
    }
  }

  /** After the last request: waits until every span is there or none can be expected. */
  void awaitSpans() throws InterruptedException {
    if (receiver.isPresent()) {
      waiting.await(LATEST_SPAN_NANOS);
      TraceReceiver taken = receiver.get();
      String detail =
          taken.spans() + " spans taken, " + waiting.missing() + " missing, "
              + taken.malformedSpans() + " malformed, " + taken.refusedPosts() + " posts refused";
      writer.offer(new Mark(clock.nanos(), Mark.Kind.TRACES_CLOSED, detail));
    }
  }

  @Override
  public void close() {
    receiver.ifPresent(TraceReceiver::close);
  }
}
