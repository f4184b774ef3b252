package tallystick.plan;

import java.util.List;


/** Draws prompts and output lengths. */
interface ContentDraw {

  /** A prompt and the length of its answer. */
  record Piece(Prompt prompt, int outputTokens) {}

  /**
   * The turns of the next arrival.
   *
   * @param turns how many; a data set's entry may have fewer
   */
  List<Piece> next(int turns);
}
