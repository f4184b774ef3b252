package tallystick.experiment.tune;

import java.util.List;

/** How a tuning ends. */
sealed interface TuneAnswer {

  /** Fresh pairs confirm that a cell gains. */
  record Recommended(Confirmation confirmation) implements TuneAnswer {}

  /** The cell that looked best is not confirmed. */
  record NotConfirmed(Confirmation confirmation) implements TuneAnswer {}

  /**
   * The engine of the cell that looked best did not live through the fresh pairs.
   *
   * @param why its last words
   */
  record Died(Cell cell, String why) implements TuneAnswer {}

  /** No other cell can gain enough to be worth a change. */
  record KeepCurrent() implements TuneAnswer {}

  /**
   * A gain costs something else by more than is allowed: a choice for people.
   *
   * @param margins what accepts the price; empty where nothing does
   */
  record TradeOff(Cell cell, Few.Gain gain, List<String> prices, List<String> margins)
      implements TuneAnswer {}

  /** The runs cannot tell yet. */
  record CannotTell(String why, int blocksNeeded) implements TuneAnswer {}

  /** No cell holds the objectives under this load. */
  record NoneHolds() implements TuneAnswer {}

  /** Too many runs cannot be used. */
  record Untrusted(String why) implements TuneAnswer {}
}
