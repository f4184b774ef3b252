package tallystick.runrecord;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import tallystick.scenario.Target;

/**
 * What a run was and how it ended; {@code manifest.json}.
 *
 * @param formatVersion version of the record's format
 * @param runId name of the run, also of its folder
 * @param scenario the scenario's name
 * @param source what kind of engine answered
 * @param seed the plan's seed
 * @param nonce what made the run's prompts its own; empty with {@code --same-prompts}
 * @param model the model requests named
 * @param targets servers under test, metrics URL empty where none was scraped
 * @param labels the user's labels
 * @param versions what took part: {@code tally}, {@code jvm}, {@code gatling}, {@code engine}, …
 * @param host where the load came from: {@code cores}, {@code os}, …
 * @param clock ties the client's clock to UTC
 * @param ending how it ended; {@link Ending#OPEN} until the record is closed
 * @param prompts how made-up prompts were written; settled before the warm-up
 */
public record Manifest(
    int formatVersion,
    String runId,
    String scenario,
    Source source,
    long seed,
    String nonce,
    String model,
    List<Target> targets,
    Map<String, String> labels,
    Map<String, String> versions,
    Map<String, String> host,
    Clock clock,
    Ending ending,
    PromptForm prompts) {

  /** The version this code writes; a reader takes every older one. */
  public static final int CURRENT_FORMAT = 2;

  /** What kind of engine answered. */
  public enum Source {
    /** A server the user named. */
    REAL,
    /** The simulated engine behind HTTP on loopback, started fresh for this run. */
    EMBEDDED,
    /** A simulated engine that the user named as target; it may have served others before. */
    SIMULATED,
    /** The simulated engine in virtual time. */
    VIRTUAL, /** A damaged record that does not tell any more. */ UNKNOWN;

    /** Whether every engine figure of the run is known to be simulated. */
    public boolean isSimulated() {
      return this != REAL && this != UNKNOWN;
    }
  }

  /**
   * The run's origin on two clocks.
   *
   * @param originUtcNanos UTC of the origin, nanoseconds since 1970
   * @param closedUtcNanos UTC at closing, 0 while open
   * @param closedNanos the client's clock at closing after the origin, 0 while open
   */
  public record Clock(long originUtcNanos, long closedUtcNanos, long closedNanos) {}

  /**
   * How the run ended.
   *
   * @param state completed, interrupted, stopped or failed; open if nobody closed the record
   * @param detail why, for a reader; may be empty
   * @param requestRows lines in requests.ndjson
   * @param scrapeRows good and failed scrapes
   * @param harnessRows lines in harness.ndjson; 0 in a record whose writer did not count them
   * @param droppedRows rows lost to full queues, or to a record that could not be written
   */
  public record Ending(
      State state,
      String detail,
      long requestRows,
      long scrapeRows,
      long harnessRows,
      long droppedRows) {
    /** How the detail begins of a record whose writer failed; the system's reason follows. */
    public static final String UNWRITTEN = "the record could not be written: ";

    /** The states a record can be in. */
    public enum State {
      OPEN,
      COMPLETED,
      INTERRUPTED,
      STOPPED,
      FAILED
    }

    /** A record nobody has closed. */
    public static final Ending OPEN = new Ending(State.OPEN, "", 0, 0, 0, 0);
  }

  public Manifest {
    Objects.requireNonNull(source, "a manifest needs a source");
    Objects.requireNonNull(clock, "a manifest needs a clock");
    Objects.requireNonNull(ending, "a manifest needs an ending");
    Objects.requireNonNull(ending.state(), "an ending needs a state");
    targets = List.copyOf(targets);
    labels = Map.copyOf(labels);
    versions = Map.copyOf(versions);
    host = Map.copyOf(host);
    // A record that was written without this field does not tell.
    prompts = prompts == null ? PromptForm.UNKNOWN : prompts;
  }

  /** Whether the record was closed after every planned step. */
  public boolean isComplete() {
    return ending.state() == Ending.State.COMPLETED;
  }

  /** The same manifest with another ending. */
  public Manifest closed(Clock at, Ending how) {
    return new Manifest(
        formatVersion, runId, scenario, source, seed, nonce, model, targets, labels, versions,
        host, at, how, prompts);
  }

  /** The same manifest with other targets. */
  public Manifest with(List<Target> others) {
    return new Manifest(
        formatVersion, runId, scenario, source, seed, nonce, model, others, labels, versions,
        host, clock, ending, prompts);
  }

  /** The same manifest with the form of the run's prompts. */
  public Manifest with(PromptForm form) {
    return new Manifest(
        formatVersion, runId, scenario, source, seed, nonce, model, targets, labels, versions,
        host, clock, ending, form);
  }
}
