package tallystick.runrecord;

import java.util.HexFormat;

/**
 * The W3C trace id of a request, a function of its request id: what the client sends and what a
 * span of the engine is found again by.
 *
 * @param high first eight bytes
 * @param low last eight bytes; never 0, so that no trace id is the invalid one
 */
public record TraceId(long high, long low) {
  private static final int HEX_DIGITS = 32;

  /** The trace id of a request, from what it is sent with as {@code X-Request-Id}. */
  public static TraceId of(String requestId) {
    long high = 0xCBF29CE484222325L;
    long low = 0x9E3779B97F4A7C15L;
    for (int i = 0; i < requestId.length(); i++) {
      high = (high ^ requestId.charAt(i)) * 0x100000001B3L;
      low = (low + requestId.charAt(i)) * 0xD6E8FEB86659FD93L;
    }
    return new TraceId(high, low | 1);
  }

  /**
   * The trace id that 32 hexadecimal digits mean.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static TraceId ofHex(String hex) {
    if (hex.length() != HEX_DIGITS) {
      throw new IllegalArgumentException("a trace id has 32 hexadecimal digits, was " + hex);
    }
    return new TraceId(
        HexFormat.fromHexDigitsToLong(hex, 0, HEX_DIGITS / 2),
        HexFormat.fromHexDigitsToLong(hex, HEX_DIGITS / 2, HEX_DIGITS));
  }

  /** 32 lower-case hexadecimal digits. */
  public String hex() {
    return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
  }

  /** The W3C {@code traceparent} header: this trace, the client's own span, sampled. */
  public String traceparent() {
    return "00-" + hex() + "-" + HexFormat.of().toHexDigits((high ^ low) | 1) + "-01";
  }
}
