package tallystick.simengine;

/** The model: which token comes next. A pure function of the seed, the sequence and its length. */
final class TokenSource {
  private static final int WORDS = Vocabulary.SIZE - Vocabulary.SPECIAL.size();

  private final long seed;
  private final double endShare;

  /**
   * A model that ends a text now and then.
   *
   * @param endShare chance that the next token is the end token, where it is allowed
   */
  TokenSource(long seed, double endShare) {
    this.seed = seed;
    this.endShare = endShare;
  }

  /**
   * The token after the sequence's last: a word, or the end token, never another special one. As in
   * vLLM, what ends a text is not made before {@code min_tokens}.
   */
  int next(Sequence sequence) {
    long place =
        seed + sequence.id * 0x9E3779B97F4A7C15L + sequence.tokens * 0xD1B54A32D192ED03L;
    long z = Sequence.mixed(place);
    Sequence.SamplingLimits limits = sequence.limits;
    boolean mayEnd = sequence.outputTokens() >= limits.minTokens();
    if (mayEnd && !limits.ignoreEos() && share(z) < endShare) {
      return Vocabulary.END_OF_TEXT;
    }
    int word = (int) Long.remainderUnsigned(z, WORDS);
    for (int i = 0; !mayEnd && i < WORDS && limits.stopTokens().contains(token(word)); i++) {
      word = (word + 1) % WORDS;
    }
    return token(word);
  }

  /** Whether a token ends a text. */
  boolean isEnd(int token) {
    return token == Vocabulary.END_OF_TEXT;
  }

  private static int token(int word) {
    return Vocabulary.SPECIAL.size() + word;
  }

  private static double share(long z) {
    return (Sequence.mixed(z) >>> 11) * 0x1.0p-53;
  }
}
