package tallystick.simengine;

import java.util.List;

/**
 * A checked completion request.
 *
 * @param isChat whether it came to {@code /v1/chat/completions}
 * @param stream whether the answer is an event stream
 * @param includeUsage whether a last chunk carries usage
 * @param continuousUsage whether every chunk carries usage
 * @param returnTokenIds whether chunks carry token ids
 * @param generations one for each prompt, at least one
 */
record CompletionCall(
    boolean isChat,
    boolean stream,
    boolean includeUsage,
    boolean continuousUsage,
    boolean returnTokenIds,
    List<Generation> generations) {
  CompletionCall {
    generations = List.copyOf(generations);
  }

  int choices() {
    return generations.stream().mapToInt(Generation::choices).sum();
  }

  int promptTokens() {
    return generations.stream().mapToInt(generation -> generation.prompt().length).sum();
  }
}
