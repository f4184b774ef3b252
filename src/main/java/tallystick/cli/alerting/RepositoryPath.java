package tallystick.cli.alerting;

import java.nio.file.Files;
import java.nio.file.Path;

/** A file as code scanning names it: by its path from the root of its repository. */
final class RepositoryPath {
  private RepositoryPath() {}

  /**
   * The path as a relative URI where the file lies in a repository or below the working folder;
   * else its absolute URI.
   */
  static String uri(String file) {
    Path path = Path.of(file).toAbsolutePath().normalize();
    Path root = path.getParent();
    while (root != null && !Files.exists(root.resolve(".git"))) {
      root = root.getParent();
    }
    Path from = root == null ? Path.of("").toAbsolutePath() : root;
    return path.startsWith(from)
        ? from.toUri().relativize(path.toUri()).toString()
        : path.toUri().toString();
  }
}
