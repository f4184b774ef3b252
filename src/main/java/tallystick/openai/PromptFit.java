package tallystick.openai;

/**
 * How many tokens a text of made-up words becomes on a server: {@code fixed + perWord * words}.
 *
 * @param fixedTokens tokens the server adds around the words, its chat template for example
 * @param tokensPerWord tokens of one word; 1 where lengths can be met exactly
 */
public record PromptFit(double fixedTokens, double tokensPerWord) {
  /** Words taken as tokens, because the server does not tell. */
  public static final PromptFit UNKNOWN = new PromptFit(0, 1);

  /** The line through two measured texts. */
  static PromptFit through(int words, int tokens, int moreWords, int moreTokens) {
    double slope = (double) (moreTokens - tokens) / (moreWords - words);
    return slope > 0 ? new PromptFit(tokens - slope * words, slope) : UNKNOWN;
  }

  /** Words that come nearest to {@code tokens}, at least 1. */
  public int words(int tokens) {
    return (int) Math.max(1, Math.round((tokens - fixedTokens) / tokensPerWord));
  }
}
