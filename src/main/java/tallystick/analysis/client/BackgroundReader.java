package tallystick.analysis.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Does work on a thread of its own, in the order it is given, some hundred pieces at a time: so a
 * big record is read on two cores. Few pieces start no thread. Given and ended by one thread.
 */
public final class BackgroundReader {
  private static final int TOGETHER = 256;
  private static final int WAITING = 4;

  private final ArrayDeque<CompletableFuture<Void>> underWay = new ArrayDeque<>();

  /** Its thread ends a second after the last work. */
  private final ExecutorService thread =
      new ThreadPoolExecutor(
          0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), BackgroundReader::daemon);

  private List<Runnable> gathered = new ArrayList<>(TOGETHER);

  void add(Runnable work) {
    gathered.add(work);
    if (gathered.size() == TOGETHER) {
      List<Runnable> together = gathered;
      gathered = new ArrayList<>(TOGETHER);
      underWay.add(CompletableFuture.runAsync(() -> together.forEach(Runnable::run), thread));
      if (underWay.size() > WAITING) {
        underWay.remove().join();
      }
    }
  }

  /** Waits until all is done; what it gathered can be used from then on. */
  void end() {
    while (!underWay.isEmpty()) {
      underWay.remove().join();
    }
    gathered.forEach(Runnable::run);
    gathered.clear();
    thread.shutdown();
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "read-rows");
    thread.setDaemon(true);
    return thread;
  }
}
