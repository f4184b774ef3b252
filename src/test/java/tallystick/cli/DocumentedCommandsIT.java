package tallystick.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Follows each document in a folder of its own, from top to bottom. {@code -Ddocument=docs/ci.md}
 * follows only those whose path contains these words.
 */
class DocumentedCommandsIT {
  private static final String ASKED = System.getProperty("document", "");

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
        .filter(document -> document.toString().contains(ASKED))
        .distinct()
        .toList();
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
    try (FollowedDocument followed = FollowedDocument.in(folder)) {
      for (FencedCommands.Shown shown : FencedCommands.in(document)) {
        if (which.test(shown)) {
          followed.type(shown);
        }
      }
    }
  }
}
