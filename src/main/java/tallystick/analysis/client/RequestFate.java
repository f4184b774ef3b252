package tallystick.analysis.client;

import tallystick.runrecord.RequestRow;

/** What the engine may have done with a request, as far as the client can tell. */
enum RequestFate {
  /** The client saw the engine finish it. */
  COMPLETED,
  /** The client left before the end: the engine counts its tokens but no finish. */
  ABORTED,
  /** The engine may or may not have worked on it. */
  UNKNOWN, /** It never reached the engine, or was refused before it. */ REFUSED;

  static RequestFate of(RequestRow row) {
    if (!row.ending().finishReason().isEmpty()) {
      return COMPLETED;
    }
    return switch (row.ending().outcome()) {
      case OK, DONE_MISSING -> COMPLETED;
      case CLIENT_CANCELLED -> row.times().written() == RequestRow.NEVER ? REFUSED : ABORTED;
      case REFUSED, REDIRECTED -> REFUSED;
      case HTTP_ERROR -> mayHaveReachedEngine(row.ending().status()) ? UNKNOWN : REFUSED;
      case TIMED_OUT, CUT_MID_STREAM, NO_ANSWER ->
          row.times().written() == RequestRow.NEVER ? REFUSED : UNKNOWN;
      case MALFORMED_CHUNK, ERROR_EVENT, EMPTY_STREAM, NOT_A_STREAM, COMPRESSED -> UNKNOWN;
    };
  }

  /**
   * A gateway's 502 or 504 and an engine's 500 come after the request may have been worked on; 503
   * is a refusal at the door.
   */
  private static boolean mayHaveReachedEngine(int status) {
    return status == 500 || status == 502 || status == 504;
  }
}
