package tallystick.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import tallystick.analysis.result.RunAnalysis;
import tallystick.plan.Plan;
import tallystick.scenario.Scenario;

/**
 * Where probes are played: a server that is up or started for it, the embedded engine, or virtual
 * time.
 */
public interface TestBed {

  /**
   * Plays a plan and leaves its record in the run folder.
   *
   * @return how many seconds it took on the bench's own clock; empty if somebody interrupted it
   * @throws EngineFailure if the engine does not start, or ends in the middle
   * @throws IOException if the world fails: the disk, or the server
   */
  OptionalDouble play(Plan plan, Path runFolder) throws IOException, InterruptedException;

  /** What stands there, for example {@code vLLM 0.32.0 at http://10.0.0.7:8000}. */
  String words();

  /** All that makes its figures what they are; the same words mean the same bench. */
  String fingerprint();

  /** Whether the same plan gives the same record again, so that none need be kept. */
  boolean isRepeatable();

  /**
   * Writes the page of a run that is kept.
   *
   * @throws IOException if the disk fails
   */
  default void present(RunAnalysis analysis, Path runFolder) throws IOException {}

  /** What a probe takes beside its load, as long as none has shown it. */
  double overheadSeconds();

  /** What a run of a scenario takes at least. */
  default double shortestSeconds(Scenario scenario) {
    return (scenario.extent().durationNanos() + scenario.warmup().durationNanos()) / 1e9
        + overheadSeconds();
  }

  /** The settings that were asked for, and with which of them the last plan was played. */
  default List<EngineSetting> settings() {
    return List.of();
  }
}
