package tallystick.scenario;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Where relative file names in a scenario begin: the folder of the scenario's own file.
 *
 * @param path may be empty for the working folder
 */
record Folder(Path path) {

  /** The folder a scenario's file lies in. */
  static Folder of(Path scenarioFile) {
    Path parent = scenarioFile.getParent();
    return new Folder(parent == null ? Path.of("") : parent);
  }

  /** A file that may be there, named by a value. */
  Path place(ScenarioValue value) {
    try {
      return path.resolve(value.text());
    } catch (InvalidPathException e) {
      throw value.wrong("a file name");
    }
  }

  /** A file that must be there, named by a value. */
  Path file(ScenarioValue value) {
    Path file = place(value);
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw value.origin().error(
          value.path() + " names no readable file: " + file,
          "check the name; it begins at the scenario's folder");
    }
    return file;
  }
}
