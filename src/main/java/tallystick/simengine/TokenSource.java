package tallystick.simengine;

/** The model: which token comes next. A pure function of the seed, the sequence and its length. */
final class TokenSource {
  private final long seed;

  TokenSource(long seed) {
    this.seed = seed;
  }

  /** The token after the sequence's last; never a special one. */
  int next(Sequence sequence) {
    long z = seed + sequence.id * 0x9E3779B97F4A7C15L + sequence.tokens * 0xD1B54A32D192ED03L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    z ^= z >>> 31;
    int words = Vocabulary.SIZE - Vocabulary.SPECIAL.size();
    return Vocabulary.SPECIAL.size() + (int) Long.remainderUnsigned(z, words);
  }

  /** Whether a token ends a text. */
  boolean isEnd(int token) {
    return token == Vocabulary.END_OF_TEXT;
  }
}
