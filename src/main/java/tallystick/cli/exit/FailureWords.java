package tallystick.cli.exit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** What a failure of the world is called for a reader. */
public final class FailureWords {
  private static final String FULL = "No space left on device";

  /** More than any file that is taken away again when it does not fit. */
  private static final long LEAST_ROOM_BYTES = 16 << 20;

  private FailureWords() {}

  /** The failure in one line, with the file that it is about. */
  public static String of(Exception failure) {
    Throwable cause = failure instanceof UncheckedIOException ? failure.getCause() : failure;
    return cause instanceof FileSystemException file
        ? file.getFile() + ": " + reason(file)
        : plain(String.valueOf(failure.getMessage()));
  }

  /** Java's message of a file that cannot be used is often its name alone. */
  public static String reason(FileSystemException failure) {
    return switch (failure) {
      case AccessDeniedException e -> "permission denied";
      case NoSuchFileException e -> absent(Path.of(e.getFile()));
      case FileAlreadyExistsException e -> "something else is there already";
      case NotDirectoryException e -> "it is not a folder";
      case DirectoryNotEmptyException e -> "the folder is not empty";
      case FileSystemException e when e.getReason() == null -> "the system does not say why";
      case FileSystemException e -> plain(e.getReason(), Path.of(e.getFile()));
    };
  }

  /** A file that should have been written lacks its folder. */
  private static String absent(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return folder == null || Files.isDirectory(folder)
        ? "there is no such file"
        : "there is no such file, and no folder " + folder;
  }

  /** The system's word for a full disk says neither what to do nor, mostly, where. */
  public static String plain(String message) {
    return message.replace(
        FULL, "the disk is full: make room on it, or write to another folder");
  }

  /** A disk that has room and takes no more files has the same word. */
  public static String plain(String message, Path where) {
    return hasRoom(where)
        ? message.replace(
            FULL,
            "the disk has room but takes no more files (df -i): delete some, or write to another"
                + " folder")
        : plain(message);
  }

  private static boolean hasRoom(Path where) {
    Path there = where.toAbsolutePath();
    while (there.getParent() != null && !Files.exists(there)) {
      there = there.getParent();
    }
    try {
      return Files.getFileStore(there).getUsableSpace() > LEAST_ROOM_BYTES;
    } catch (IOException e) {
      return false;
    }
  }
}
