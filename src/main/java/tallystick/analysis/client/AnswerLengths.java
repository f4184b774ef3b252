package tallystick.analysis.client;

import java.util.List;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Formatted;

/** Output tokens asked for beside those the server counted, of good requests; in one pass. */
public final class AnswerLengths {
  private long told;
  private long others;
  private long askedTokens;
  private long countedTokens;
  private long least = Long.MAX_VALUE;
  private long most = Long.MIN_VALUE;

  /** Takes a measured request that asks for so many answers; usage counts them together. */
  void read(RequestRow row, int choices) {
    if (row.usage().completionTokens() < 0 || row.ending().outcome() != Outcome.OK) {
      return;
    }
    long asked = (long) row.maxTokens() * choices;
    long difference = row.usage().completionTokens() - asked;
    told++;
    others += difference == 0 ? 0 : 1;
    askedTokens += asked;
    countedTokens += row.usage().completionTokens();
    least = Math.min(least, difference);
    most = Math.max(most, difference);
  }

  /**
   * What a reader must know of the lengths; nothing where they are exactly those asked for.
   *
   * @param ignoreEos whether an answer may not end before its length
   */
  public List<Finding> findings(boolean ignoreEos) {
    if (!ignoreEos || others == 0) {
      return List.of();
    }
    return List.of(new Finding(Code.ANSWER_LENGTHS,
        Formatted.of(
            "%d of %d answers %s not as long as requested: %s.",
            others, told, others == 1 ? "is" : "are", tokens()),
        List.of(Formatted.of("max_tokens and usage differ by request by %+d to %+d", least, most)),
        "See whether the server takes ignore_eos and max_tokens, and whether a stop is set;"
            + " compare this run only with runs of the same lengths."));
  }

  /** On average; in all where the averages look alike. */
  private String tokens() {
    String counted = Formatted.of("%.1f", (double) countedTokens / told);
    String asked = Formatted.of("%.1f", (double) askedTokens / told);
    return counted.equals(asked)
        ? Formatted.of("%,d tokens in all instead of %,d", countedTokens, askedTokens)
        : counted + " tokens on average instead of " + asked;
  }
}
