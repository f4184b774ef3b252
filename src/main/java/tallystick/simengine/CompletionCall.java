package tallystick.simengine;

import java.util.List;
import java.util.Optional;

/**
 * A checked completion request.
 *
 * @param api where it came to
 * @param stream whether the answer is an event stream
 * @param includeUsage whether a last chunk carries usage
 * @param continuousUsage whether every chunk carries usage
 * @param returnTokenIds whether chunks carry token ids
 * @param kept where the answer is kept for a later request that names it; empty for nowhere
 * @param generations one for each prompt, at least one
 */
record CompletionCall(
    Api api,
    boolean stream,
    boolean includeUsage,
    boolean continuousUsage,
    boolean returnTokenIds,
    Optional<KeptAnswers.Turn> kept,
    List<Generation> generations) {
  CompletionCall {
    generations = List.copyOf(generations);
  }

  /** The ways to ask. */
  enum Api {
    COMPLETIONS,
    CHAT_COMPLETIONS,
    RESPONSES
  }

  /** Whether it came as messages. */
  boolean isChat() {
    return api != Api.COMPLETIONS;
  }

  boolean isResponse() {
    return api == Api.RESPONSES;
  }

  int choices() {
    return generations.stream().mapToInt(Generation::choices).sum();
  }

  int promptTokens() {
    return generations.stream().mapToInt(generation -> generation.prompt().length).sum();
  }
}
