package tallystick.openai;

import java.util.List;
import java.util.SplittableRandom;
import tallystick.plan.Prompt;
import tallystick.plan.SharedPrefix;

/**
 * Makes prompts of an exact number of tokens that no other request shares, except where the plan
 * wants a shared prefix. Immutable.
 *
 * <p>Token {@code i} of a prompt is a number below {@link #ALPHABET}; on the wire it is either a
 * token id or a word of the vocabulary.
 */
public final class PromptWriter {
  /** Different tokens a prompt is made of. */
  public static final int ALPHABET = 1024;

  /** Lowest token id used: the ids below it are special tokens in many vocabularies. */
  public static final int FIRST_TOKEN_ID = 200;

  private static final int NONCE_TOKENS = 3;
  private static final int INDEX_TOKENS = 3;
  private static final int BITS = 10;

  private final long nonceHash;
  private final List<String> vocabulary;
  private final PromptFit fit;

  /**
   * A writer for one run.
   *
   * @param nonce what makes the run's prompts its own; empty repeats them from run to run
   * @param vocabulary words to write text with, {@link #ALPHABET} at most
   * @param fit how words become tokens on the server
   */
  public PromptWriter(String nonce, List<String> vocabulary, PromptFit fit) {
    this.nonceHash = hash(nonce);
    this.vocabulary = List.copyOf(vocabulary);
    this.fit = fit;
  }

  /** The prompt as token ids. */
  public int[] tokenIds(Prompt.Synthetic prompt, int requestIndex) {
    int[] symbols = symbols(prompt, prompt.tokens(), 1, requestIndex);
    for (int i = 0; i < symbols.length; i++) {
      symbols[i] += FIRST_TOKEN_ID;
    }
    return symbols;
  }

  /** The prompt as words, as many as the server makes the wanted tokens of. */
  public String text(Prompt.Synthetic prompt, int requestIndex) {
    int words = fit.words(prompt.tokens());
    return words(symbols(prompt, words, fit.tokensPerWord(), requestIndex));
  }

  /** Whether the server told how many tokens its words make. */
  public boolean isFitted() {
    // A server may well make one token of a word: what was measured is known by its identity.
    return fit != PromptFit.UNKNOWN;
  }

  /**
   * Words that lead a given text, so that it shares no prefix with an earlier run; empty where
   * prompts are to repeat.
   */
  public String lead(int requestIndex) {
    int length = NONCE_TOKENS + INDEX_TOKENS;
    // All of its words, whatever the server makes of them: fewer would be shared by requests.
    return nonceHash == 0
        ? ""
        : words(symbols(Prompt.Synthetic.unique(length), length, 1, requestIndex)) + " ";
  }

  private String words(int[] symbols) {
    StringBuilder text = new StringBuilder();
    for (int symbol : symbols) {
      text.append(text.isEmpty() ? "" : " ").append(vocabulary.get(symbol % vocabulary.size()));
    }
    return text.toString();
  }

  private int[] symbols(
      Prompt.Synthetic prompt, int length, double tokensPerSymbol, int requestIndex) {
    int[] symbols = new int[length];
    int at = 0;
    for (SharedPrefix prefix : prompt.prefixes()) {
      int end = Math.min(length, at + (int) Math.round(prefix.tokens() / tokensPerSymbol));
      at = fill(symbols, at, end, nonceHash ^ mix(prefix.id() + 1));
    }
    at = spell(symbols, at, nonceHash, NONCE_TOKENS);
    at = spell(symbols, at, requestIndex, INDEX_TOKENS);
    fill(symbols, at, symbols.length, nonceHash ^ mix(~(long) requestIndex));
    return symbols;
  }

  /** Writes the lowest bits of a number, so that two numbers give two spellings. */
  private static int spell(int[] symbols, int from, long number, int length) {
    int at = from;
    for (int i = 0; i < length && at < symbols.length; i++) {
      symbols[at++] = (int) (number >>> (BITS * i)) & (ALPHABET - 1);
    }
    return at;
  }

  private static int fill(int[] symbols, int from, int to, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = from; i < to; i++) {
      symbols[i] = random.nextInt(ALPHABET);
    }
    return to;
  }

  private static long hash(String text) {
    long hash = text.isEmpty() ? 0 : 0x9E3779B97F4A7C15L;
    for (int i = 0; i < text.length(); i++) {
      hash = mix(hash ^ text.charAt(i));
    }
    return hash;
  }

  /** The finaliser of SplitMix64. */
  private static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
    return b ^ (b >>> 31);
  }
}
