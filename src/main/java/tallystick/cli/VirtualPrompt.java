package tallystick.cli;

import java.util.Arrays;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.plan.SharedPrefix;

/** Token ids of a planned prompt for the engine in virtual time: equal prefixes, equal tokens. */
final class VirtualPrompt {
  private static final int FIRST_WORD = 7;
  private static final int WORDS = 2041;

  private final long seed;

  VirtualPrompt(long seed) {
    this.seed = seed;
  }

  /** The history, then what the request adds to it. */
  int[] tokens(PlannedRequest request, int[] history) {
    int[] own =
        switch (request.prompt()) {
          case Prompt.Synthetic synthetic -> synthetic(synthetic, request.index());
          case Prompt.Text text -> text(text);
        };
    int[] all = Arrays.copyOf(history, history.length + own.length);
    System.arraycopy(own, 0, all, history.length, own.length);
    return all;
  }

  private int[] synthetic(Prompt.Synthetic prompt, int index) {
    int[] tokens = new int[prompt.tokens()];
    int at = 0;
    for (SharedPrefix prefix : prompt.prefixes()) {
      at = fill(tokens, at, at + prefix.tokens(), mix(seed ^ mix(prefix.id() + 1)));
    }
    fill(tokens, at, tokens.length, mix(seed ^ mix(~(long) index)));
    return tokens;
  }

  private static int[] text(Prompt.Text text) {
    return text.messages().stream()
        .flatMap(message -> Arrays.stream(message.content().strip().split("\\s+")))
        .mapToInt(word -> FIRST_WORD + Math.floorMod(word.hashCode(), WORDS))
        .toArray();
  }

  private static int fill(int[] tokens, int from, int to, long key) {
    for (int i = from; i < to; i++) {
      tokens[i] = FIRST_WORD + (int) Long.remainderUnsigned(mix(key + i - from), WORDS);
    }
    return to;
  }

  /** The finalizer of SplitMix64. */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
