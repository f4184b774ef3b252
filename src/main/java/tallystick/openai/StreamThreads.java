package tallystick.openai;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import okhttp3.Dns;

/**
 * The threads that read streams, one each. Platform threads stamp soonest; but a collector visits
 * each of them several times in every cycle, and thousands of them leave it no time for anything
 * else. Source of both: docs/decisions/openai-stream-threads.md.
 */
public enum StreamThreads {
  PLATFORM {
    @Override
    ExecutorService start() {
      return new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, REST_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(),
          platform());
    }

    @Override
    Dns names() {
      return Dns.SYSTEM;
    }
  },

  VIRTUAL {
    @Override
    ExecutorService start() {
      return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(NAME, 1).factory());
    }

    /** A lookup blocks inside the operating system, and a core's only carrier with it. */
    @Override
    Dns names() {
      ExecutorService lookups = Executors.newCachedThreadPool(platform());
      return host -> lookup(lookups, host);
    }
  };

  /** More streams than these are read by virtual threads. */
  private static final long MOST_PLATFORM = 300;

  private static final String NAME = "stream-";
  private static final long STACK_BYTES = 256 * 1024;
  private static final long REST_SECONDS = 60;

  /**
   * The kind that reads so many streams best.
   *
   * @param most streams that may be open at a time
   */
  public static StreamThreads of(long most) {
    return most > MOST_PLATFORM ? VIRTUAL : PLATFORM;
  }

  abstract ExecutorService start();

  abstract Dns names();

  private static ThreadFactory platform() {
    return Thread.ofPlatform().daemon().name(NAME, 1).stackSize(STACK_BYTES).factory();
  }

  private static List<InetAddress> lookup(ExecutorService lookups, String host)
      throws UnknownHostException {
    try {
      return lookups.submit(() -> Dns.SYSTEM.lookup(host)).get();
    } catch (ExecutionException e) {
      UnknownHostException unknown = new UnknownHostException(e.getCause().getMessage());
      unknown.initCause(e.getCause());
      throw unknown;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException("interrupted while " + host + " was looked up");
    }
  }
}
