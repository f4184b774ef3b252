package tallystick.runrecord;

/** How a request ended, as the client saw it. */
public enum Outcome {
  /**
   * The stream ended with its last marker; or without, but with its finish reason and usage, see
   * {@link RequestRow.Oddity#DONE_MISSING}.
   */
  OK,
  /** An HTTP status other than 2xx. */
  HTTP_ERROR,
  /** No connection: refused, unreachable, unknown name, or a certificate nobody trusts. */
  REFUSED,
  /** The request timeout passed. */
  TIMED_OUT,
  /**
   * The connection ended before a byte of an answer came. Of a connection that was used before this
   * is its second attempt, see {@link RequestRow.Oddity#RESENT}.
   */
  NO_ANSWER,
  /** The connection ended inside an answer, however politely. */
  CUT_MID_STREAM,
  /** A chunk that is not the JSON the protocol promises. */
  MALFORMED_CHUNK,
  /** The server said inside a stream of status 200 that the request failed. */
  ERROR_EVENT,
  /** The stream ended well but carried no token. */
  EMPTY_STREAM,
  /** The answer ended with a finish reason, but with neither usage nor {@code [DONE]} marker. */
  DONE_MISSING,
  /** An HTTP redirect; the client follows none, because the time would not be the server's. */
  REDIRECTED,
  /** A compressed answer although the client asked for none: its arrivals would be a codec's. */
  COMPRESSED,
  /** A 2xx answer that is no event stream. */
  NOT_A_STREAM,
  /** The client left on purpose: the plan said so, or the run was stopped. */
  CLIENT_CANCELLED;

  /** Whether no whole answer came although the client waited for it. */
  public boolean isFailure() {
    return this != OK && this != CLIENT_CANCELLED;
  }
}
