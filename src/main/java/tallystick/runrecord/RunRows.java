package tallystick.runrecord;

import java.util.List;
import java.util.function.Consumer;
import tallystick.plan.Settings;

/**
 * The rows of one run record, read as streams: no method holds all rows in memory.
 *
 * <p>Each {@code each…} call reads its rows from the beginning in the order they were recorded and
 * may be called again; a caller that can do with one pass asks once. Not safe for use by several
 * threads at a time.
 */
public interface RunRows {

  /** What the run was and how it ended. */
  Manifest manifest();

  /** The plan except its requests. */
  Settings settings();

  /** Requests the plan has in phases that are no warm-up. */
  long plannedRequests();

  /**
   * {@code n} of a planned request: how many answers it asks for. With {@code n} above 1 the
   * engine counts {@code n} requests and {@code n} prompts. A reader of files keeps only the
   * requests that differ from 1.
   *
   * @param requestIndex index of the request in the plan
   */
  default int choices(int requestIndex) {
    return 1;
  }

  /** Whether some requests carry a conversation's history, so that no plan knows their length. */
  default boolean hasConversations() {
    return false;
  }

  /** What the plan asks of each request; of none where nobody knows. */
  default PlanTable plan() {
    return PlanTable.unknown();
  }

  /** Hands over every request row, those of the warm-up too, in the order they ended. */
  void eachRequest(Consumer<RequestRow> reader);

  /** Hands over every scrape, failed ones too, in the order they started. */
  void eachScrape(Consumer<ScrapeRow> reader);

  /**
   * Hands over every scrape of the scenario's exporters, in the order they started; {@link
   * ScrapeRow#target} is the index into {@link Settings#exporters}.
   */
  default void eachExporterScrape(Consumer<ScrapeRow> reader) {}

  /** Hands over every row the harness noted of itself. */
  void eachHarness(Consumer<HarnessRow> reader);

  /** Hands over every span the engines sent, in the order they came; none where nobody asked. */
  default void eachSpan(Consumer<SpanRow> reader) {}

  /**
   * What nobody can tell of the run because its manifest or plan is damaged, one sentence for each
   * file; empty for a sound record.
   */
  default List<String> unknowns() {
    return List.of();
  }

  /**
   * What of the record is not as it was written, one sentence each; complete only after the rows
   * have been read. Empty for a record that carries no checksums.
   */
  default List<String> changes() {
    return List.of();
  }

  /**
   * What is wrong with the files, one sentence each with the file's name, for example a last line
   * cut by a kill; complete only after the rows have been read. Empty for a sound record.
   */
  List<String> faults();
}
