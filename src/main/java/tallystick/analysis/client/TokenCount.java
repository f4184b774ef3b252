package tallystick.analysis.client;

import tallystick.runrecord.RequestRow;

/** How many output tokens a request had, where somebody told. */
final class TokenCount {
  private TokenCount() {}

  /**
   * From usage, else from the chunks if each told; {@link RequestRow#UNKNOWN} otherwise, never the
   * number of chunks.
   */
  static int of(RequestRow row) {
    if (row.usage().completionTokens() >= 0) {
      return row.usage().completionTokens();
    }
    int sum = 0;
    for (int tokens : row.chunks().tokens()) {
      if (tokens < 0) {
        return RequestRow.UNKNOWN;
      }
      sum += tokens;
    }
    return row.chunks().size() == 0 ? RequestRow.UNKNOWN : sum;
  }
}
