package tallystick.cli.terminal;

import java.io.IOException;
import java.io.Writer;

/** Says {@code tally} for {@code ./tally}: where it was installed, commands are typed so. */
final class TypedNameWriter extends LetterWriter {
  private static final String OF_A_CLONE = "./tally ";

  private final String name;
  private char before = ' ';
  private int matched;

  /** A writer that puts this name in the place of a clone's. */
  TypedNameWriter(Writer out, String name) {
    super(out);
    this.name = name;
  }

  @Override
  public void write(int letter) throws IOException {
    char next = (char) letter;
    boolean isInPath = Character.isLetterOrDigit(before) || "./".indexOf(before) >= 0;
    before = next;
    if ((matched > 0 || !isInPath) && next == OF_A_CLONE.charAt(matched)) {
      matched++;
      if (matched == OF_A_CLONE.length()) {
        matched = 0;
        out.write(name + " ");
      }
      return;
    }
    writeMatched();
    out.write(next);
  }

  @Override
  public void flush() throws IOException {
    writeMatched();
    super.flush();
  }

  private void writeMatched() throws IOException {
    out.write(OF_A_CLONE, 0, matched);
    matched = 0;
  }
}
