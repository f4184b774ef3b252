package tallystick.runrecord;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file that is there whole or not at all. It is written beside its place and moved there, so a
 * reader never sees half of it, nor of what another tally writes there at the same time. A link
 * that lies in its place is replaced and not followed.
 *
 * <p>Who is killed in the middle leaves a part behind. The next who writes the file takes it away:
 * a writer locks its part, and a lock ends with its process. A run's manifest and an experiment's
 * journal have ways of their own, for a disk without room and for one that loses its power.
 */
public final class WholeFile {
  private static final String PART = ".partial";
  private static final Pattern PART_OF =
      Pattern.compile("(.+)\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\" + PART);

  /** The names of parts that this process writes now. */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private WholeFile() {}

  /** What is written, in one go. */
  public interface Content {
    void write(OutputStream out) throws IOException;
  }

  /**
   * Writes text.
   *
   * @return the file
   * @throws IOException if it cannot be written; what lay there is as it was
   */
  public static Path write(Path file, String text) throws IOException {
    return write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Writes what a writer gives.
   *
   * @return the file
   * @throws IOException if it cannot be written; what lay there is as it was
   */
  public static Path write(Path file, Content content) throws IOException {
    sweep(file);
    Path part = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + PART);
    OWN.add(part.getFileName());
    try (FileChannel channel =
            FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
      lock(channel);
      if (Files.notExists(part)) {
        // Another took it for one that was left, in the moment before it was locked.
        return write(file, content);
      }
      content.write(out);
      out.flush();
      return Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      // On a full disk half a file takes room and helps nobody.
      Files.deleteIfExists(part);
      throw failure(file, e);
    } finally {
      OWN.remove(part.getFileName());
    }
  }

  /**
   * Writes text where the user says: to a file that is whole or not at all, or into what is none,
   * as a pipe or a terminal, and through a link.
   *
   * @throws IOException if it cannot be written
   */
  public static void writeAsked(Path place, String text) throws IOException {
    if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(place, LinkOption.NOFOLLOW_LINKS)) {
      Files.writeString(place, text);
    } else {
      write(place, text);
    }
  }

  /** The failure of a part or of a step on the way, told of the file that is not there now. */
  public static FileSystemException failure(Path file, IOException cause) {
    String name = file.toString();
    return switch (cause) {
      case AccessDeniedException e -> new AccessDeniedException(name);
      case NoSuchFileException e -> new NoSuchFileException(name);
      case FileSystemException e when e.getReason() != null ->
          new FileSystemException(name, null, e.getReason());
      default -> new FileSystemException(name, null, cause.getMessage());
    };
  }

  /** Where a file system knows no locks, nothing is ever taken away. */
  private static void lock(FileChannel channel) {
    try {
      channel.lock();
    } catch (IOException | OverlappingFileLockException e) {
      return;
    }
  }

  private static void sweep(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, "*" + PART)) {
      for (Path part : parts) {
        Matcher name = PART_OF.matcher(part.getFileName().toString());
        if (name.matches() && name.group(1).equals(file.getFileName().toString())) {
          deleteIfLeft(part);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // The file is no worse for what lies beside it.
      return;
    }
  }

  /** Deletes it under its writer's lock. To close a file of our own would end our lock on it. */
  private static void deleteIfLeft(Path part) {
    if (OWN.contains(part.getFileName()) || !Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        Files.deleteIfExists(part);
      }
    } catch (IOException | OverlappingFileLockException e) {
      return;
    }
  }
}
