package tallystick.simengine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * How late tokens reach a bare reader: the time bytes come out of the reader's socket less the
 * planned end of the step that made them. See bench/engine-lateness/README.md.
 *
 * <p>It lies in the engine's package and reads the driver's plan, which is private.
 */
public final class EngineLatenessBench {
  private static final int TOKENS = 250;
  private static final double STEP_NANOS = 20e6;
  private static final VarHandle PLANNED_END = plannedEnd();

  public static void main(String[] arguments) throws Exception {
    for (int streams : new int[] {1, 64, 256, 256, 256}) {
      print(streams, "bare writer, written", BareWriter.run(streams, 1, TOKENS));
      print(streams, "two bare writers, written", BareWriter.run(streams, 2, TOKENS));
      print(streams, "engine, out of the reader's socket", run(streams));
    }
  }

  private static void print(int streams, String what, long[] late) {
    System.out.printf(
        "%d streams: %s p50 %.3f ms, p90 %.3f, p99 %.3f, max %.3f (n=%d)%n",
        streams, what, at(late, 0.5), at(late, 0.9), at(late, 0.99), at(late, 1), late.length);
  }

  private static double at(long[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] / 1e6;
  }

  private static long[] run(int streams) throws Exception {
    EngineSettings settings = BareStreams.engine(STEP_NANOS);
    try (EmbeddedEngine engine = EmbeddedEngine.start(settings, "127.0.0.1", 0)) {
      RealTimeDriver driver = driver(engine);
      for (int warming = 0; warming < 2; warming++) {
        load(engine.url(), driver, streams);
      }
      ((ConcurrentHistogram) field(engine.lateness(), "nanos")).reset();
      long[] late = load(engine.url(), driver, streams);
      EmissionLateness sent = engine.lateness();
      System.out.printf(
          "%d streams: engine, written p50 %.3f ms, p90 %.3f, p99 %.3f, max %.3f (n=%d)%n",
          streams, sent.quantileMillis(0.5), sent.quantileMillis(0.9), sent.quantileMillis(0.99),
          sent.quantileMillis(1), sent.count());
      return late;
    }
  }

  private static RealTimeDriver driver(EmbeddedEngine engine) throws Exception {
    Object api = field(engine, "api");
    Object engines = field(api, "engines");
    return (RealTimeDriver) ((List<?>) field(engines, "drivers")).getFirst();
  }

  private static VarHandle plannedEnd() {
    try {
      return MethodHandles.privateLookupIn(RealTimeDriver.class, MethodHandles.lookup())
          .findVarHandle(RealTimeDriver.class, "plannedEndNanos", long.class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object field(Object owner, String name) throws Exception {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }

  /** Lateness of every event after the tenth of its stream, ascending. */
  private static long[] load(String url, RealTimeDriver driver, int streams) throws Exception {
    Selector selector = Selector.open();
    for (int i = 0; i < streams; i++) {
      BareStreams.connect(url, selector, new int[1]).write(BareStreams.request(TOKENS));
    }
    long[] late = new long[streams * TOKENS];
    int count = 0;
    int open = streams;
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    List<SelectionKey> over = new ArrayList<>();
    while (open > 0) {
      selector.select();
      for (SelectionKey key : selector.selectedKeys()) {
        buffer.clear();
        int read = ((SocketChannel) key.channel()).read(buffer);
        long now = driver.nanos();
        int[] events = (int[]) key.attachment();
        events[0]++;
        if (events[0] > 10 && events[0] < TOKENS) {
          // The plan read now is that of a later step; steps of one length are one grid.
          late[count++] =
              Math.floorMod(now - (long) PLANNED_END.get(driver), (long) STEP_NANOS);
        }
        if (read < 0 || endsStream(buffer, read)) {
          over.add(key);
        }
      }
      selector.selectedKeys().clear();
      for (SelectionKey key : over) {
        key.channel().close();
        open--;
      }
      over.clear();
    }
    selector.close();
    long[] all = Arrays.copyOf(late, count);
    Arrays.sort(all);
    return all;
  }

  private static boolean endsStream(ByteBuffer buffer, int read) {
    return read >= 5
        && buffer.get(read - 5) == '0'
        && buffer.get(read - 4) == '\r'
        && buffer.get(read - 1) == '\n';
  }
}
