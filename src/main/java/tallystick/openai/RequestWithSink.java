package tallystick.openai;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * A request and who takes its result.
 *
 * @param request what is sent
 * @param keepText whether the result holds what the model said
 * @param sink takes the result
 */
public record RequestWithSink(CompletionRequest request, boolean keepText, Sink sink) {

  /** Takes the result of a request, once, on the stream's own thread. */
  @FunctionalInterface
  public interface Sink {
    /**
     * The request has ended.
     *
     * @return what the same thread sends next: it is awake, and the connection just came free
     */
    Optional<RequestWithSink> ended(CompletionResult result);
  }

  /** A request that nothing follows. */
  static RequestWithSink alone(
      CompletionRequest request, boolean keepText, Consumer<CompletionResult> sink) {
    return new RequestWithSink(
        request,
        keepText,
        result -> {
          sink.accept(result);
          return Optional.empty();
        });
  }
}
