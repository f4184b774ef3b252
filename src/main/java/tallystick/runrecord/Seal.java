package tallystick.runrecord;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * The checksum at the end of a line of a record, {@code "sum":"9f3a2c11"}}: CRC-32C of every byte
 * since the checksum before it in the file, that one's digits included. So a line that changed,
 * went or came is found by the next one, and the last checksum of a file stands for all of it.
 */
final class Seal {
  /** Digits of a checksum. */
  static final int DIGITS = 8;

  private static final byte[] NAME = bytes("\"sum\":\"");
  private static final byte[] END = bytes("\"}");

  /** From the first byte of the field to the end of the line. */
  static final int LENGTH = NAME.length + DIGITS + END.length;

  private Seal() {}

  /** Where the digits of a line's checksum begin; negative where it has none. */
  static int digits(byte[] bytes, int from, int to) {
    int at = to - END.length - DIGITS;
    boolean isSealed =
        at - NAME.length > from
            && Arrays.equals(bytes, to - END.length, to, END, 0, END.length)
            && Arrays.equals(bytes, at - NAME.length, at, NAME, 0, NAME.length);
    return isSealed ? at : -1;
  }

  /** The digits that stand there; they may be no number. */
  static String text(byte[] bytes, int at) {
    return new String(bytes, at, DIGITS, StandardCharsets.ISO_8859_1);
  }

  /** The digits of a sum. */
  static String text(CRC32C sum) {
    return HexFormat.of().toHexDigits((int) sum.getValue());
  }

  /** What stands before the digits, in place of the brace that ended the line. */
  static byte[] before() {
    return bytes("," + new String(NAME, StandardCharsets.US_ASCII));
  }

  /** What stands after the digits. */
  static byte[] after() {
    return END.clone();
  }

  /** A whole file that is one JSON object, with its checksum as the last field. */
  static byte[] sealed(byte[] object) {
    String text = new String(object, StandardCharsets.UTF_8).stripTrailing();
    byte[] open = bytes(text.substring(0, text.length() - 1).stripTrailing() + ",\n  ");
    byte[] all = Arrays.copyOf(open, open.length + LENGTH);
    System.arraycopy(NAME, 0, all, open.length, NAME.length);
    int at = open.length + NAME.length;
    CRC32C sum = new CRC32C();
    sum.update(all, 0, at);
    System.arraycopy(bytes(text(sum)), 0, all, at, DIGITS);
    System.arraycopy(END, 0, all, at + DIGITS, END.length);
    return all;
  }

  /** Whether a file that is one object ends with its own checksum. */
  static boolean holds(byte[] all) {
    int at = digits(all, 0, all.length);
    CRC32C sum = new CRC32C();
    sum.update(all, 0, Math.max(0, at));
    return at >= 0 && text(sum).equals(text(all, at));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
