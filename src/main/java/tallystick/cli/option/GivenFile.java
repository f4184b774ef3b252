package tallystick.cli.option;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.BiFunction;
import tallystick.alerting.RuleFileException;
import tallystick.scenario.ScenarioException;

/** A file of the user's; one that is not there, or a fault in it, is the user's mistake. */
public final class GivenFile {
  /** More than a reader of YAML takes; devices and pipes have no size of their own. */
  private static final int MOST_BYTES = 16 << 20;

  private GivenFile() {}

  /**
   * What a file says.
   *
   * @param reader takes the file's name and its text
   */
  public static <T> T read(Path file, BiFunction<String, String, T> reader)
      throws IOException {
    try {
      return reader.apply(file.toString(), text(file));
    } catch (NoSuchFileException e) {
      throw absent(file);
    } catch (RuleFileException | ScenarioException | IllegalArgumentException e) {
      throw new Mistake(e.getMessage());
    }
  }

  /** What to say of a file that is not there. */
  public static Mistake absent(Path file) {
    return new Mistake(file + ": there is no such file");
  }

  private static String text(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new Mistake(file + " is a folder: name a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new Mistake(file + " is larger than 16 MiB: split it into several files");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new Mistake(file + " is not UTF-8 text");
    }
  }
}
