package tallystick.analysis.result;

import java.util.List;

/**
 * The sessions of the measured window. A session is a conversation: one user's requests that follow
 * each other, each with all that was said before, with those of its sub-agents. {@code begun =
 * completed + failed + left + cut}, and the requests planned in them are {@code requests + unsent}.
 *
 * @param planned sessions that the plan has
 * @param begun those of which a request has ended
 * @param completed those of them in which every planned request ended well
 * @param failed given up after a request that failed
 * @param left given up because the client left a request, as the scenario asks
 * @param cut neither: the run ended before them
 * @param requests ended requests of the sessions begun
 * @param unsent planned requests of the sessions begun that never ended
 * @param seconds of the completed ones: the first intended start to the end of the last answer
 * @param withoutToolSeconds the same without the time that tools ran
 * @param requestSeconds the same without any pause: how long one of its requests at least was
 *     under way
 * @param toolCalls ended requests that brought a tool's result
 * @param completedPerHour completed ones over the window
 * @param good completed ones in which every request kept every limit of every objective
 * @param judged completed and failed ones of which anybody can tell
 * @param goodPerHour good ones over the window
 * @param turns figures by turn, from the first on
 */
public record SessionAccount(
    long planned,
    long begun,
    long completed,
    long failed,
    long left,
    long cut,
    long requests,
    long unsent,
    Distribution seconds,
    Distribution withoutToolSeconds,
    Distribution requestSeconds,
    long toolCalls,
    Figure completedPerHour,
    long good,
    long judged,
    Figure goodPerHour,
    List<Turn> turns) {

  /**
   * The requests of the same turn, or of a few turns together.
   *
   * @param first the turn, from 1
   * @param last the last turn of these; 0 where all later ones are in
   * @param requests how many ended, those with a tool's result too
   * @param ttft first token minus intended start
   * @param e2e last token minus intended start
   * @param seconds of turns whose requests all ended well: the first intended start to the end of
   *     the last answer, tools included
   * @param promptTokens mean of usage.prompt_tokens: the history and what is new
   * @param cachedShare cached over all prompt tokens, of the requests that told both
   */
  public record Turn(
      int first,
      int last,
      long requests,
      Distribution ttft,
      Distribution e2e,
      Distribution seconds,
      Figure promptTokens,
      Figure cachedShare) {}

  public SessionAccount {
    turns = List.copyOf(turns);
  }

  /** Whether there are any. */
  public boolean isThere() {
    return begun > 0;
  }
}
