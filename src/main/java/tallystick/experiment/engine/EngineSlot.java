package tallystick.experiment.engine;

import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tallystick.experiment.Listener;
import tallystick.scenario.Formatted;

/** Holds the one engine that is up: two at once would share the machine. */
public final class EngineSlot implements AutoCloseable {
  private final int mostRuns;
  private final Listener listener;
  private final BooleanSupplier isStopped;
  private Optional<EngineProcess> current = Optional.empty();
  private int runs;
  private int starts;
  private double seconds;

  /**
   * A slot.
   *
   * @param mostRuns that one start serves in a row, of the same settings
   */
  public EngineSlot(int mostRuns, Listener listener, BooleanSupplier isStopped) {
    this.mostRuns = mostRuns;
    this.listener = listener;
    this.isStopped = isStopped;
  }

  /**
   * The engine that was ordered: the one that is up, or else a new one.
   *
   * @return empty if somebody asked to stop
   * @throws IOException if it does not start
   */
  public Optional<EngineProcess> up(EngineProcess.Order order)
      throws IOException, InterruptedException {
    if (runs < mostRuns && current.filter(engine -> engine.isOf(order)).isPresent()) {
      runs++;
      return current;
    }
    end();
    if (starts == 0) {
      EngineProcess.nameOrphans(listener);
    }
    current = EngineProcess.start(order, listener, isStopped);
    current.ifPresent(
        engine -> {
          runs = 1;
          starts++;
          seconds += engine.startSeconds();
        });
    return current;
  }

  /** After a run: the engine ends unless it may serve another one. */
  public void release() {
    if (runs >= mostRuns) {
      end();
    }
  }

  private void end() {
    current.ifPresent(EngineProcess::close);
    current = Optional.empty();
  }

  /** What a start took on average; {@code otherwise} while there was none. */
  public double startSeconds(double otherwise) {
    return starts == 0 ? otherwise : seconds / starts;
  }

  /** Ends what is up, and says what all starts took. */
  @Override
  public void close() {
    end();
    if (starts > 0) {
      listener.say(
          Formatted.of(
              "Starting the engine took %.1f s on average, %.0f s in all (starts: %d).",
              seconds / starts, seconds, starts));
    }
    starts = 0;
  }
}
