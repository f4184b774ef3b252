package tallystick.analysis.result;

/**
 * What a model thought before it answered, of the measured requests that ended well. A server says
 * what is thinking: by {@code reasoning} or {@code reasoning_content} beside {@code content}, or by
 * parts of {@code content}. Thinking inside the text of an answer cannot be told from it.
 *
 * @param requests that thought first
 * @param withoutAnswer those of them that ended before a word of the answer came
 * @param answerTtft first chunk of the answer itself minus intended start, in seconds; of requests
 *     that did not think too, whose first chunk that is
 * @param meanTokens thinking tokens of those that thought and told
 * @param medianTokens the order statistic {@code x_(ceil(n/2))} of the same
 * @param p95Tokens the order statistic {@code x_(ceil(0.95 n))} of the same
 * @param outputShare thinking tokens over all output tokens of the same
 * @param untold requests that thought and did not tell how many tokens that were
 */
public record Thinking(
    long requests,
    long withoutAnswer,
    Distribution answerTtft,
    Figure meanTokens,
    Figure medianTokens,
    Figure p95Tokens,
    Figure outputShare,
    long untold) {

  /** Whether any request thought. */
  public boolean isThere() {
    return requests > 0;
  }
}
