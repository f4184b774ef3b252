package tallystick.runrecord;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * The regular files of one name below a folder. What another tally takes away while the folder is
 * read is passed over: its parts and its probe runs come and go.
 */
public final class FilesBelow {
  private FilesBelow() {}

  /**
   * Finds them. No link is followed but the folder's own.
   *
   * @param folder where to begin
   * @param depth how many folders deep, 1 for the folder itself
   * @param name the end of their path
   * @return them, in no order
   * @throws IOException if the folder, or one below it that is still there, cannot be read
   */
  public static List<Path> named(Path folder, int depth, String name) throws IOException {
    List<Path> found = new ArrayList<>();
    Path real = folder.toRealPath();
    Files.walkFileTree(
        real,
        EnumSet.noneOf(FileVisitOption.class),
        depth,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes words) {
            if (words.isRegularFile() && file.endsWith(name)) {
              found.add(folder.resolve(real.relativize(file)));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return gone(file, e);
          }

          @Override
          public FileVisitResult postVisitDirectory(Path file, IOException e)
              throws IOException {
            return e == null ? FileVisitResult.CONTINUE : gone(file, e);
          }

          private FileVisitResult gone(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException && !file.equals(real)) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
    return found;
  }
}
