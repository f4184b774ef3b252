package tallystick.scrape;

import java.util.List;
import tallystick.runrecord.ScrapeRow;

/** Something that can be scraped on demand, target by target. */
public interface ScrapeSource {
  /** The targets that expose metrics, as indices into the manifest's targets. */
  List<Integer> targets();

  /**
   * Scrapes one target at once and waits for the result.
   *
   * @return the row, a failed one included
   */
  ScrapeRow scrape(int target) throws InterruptedException;

  /**
   * The newest rows of a target that came since the last call, whoever asked for them, oldest
   * first; older ones are forgotten.
   */
  default List<ScrapeRow> recent(int target) {
    return List.of();
  }
}
