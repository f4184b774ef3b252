package tallystick.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RecordReader;

/** What engine an experiment measured: only its records know what a command started. */
public final class EngineWords {
  private static final String VERSION = "engine";

  private EngineWords() {}

  /**
   * A bench in words, with what the newest record that can be read tells beside them.
   *
   * @param words that the bench has for it
   * @param runs the folder of the runs' folders; it may be missing
   * @throws IOException if the folder cannot be listed
   */
  public static String of(String words, Path runs) throws IOException {
    if (!Files.isDirectory(runs)) {
      return words;
    }
    try (Stream<Path> folders = Files.list(runs)) {
      return folders
          .sorted(Comparator.reverseOrder())
          .map(EngineWords::manifest)
          .flatMap(Optional::stream)
          .findFirst()
          .map(manifest -> with(words, manifest))
          .orElse(words);
    }
  }

  private static String with(String words, Manifest manifest) {
    String version = manifest.versions().getOrDefault(VERSION, "");
    if (manifest.source().isSimulated() && TrustWords.simulated(words).isEmpty()) {
      return words + " (a simulated one)";
    }
    return version.isEmpty() || words.contains(version)
            || !TrustWords.simulated(words).isEmpty()
        ? words
        : words + " (version " + version + ")";
  }

  private static Optional<Manifest> manifest(Path folder) {
    try {
      return Optional.of(RecordReader.open(folder).manifest());
    } catch (IOException e) {
      // What an interrupted run left tells nothing; an older one may.
      return Optional.empty();
    }
  }
}
