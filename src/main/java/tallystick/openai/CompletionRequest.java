package tallystick.openai;

/**
 * One request, ready to be written.
 *
 * @param url full URL of the endpoint
 * @param body JSON, UTF-8
 * @param requestId sent as {@code X-Request-Id}
 * @param traceparent sent as W3C {@code traceparent}; empty sends none
 * @param startNanoTime nothing is sent or connected before; a moment that is past means at once
 * @param cancelAfterNanos time after the start at which the client leaves; 0 means never
 * @param cancelAfterTokens tokens after which the client leaves; 0 means never
 * @param withoutStream whether the body asks for the answer as a whole
 */
public record CompletionRequest(
    String url,
    byte[] body,
    String requestId,
    String traceparent,
    long startNanoTime,
    long cancelAfterNanos,
    int cancelAfterTokens,
    boolean withoutStream) {}
