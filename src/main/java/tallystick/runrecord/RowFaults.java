package tallystick.runrecord;

import java.util.ArrayList;
import java.util.List;

/** What is wrong with one file of a record; the first lines by number, the rest as a count. */
final class RowFaults {
  private static final int NAMED_LINES = 5;

  private final String fileName;
  private final List<String> sentences = new ArrayList<>();
  private final List<String> changes = new ArrayList<>();
  private long badLines;
  private long changedLines;
  private long repeatedLines;

  RowFaults(String fileName) {
    this.fileName = fileName;
  }

  /**
   * A line that is no row.
   *
   * @param number counted from 1
   * @param why empty where it is no whole JSON
   */
  record BadLine(long number, String why) {
    BadLine after(long lines) {
      return new BadLine(number + lines, why);
    }
  }

  void add(BadLine line) {
    badLines++;
    if (badLines <= NAMED_LINES) {
      String what =
          line.why().isEmpty()
              ? " is cut or damaged and was left out"
              : " was left out: " + line.why();
      sentences.add(fileName + ":" + line.number() + what);
    }
  }

  /** Lines whose checksum does not hold. */
  void add(LineSums.Changed lines) {
    changedLines++;
    if (changedLines <= NAMED_LINES) {
      changes.add(
          fileName + ":" + lines.last() + " is not as it was written"
              + (lines.first() < lines.last() ? ", or line " + lines.first() : "")
              + ", or lines before it are gone");
    }
  }

  /** What is not as it was written; empty where the lines carry no checksums. */
  List<String> changes() {
    List<String> all = new ArrayList<>(changes);
    if (changedLines > NAMED_LINES) {
      all.add(
          fileName + ": " + (changedLines - NAMED_LINES) + " more lines are not as they were"
              + " written");
    }
    return all;
  }

  /** A line that is equal to one before it, and is not read again. */
  void addRepeated() {
    repeatedLines++;
  }

  void missing() {
    sentences.add(fileName + " is missing");
  }

  /** A file that stopped being readable part way. */
  void unreadable(String why) {
    sentences.add(fileName + " could not be read to its end: " + why);
  }

  List<String> sentences() {
    List<String> all = new ArrayList<>(sentences);
    if (badLines > NAMED_LINES) {
      all.add(fileName + ": " + (badLines - NAMED_LINES) + " more lines were left out");
    }
    if (repeatedLines > 0) {
      all.add(
          fileName + ": " + repeatedLines
              + (repeatedLines == 1
                  ? " line stands there twice and counts once"
                  : " lines stand there twice and count once"));
    }
    return all;
  }
}
