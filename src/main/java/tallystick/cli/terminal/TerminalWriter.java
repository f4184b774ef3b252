package tallystick.cli.terminal;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.util.regex.Pattern;
import tallystick.answer.Answer;
import tallystick.answer.words.ProgramName;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;
import tallystick.scenario.PlainText;

/**
 * Where all that a command prints goes through. What servers and files say may hold characters that
 * steer a terminal: they come out as {@code U+FFFD}. Our own marks pass by {@link #styled}.
 */
public final class TerminalWriter extends PrintWriter {
  private static final int INSTEAD = 0xfffd;
  private static final Pattern OUR_MARK = Pattern.compile("\r|\u001b\\[(?:\\d{1,2}[mA]|K)");

  private final Writer raw;
  private final String name;

  /** A writer of cleaned text. */
  public TerminalWriter(Writer raw) {
    this(raw, "");
  }

  /**
   * A writer of cleaned text.
   *
   * @param name by which this program is called; empty in a clone
   */
  TerminalWriter(Writer raw, String name) {
    super(raw, true);
    this.raw = raw;
    this.name = name;
  }

  /**
   * A writer to the process's own output or error output, in the terminal's encoding; its first
   * words end the line that says that a command still works.
   *
   * @param name by which this program is called; empty in a clone
   */
  public static TerminalWriter to(
      FileDescriptor where, Charset charset, String name, StillWorking working) {
    OutputStream out = working.endedBy(new UntilReaderLeaves(new FileOutputStream(where)));
    return new TerminalWriter(new BufferedWriter(new OutputStreamWriter(out, charset)), name);
  }

  @Override
  public void write(String text, int offset, int length) {
    StringBuilder cleaned = new StringBuilder();
    text.substring(offset, offset + length)
        .codePoints()
        .map(letter -> PlainText.isPrintable(letter) ? letter : INSTEAD)
        .forEach(cleaned::appendCodePoint);
    String typed = ProgramName.in(cleaned, name);
    super.write(typed, 0, typed.length());
  }

  @Override
  public void write(char[] letters, int offset, int length) {
    write(new String(letters, offset, length));
  }

  @Override
  public void write(int letter) {
    write(String.valueOf((char) letter));
  }

  /**
   * A pipe whose reader has seen enough, as {@code head} has, is not a failure: what comes after is
   * dropped.
   */
  private static final class UntilReaderLeaves extends FilterOutputStream {
    private boolean hasLeft;

    UntilReaderLeaves(OutputStream pipe) {
      super(pipe);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        if (!hasLeft) {
          out.write(bytes, offset, length);
        }
      } catch (IOException e) {
        hasLeft = String.valueOf(e.getMessage()).contains("Broken pipe");
        if (!hasLeft) {
          throw e;
        }
      }
    }
  }

  /**
   * Prints text in which colours and the renewal of a line are ours; whoever wrote it has kept
   * strangers' marks out.
   */
  public static void styled(PrintWriter console, String text) {
    if (console instanceof TerminalWriter terminal) {
      terminal.printStyled(text);
    } else {
      console.print(text);
    }
  }

  private void printStyled(String text) {
    try {
      int done = 0;
      for (var mark = OUR_MARK.matcher(text); mark.find(); done = mark.end()) {
        print(text.substring(done, mark.start()));
        raw.write(mark.group());
      }
      print(text.substring(done));
    } catch (IOException e) {
      setError();
    }
  }

  /** Shows an answer, with the whole account below it if that is asked for. */
  public static void show(PrintWriter console, Answer answer, boolean isVerbose) {
    Terminal terminal = terminal();
    styled(
        console,
        isVerbose
            ? ScreenWriter.withAccount(answer, terminal)
            : ScreenWriter.text(answer, terminal));
    console.flush();
  }

  /** The terminal that the output goes to, as the launcher found it. */
  public static Terminal terminal() {
    return new Terminal(
        Boolean.getBoolean("tally.terminal"),
        Integer.getInteger("tally.columns", Terminal.USUAL_COLUMNS));
  }
}
