package tallystick.cli;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What a failure of the world is called for a reader. */
final class FailureWords {
  private FailureWords() {}

  static String of(Exception failure) {
    Throwable cause = failure instanceof UncheckedIOException ? failure.getCause() : failure;
    return cause instanceof FileSystemException file
        ? file.getFile() + ": " + reason(file)
        : plain(String.valueOf(failure.getMessage()));
  }

  /** Java's message of a file that cannot be used is often its name alone. */
  static String reason(FileSystemException failure) {
    return switch (failure) {
      case AccessDeniedException e -> "permission denied";
      case NoSuchFileException e -> "there is no such file, or no folder for it";
      case FileAlreadyExistsException e -> "something else is there already";
      case FileSystemException e when e.getReason() == null -> e.getClass().getSimpleName();
      case FileSystemException e -> plain(e.getReason());
    };
  }

  /** The system's word for a full disk says neither what to do nor, mostly, where. */
  static String plain(String message) {
    return message.replace(
        "No space left on device", "the disk is full: make room on it, or write to another folder");
  }
}
