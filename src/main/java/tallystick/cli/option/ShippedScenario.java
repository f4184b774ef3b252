package tallystick.cli.option;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import tallystick.scenario.ScenarioReader;

/**
 * A scenario's file, or the name of one that came with the program: {@code quickstart}, or, as
 * documents say it, {@code scenarios/quickstart.yaml}.
 */
final class ShippedScenario implements ITypeConverter<Path> {
  private static final Pattern NAME = Pattern.compile("([\\w-]+)|scenarios/([\\w-]+)\\.yaml");

  @Override
  public Path convert(String typed) {
    try {
      Path file = Path.of(typed);
      Matcher name = NAME.matcher(typed);
      if (Files.exists(file) || !name.matches()) {
        return file;
      }
      // A file's bare name is somebody's own copy, and another must not stand in for it.
      String one = name.group(1) == null ? name.group(2) : name.group(1);
      Path shipped =
          Path.of(System.getProperty(ScenarioReader.SHIPPED, "scenarios"), one + ".yaml");
      return Files.isRegularFile(shipped) ? shipped : file;
    } catch (InvalidPathException e) {
      throw new TypeConversionException("'" + typed + "' is not a file name");
    }
  }
}
