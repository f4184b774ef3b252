package tallystick.virtualrun;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.plan.Settings;
import tallystick.plan.SharedPrefix;
import tallystick.simengine.PromptLayout;

/**
 * What a planned request says to the engine in virtual time, token for token as many as a run of
 * the same plan makes the embedded engine count. Equal prefixes, equal tokens.
 */
final class VirtualPrompt {
  /** Token ids below are special: they stand for no text. */
  static final int FIRST_WORD = 7;

  static final int WORDS = 2041;

  /** Words that lead a given text in a run, so that no run profits from the one before. */
  private static final int LEAD_WORDS = 6;

  /** What the chat template adds to a single message. */
  private static final int TEMPLATE_TOKENS = 3;

  private final Settings settings;
  private final long seed;

  VirtualPrompt(Settings settings) {
    this.settings = settings;
    this.seed = settings.seed();
  }

  /** The messages of a request after those before it. */
  List<PromptLayout.Message> messages(
      PlannedRequest request, List<PromptLayout.Message> history) {
    List<PromptLayout.Message> all = new ArrayList<>(history);
    switch (request.prompt()) {
      case Prompt.Synthetic synthetic ->
          all.add(
              new PromptLayout.Message("user", synthetic(synthetic, request.index())));
      case Prompt.Text text -> addText(text, request, all);
    }
    return all;
  }

  /** The same tokens from the last to the first: equally long, without its prefix. */
  int[] reversed(int[] prompt) {
    int[] other = new int[prompt.length];
    for (int i = 0; i < prompt.length; i++) {
      other[i] = prompt[prompt.length - 1 - i];
    }
    return other;
  }

  /** Messages as the prompt that reaches the engine. */
  int[] tokens(List<PromptLayout.Message> messages) {
    return isChat()
        ? PromptLayout.chat(messages)
        : messages.stream().flatMapToInt(one -> Arrays.stream(one.tokens())).toArray();
  }

  private boolean isChat() {
    return settings.endpoint().takesMessages();
  }

  private int[] synthetic(Prompt.Synthetic prompt, int index) {
    int length = isChat() ? Math.max(1, prompt.tokens() - TEMPLATE_TOKENS) : prompt.tokens();
    int[] tokens = new int[length];
    int at = 0;
    for (SharedPrefix prefix : prompt.prefixes()) {
      int end = Math.min(length, at + prefix.tokens());
      at = fill(tokens, at, end, mix(seed ^ mix(prefix.id() + 1)));
    }
    fill(tokens, at, tokens.length, mix(seed ^ mix(~(long) index)));
    return tokens;
  }

  private void addText(
      Prompt.Text text, PlannedRequest request, List<PromptLayout.Message> messages) {
    boolean isLed = request.turn() == 0 && !settings.options().samePrompts();
    for (Prompt.Message message : text.messages()) {
      int[] words = PromptLayout.encode(message.content());
      int lead = isLed && messages.isEmpty() ? LEAD_WORDS : 0;
      int[] tokens = new int[lead + words.length];
      fill(tokens, 0, lead, mix(seed ^ mix(~(long) request.index())));
      System.arraycopy(words, 0, tokens, lead, words.length);
      messages.add(new PromptLayout.Message(message.role(), tokens));
    }
  }

  private static int fill(int[] tokens, int from, int to, long key) {
    for (int i = from; i < to; i++) {
      tokens[i] = FIRST_WORD + (int) Long.remainderUnsigned(mix(key + i - from), WORDS);
    }
    return to;
  }

  private static long mix(long value) {
    return new SplittableRandom(value).nextLong();
  }
}
