package tallystick;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The jars that tests run with: those of a release, and those of the tests themselves. */
final class ClassPathJars {
  private ClassPathJars() {}

  /** JUnit's console comes with no build, only where tests are run by hand. */
  static List<Path> all() {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Stream.of(path.split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar") && !entry.contains("junit-platform-console"))
        .map(Path::of)
        .toList();
  }
}
