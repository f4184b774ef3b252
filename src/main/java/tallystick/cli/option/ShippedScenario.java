package tallystick.cli.option;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A scenario's file, or the name of one that came with the program: {@code quickstart}. */
final class ShippedScenario implements ITypeConverter<Path> {
  /** The folder of those that came with the program, as the launcher names it. */
  private static final String FOLDER = "tally.scenarios";

  @Override
  public Path convert(String typed) {
    try {
      Path file = Path.of(typed);
      Path shipped = Path.of(System.getProperty(FOLDER, "scenarios"), typed + ".yaml");
      boolean isName = typed.matches("[\\w-]+") && !Files.exists(file);
      return isName && Files.isRegularFile(shipped) ? shipped : file;
    } catch (InvalidPathException e) {
      throw new TypeConversionException("'" + typed + "' is no file name");
    }
  }
}
