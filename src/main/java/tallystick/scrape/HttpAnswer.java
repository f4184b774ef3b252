package tallystick.scrape;

import java.util.Date;
import okhttp3.Headers;

/**
 * A whole response.
 *
 * @param status HTTP status
 * @param headers its headers
 * @param body its body, decompressed
 * @param hasEnd whether its length or its last chunk told that the body is whole
 */
record HttpAnswer(int status, Headers headers, byte[] body, boolean hasEnd) {
  private static final int UNAUTHORIZED = 401; // HTTP
  private static final int FORBIDDEN = 403; // HTTP
  private static final double MILLIS_PER_SECOND = 1e3;

  /**
   * The status in words fit for a reader, with what it asks for.
   *
   * @param shown the credentials the server has seen
   */
  String statusWords(Credentials shown) {
    boolean isRefused = status == UNAUTHORIZED || status == FORBIDDEN;
    return "HTTP " + status + (isRefused ? ": " + shown.remedy() : "");
  }

  /** A header's value; empty where there is none. */
  String header(String name) {
    String value = headers.get(name);
    return value == null ? "" : value;
  }

  /** The server's {@code Date}, whole seconds since 1970; NaN where it sent none. */
  double dateUtcSeconds() {
    Date date = headers.getDate("Date");
    return date == null ? Double.NaN : date.getTime() / MILLIS_PER_SECOND;
  }
}
