package tallystick.plan;

import java.util.List;
import tallystick.scenario.Dataset;

/** Draws the prompts and output lengths that a class of requests asks for. */
interface ContentDraw {
  /**
   * A prompt and the length of its answer.
   *
   * @param pauseNanos pause before it; {@link Dataset#NO_PAUSE} where the scenario says it
   * @param link what it waits for
   */
  record Piece(Prompt prompt, int outputTokens, long pauseNanos, Dataset.Link link) {
    /** A made-up prompt that shares nothing. */
    Piece(int promptTokens, int outputTokens) {
      this(
          Prompt.Synthetic.unique(promptTokens), outputTokens, Dataset.NO_PAUSE,
          Dataset.Link.PREVIOUS);
    }
  }

  /**
   * The turns of the next arrival.
   *
   * @param turns how many; a data set's entry may have fewer
   */
  List<Piece> next(int turns);
}
