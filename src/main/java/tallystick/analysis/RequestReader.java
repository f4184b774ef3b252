package tallystick.analysis;

import tallystick.runrecord.RequestRow;

/** Takes each request of a run, those of the warm-up too, in the order they ended. */
public interface RequestReader {
  /**
   * Takes one.
   *
   * @param choices how many answers it asked for
   */
  void read(RequestRow row, int choices);
}
