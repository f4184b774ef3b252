package tallystick.run;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.RecordWriter;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunClock;
import tallystick.tracing.TraceReceiver;

/** Takes the engines' traces into the record while a run goes on, if the run is to. */
interface TraceIntake extends AutoCloseable {
  /** vLLM's exporter sends a batch every 5 s; the rest is for a busy machine. */
  long LATEST_SPAN_NANOS = TimeUnit.SECONDS.toNanos(8);

  /** A run that takes no traces. */
  TraceIntake NONE =
      new TraceIntake() {
        @Override
        public void see(RequestRow row) {}

        @Override
        public void awaitSpans() {}

        @Override
        public void close() {}
      };

  /** Takes a finished request, whose span is then waited for. Must not block. */
  void see(RequestRow row);

  /** After the last request: waits until every span is there or none can be expected. */
  void awaitSpans() throws InterruptedException;

  @Override
  void close();

  /**
   * Listens from now on.
   *
   * @param port on loopback; 0 takes no traces
   * @throws IOException if the port is taken
   */
  static TraceIntake open(int port, RunClock clock, RecordWriter writer) throws IOException {
    if (port == 0) {
      return NONE;
    }
    SpanWait wait = new SpanWait();
    TraceReceiver receiver =
        TraceReceiver.open(
            port,
            span -> {
              writer.offer(span);
              wait.see(span);
            });
    return new TraceIntake() {
      @Override
      public void see(RequestRow row) {
        wait.see(row);
      }

      @Override
      public void awaitSpans() throws InterruptedException {
        wait.await(LATEST_SPAN_NANOS);
        String detail =
            receiver.spans() + " spans taken, " + wait.missing() + " missing, "
                + receiver.malformedSpans() + " malformed, " + receiver.refusedPosts()
                + " posts refused";
        writer.offer(new Mark(clock.nanos(), Mark.Kind.TRACES_CLOSED, detail));
      }

      @Override
      public void close() {
        receiver.close();
      }
    };
  }
}
