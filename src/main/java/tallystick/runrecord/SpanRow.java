package tallystick.runrecord;

/**
 * One span {@code llm_request} of an engine; one line of {@code traces.ndjson}. Durations are
 * seconds on the engine's clocks as it told them, NaN where it did not.
 *
 * @param traceId which request it belongs to, see {@link TraceId#of}
 * @param spanId 16 hexadecimal digits; a batch that is sent twice repeats it
 * @param queueSeconds {@code gen_ai.latency.time_in_queue}: queued to scheduled
 * @param prefillSeconds {@code gen_ai.latency.time_in_model_prefill}: scheduled to first token
 * @param decodeSeconds {@code gen_ai.latency.time_in_model_decode}: first to last token
 * @param inferenceSeconds {@code gen_ai.latency.time_in_model_inference}: scheduled to last token
 * @param ttftSeconds {@code gen_ai.latency.time_to_first_token}: from the arrival at the API server
 * @param e2eSeconds {@code gen_ai.latency.e2e}: from the arrival at the API server
 * @param promptTokens {@code gen_ai.usage.prompt_tokens}; {@link RequestRow#UNKNOWN} if absent
 * @param completionTokens {@code gen_ai.usage.completion_tokens}; likewise
 */
public record SpanRow(
    TraceId traceId,
    String spanId,
    double queueSeconds,
    double prefillSeconds,
    double decodeSeconds,
    double inferenceSeconds,
    double ttftSeconds,
    double e2eSeconds,
    int promptTokens,
    int completionTokens) {}
