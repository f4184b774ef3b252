package tallystick.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands that documents show: the lines of their fenced blocks marked {@code sh}. */
final class FencedCommands {
  /** Documents whose commands a user copies. */
  static final List<String> DOCUMENTS =
      List.of("README.md", "CONTRIBUTING.md", "scenarios/README.md", "docs");

  /** What a block may say after {@code sh needs}: why no test runs it. */
  static final List<String> REASONS = List.of("a cluster", "a real vLLM", "a Prometheus", "Maven");

  private static final String NEEDS = "sh needs ";
  private static final Pattern FENCE =
      Pattern.compile("(?ms)^ *```([^\\n`]*)\\n(.*?)^ *```[^\\n]*$");
  private static final Pattern EXIT = Pattern.compile("#.*?\\bexit code (\\d+)");
  private static final Pattern OURS = Pattern.compile("(?m)^ *\\./tally ");

  private FencedCommands() {}

  /**
   * One line that a user types, continued lines joined.
   *
   * @param text as it stands in the document, with its comment
   * @param label what the document's block says of itself: {@code sh run} runs with every build,
   *     {@code sh long} with {@code -Pdocuments}, {@code sh needs X} nowhere
   */
  record Shown(Path document, String text, String label) {

    boolean isQuick() {
      return label.equals("sh run");
    }

    boolean isRun() {
      return isQuick() || label.equals("sh long");
    }

    boolean saysWhyNot() {
      return label.startsWith(NEEDS) && REASONS.contains(label.substring(NEEDS.length()));
    }

    /** The exit code that the line's comment promises; 0 where it promises none. */
    int exitCode() {
      Matcher exit = EXIT.matcher(text);
      return exit.find() ? Integer.parseInt(exit.group(1)) : 0;
    }

    /** The simple commands of the line, each split into words as a shell would. */
    List<List<String>> commands() {
      return ShellWords.split(text.replaceAll("\\$[a-z]+", "1"));
    }

    @Override
    public String toString() {
      return document + ": " + text;
    }
  }

  static List<Shown> in(Path document) throws IOException {
    List<Shown> shown = new ArrayList<>();
    for (Matcher fence = FENCE.matcher(Files.readString(document)); fence.find(); ) {
      String label = fence.group(1).trim();
      if (label.equals("sh") || label.startsWith("sh ")) {
        String joined = fence.group(2).replaceAll("\\\\\\n *", " ");
        joined
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .forEach(line -> shown.add(new Shown(document, line, label)));
      }
    }
    return shown;
  }

  /** The texts of a document's blocks with this label. */
  static List<String> blocksIn(Path document, String label) throws IOException {
    return FENCE
        .matcher(Files.readString(document))
        .results()
        .filter(fence -> fence.group(1).trim().equals(label))
        .map(fence -> fence.group(2))
        .toList();
  }

  /** Blocks that show our command and are marked as something else. */
  static List<String> unmarkedIn(Path document) throws IOException {
    List<String> unmarked = new ArrayList<>();
    for (Matcher fence = FENCE.matcher(Files.readString(document)); fence.find(); ) {
      if (fence.group(1).isBlank() && OURS.matcher(fence.group(2)).find()) {
        unmarked.add(document + ": " + fence.group(2).lines().findFirst().orElse(""));
      }
    }
    return unmarked;
  }

  static List<Path> documents() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String name : DOCUMENTS) {
      try (var files = Files.walk(Path.of(name))) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(found::add);
      }
    }
    return found;
  }

  static List<Shown> all() throws IOException {
    List<Shown> shown = new ArrayList<>();
    for (Path document : documents()) {
      shown.addAll(in(document));
    }
    return shown;
  }
}
