package tallystick.scrape;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A whole response.
 *
 * @param head its status and headers
 * @param body its body
 */
record HttpAnswer(Head head, byte[] body) {
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  /** Status and headers of a response, as they are read line by line. */
  static final class Head {
    private final int status;
    private final boolean isOldProtocol;
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    private Head(int status, boolean isOldProtocol) {
      this.status = status;
      this.isOldProtocol = isOldProtocol;
    }

    /**
     * Begins with the first line of a response.
     *
     * @throws IOException if it is not HTTP/1
     */
    static Head ofStatusLine(String line) throws IOException {
      String[] words = line.split(" ", 3);
      if (!words[0].startsWith("HTTP/1.") || words.length < 2 || !words[1].matches("\\d{3}")) {
        throw new IOException("the answer is no HTTP/1.1");
      }
      return new Head(Integer.parseInt(words[1]), words[0].equals("HTTP/1.0"));
    }

    /** One header; of two with one name the first counts. */
    void add(String line) throws IOException {
      int colon = line.indexOf(':');
      if (colon < 1) {
        throw new IOException("the answer's head holds a line that is no header");
      }
      headers.putIfAbsent(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
    }

    /** A header's value; empty where there is none. */
    String header(String name) {
      return headers.getOrDefault(name, "");
    }

    /** Whether the real answer comes after this one. */
    boolean isInterim() {
      return status < 200;
    }

    boolean isWithoutBody() {
      return status == NO_CONTENT || status == NOT_MODIFIED;
    }

    boolean isChunked() {
      return header("transfer-encoding").toLowerCase(Locale.ROOT).contains("chunked");
    }

    /** Announced length of the body; -1 if the connection's end ends it. */
    long length() throws IOException {
      String text = header("content-length");
      return text.isEmpty() ? -1 : HttpAnswer.length(text, 10);
    }

    /** Whether another request may follow on the same connection. */
    boolean keepsConnection() throws IOException {
      String word = header("connection").toLowerCase(Locale.ROOT);
      boolean isFramed = isWithoutBody() || isChunked() || length() >= 0;
      boolean isKept = isOldProtocol ? word.contains("keep-alive") : !word.contains("close");
      return isFramed && isKept;
    }
  }

  /**
   * A length as HTTP writes it, without a sign.
   *
   * @throws IOException if the text is none
   */
  static long length(String text, int radix) throws IOException {
    try {
      long length = Long.parseLong(text, radix);
      if (length >= 0) {
        return length;
      }
    } catch (NumberFormatException e) {
      // Told below, like a negative one.
    }
    throw new IOException("'" + text + "' is no length of an answer");
  }

  /** HTTP status. */
  int status() {
    return head.status;
  }

  /** The status in words fit for a reader, with what it asks for. */
  String statusWords() {
    boolean isRefused = status() == UNAUTHORIZED || status() == FORBIDDEN;
    return "HTTP " + status()
        + (isRefused
            ? ": it wants credentials; set TALLY_METRICS_TOKEN, or TALLY_METRICS_USER and"
                + " TALLY_METRICS_PASSWORD, and for a tenant TALLY_METRICS_TENANT"
            : "");
  }

  /** A header's value; empty where there is none. */
  String header(String name) {
    return head.header(name);
  }

  /** The same with its body decompressed. */
  HttpAnswer with(byte[] plainBody) {
    return new HttpAnswer(head, plainBody);
  }

  /** The server's {@code Date}, whole seconds since 1970; NaN where it sent none. */
  double dateUtcSeconds() {
    try {
      String date = header("date");
      return date.isEmpty()
          ? Double.NaN
          : ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond();
    } catch (DateTimeException e) {
      return Double.NaN;
    }
  }
}
