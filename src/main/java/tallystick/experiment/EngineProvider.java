package tallystick.experiment;

import java.util.Map;

/**
 * One kind of engine under settings of the caller's choice: in virtual time, embedded, or started
 * by a command. Closing it ends what it still holds.
 */
public interface EngineProvider extends AutoCloseable {

  /**
   * The bench of an engine with these settings; nothing is started before a plan is played.
   *
   * @param settings by name, for example {@code max-num-seqs}; {@code -} and {@code _} are one
   * @param salt makes the noise of a simulated engine its own
   * @throws IllegalArgumentException if there is no such setting, or its value cannot be
   */
  TestBed with(Map<String, String> settings, long salt);

  @Override
  default void close() {}
}
