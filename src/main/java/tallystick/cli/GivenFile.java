package tallystick.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.BiFunction;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import tallystick.alerting.RuleFileException;

/** A file of the user's; one that is not there, or a fault in it, is the user's mistake. */
final class GivenFile {
  private GivenFile() {}

  /**
   * What a file says.
   *
   * @param reader takes the file's name and its text
   */
  static <T> T read(CommandSpec spec, Path file, BiFunction<String, String, T> reader)
      throws IOException {
    try {
      return reader.apply(file.toString(), Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new ParameterException(spec.commandLine(), "there is no file " + file);
    } catch (RuleFileException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
  }
}
