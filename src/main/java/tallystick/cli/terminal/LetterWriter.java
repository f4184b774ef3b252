package tallystick.cli.terminal;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/** A writer that looks at each letter: whatever is written comes to {@link #write(int)}. */
abstract class LetterWriter extends FilterWriter {
  LetterWriter(Writer out) {
    super(out);
  }

  @Override
  public abstract void write(int letter) throws IOException;

  @Override
  public void write(char[] letters, int offset, int length) throws IOException {
    for (int i = offset; i < offset + length; i++) {
      write(letters[i]);
    }
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    for (int i = offset; i < offset + length; i++) {
      write(text.charAt(i));
    }
  }
}
