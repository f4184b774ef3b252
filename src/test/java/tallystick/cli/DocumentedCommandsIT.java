package tallystick.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Follows each document in a folder of its own, from top to bottom. {@code
 * -Ddocument=docs/ci.md,tutorial} follows only this page and those whose path contains this word.
 */
class DocumentedCommandsIT {
  private static final List<String> ASKED =
      List.of(System.getProperty("document", "").split(","));

  @TempDir private Path folder;

  static List<Path> documentsWithQuickOnes() throws IOException {
    return documentsWith(FencedCommands.Shown::isQuick);
  }

  static List<Path> documents() throws IOException {
    return documentsWith(shown -> shown.isRun() && !shown.isQuick());
  }

  private static List<Path> documentsWith(Predicate<FencedCommands.Shown> kind)
      throws IOException {
    return FencedCommands.all().stream()
        .filter(kind)
        .map(FencedCommands.Shown::document)
        .filter(DocumentedCommandsIT::isAsked)
        .distinct()
        .toList();
  }

  /** README.md is a page, and a part of other pages' names. */
  private static boolean isAsked(Path document) {
    String path = document.toString();
    return ASKED.stream()
        .anyMatch(
            asked ->
                Files.isRegularFile(Path.of(asked)) ? path.equals(asked) : path.contains(asked));
  }

  @ParameterizedTest
  @MethodSource("documentsWithQuickOnes")
  void whatIsMarkedAsQuickRuns(Path document) throws Exception {
    follow(document, FencedCommands.Shown::isQuick);
  }

  @ParameterizedTest
  @MethodSource("documents")
  @Tag("documents")
  void allThatNeedsNothingElseRuns(Path document) throws Exception {
    follow(document, FencedCommands.Shown::isRun);
  }

  private void follow(Path document, Predicate<FencedCommands.Shown> which) throws Exception {
    long began = System.nanoTime();
    try (FollowedDocument followed = FollowedDocument.in(folder)) {
      for (FencedCommands.Shown shown : FencedCommands.in(document)) {
        if (which.test(shown)) {
          followed.type(shown);
        }
      }
    }
    System.out.println("Followed " + document + " in " + seconds(began) + " s");
  }

  private static long seconds(long sinceNanos) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - sinceNanos);
  }
}
