package tallystick.scrape;

import java.util.List;
import tallystick.runrecord.ScrapeRow;

/** Where a target's rows come from. */
interface RowSource {

  /**
   * The rows that came since the last call, oldest first; a failure is a row with its error. A
   * source of its own pace may have none. Rows from before the run's origin have a negative start.
   */
  List<ScrapeRow> next() throws InterruptedException;
}
