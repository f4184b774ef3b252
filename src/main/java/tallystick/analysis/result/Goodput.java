package tallystick.analysis.result;

import java.util.List;
import tallystick.scenario.Objective;

/**
 * What came in time: the requests that keep every limit of every objective at once, whatever share
 * each objective asks for. An objective on gaps has no say: it judges no request.
 *
 * @param limits what a request must keep, each for its own class; empty where no objective judges
 *     requests
 * @param fromIntended counted from the intended start, as objectives are
 * @param fromStart counted from the actual start, as {@code vllm bench serve --goodput} does
 */
public record Goodput(List<Objective> limits, Kept fromIntended, Kept fromStart) {

  /**
   * The requests that kept every limit.
   *
   * @param good how many did; a failed request does not
   * @param judged requests of which anybody can tell
   * @param requestsPerSecond the good ones over the window
   * @param outputTokensPerSecond the output tokens of the good ones over the window
   */
  public record Kept(
      long good, long judged, Figure requestsPerSecond, Figure outputTokensPerSecond) {}

  public Goodput {
    limits = List.copyOf(limits);
  }
}
