package tallystick.cli;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** What a failure of the world is called for a reader. */
final class FailureWords {
  private FailureWords() {}

  /** Java's message of a file that cannot be used is often its name alone. */
  static String of(Exception failure) {
    Throwable cause = failure instanceof UncheckedIOException ? failure.getCause() : failure;
    return switch (cause) {
      case AccessDeniedException e -> e.getFile() + ": permission denied";
      case NoSuchFileException e -> e.getFile() + ": there is no such file, or no folder for it";
      case FileAlreadyExistsException e -> e.getFile() + ": something else is there already";
      default -> plain(String.valueOf(failure.getMessage()));
    };
  }

  /** The system's word for a full disk says neither what to do nor, mostly, where. */
  static String plain(String message) {
    return message.replace(
        "No space left on device", "the disk is full: make room on it, or write to another folder");
  }
}
