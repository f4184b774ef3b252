package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every place that a document, a comment or a script points to is there. */
class DocumentsTest {
  private static final Path ROOT = Path.of("");
  private static final Path ROOMS = Path.of("src/main/java/tallystick");
  private static final Path CONTRIBUTING = Path.of("CONTRIBUTING.md");
  private static final Path DECISIONS = Path.of("docs/decisions");
  private static final Set<String> PASSED_OVER = Set.of("target", "reports", ".git", ".gatling");
  private static final List<String> TEXTS =
      List.of(".md", ".java", ".py", ".sh", ".yaml", ".properties", ".txt", ".tsv");
  private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```[^\\n]*$");
  private static final Pattern SHELL = Pattern.compile("(?ms)^```sh[^\\n]*\\n(.*?)^```$");
  private static final Pattern CODE = Pattern.compile("`[^`\\n]*`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");
  private static final Pattern NAMED = Pattern.compile("<a id=\"([^\"]+)\"></a>");
  private static final Pattern JAVA_FILE = Pattern.compile("`([a-z][\\w/]*/[A-Z]\\w*\\.java)`");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|IT))(?:#\\w+)?`");
  private static final Pattern MENTION =
      Pattern.compile("\\b(?:docs|bench|scenarios)/[\\w./-]*\\.md(?:#[\\w-]+)?");

  private final Map<Path, Set<String>> anchors = new HashMap<>();

  @Test
  void everyRelativeLinkOfADocumentResolves() throws IOException {
    List<String> faults = new ArrayList<>();
    for (Path document : filesEndingWith(List.of(".md"))) {
      String prose = CODE.matcher(FENCE.matcher(Files.readString(document)).replaceAll(""))
          .replaceAll("");
      for (Matcher link = LINK.matcher(prose); link.find(); ) {
        String target = link.group(1);
        if (!target.matches("[a-z]+:.*") && !isThere(besides(document, target), target)) {
          faults.add(document + " links to " + target);
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  /**
   * An interactive zsh knows no comments: only our own command takes their words for nothing, and
   * the shell must find no sign of its own among them.
   */
  @Test
  void everyCommandWithACommentCanBeTypedInZsh() throws IOException {
    List<String> faults = new ArrayList<>();
    for (Path document : filesEndingWith(List.of(".md"))) {
      for (Matcher shell = SHELL.matcher(Files.readString(document)); shell.find(); ) {
        shell.group(1).lines()
            .filter(line -> line.matches("(.* )?# .*"))
            .filter(line -> !line.matches("\\./tally .* # [\\w ,.:%-]+"))
            .forEach(line -> faults.add(document + ": " + line));
      }
    }
    assertThat(faults).isEmpty();
  }

  @Test
  void everyTestThatADocumentNamesExists() throws IOException {
    Set<String> tests = new HashSet<>();
    filesEndingWith(List.of("Test.java", "IT.java"))
        .forEach(file -> tests.add(file.getFileName().toString().replace(".java", "")));
    List<String> faults = new ArrayList<>();
    for (Path document : filesEndingWith(List.of(".md"))) {
      for (Matcher test = TEST.matcher(Files.readString(document)); test.find(); ) {
        if (!tests.contains(test.group(1))) {
          faults.add(document + " names " + test.group(1));
        }
      }
    }
    assertThat(tests).hasSizeGreaterThan(100);
    assertThat(faults).isEmpty();
  }

  @Test
  void everyDocumentThatATextNamesExists() throws IOException {
    List<String> faults = new ArrayList<>();
    for (Path file : filesEndingWith(TEXTS)) {
      if (file.startsWith("src/test/resources/golden")) {
        continue; // What made-up findings said.
      }
      for (Matcher mention = MENTION.matcher(Files.readString(file)); mention.find(); ) {
        String target = mention.group();
        if (!isThere(Path.of(target.replaceFirst("#.*", "")), target)) {
          faults.add(file + " names " + target);
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  @Test
  void decisionsCarryTheNameOfTheirRoomAndStandInTheIndex() throws IOException {
    String index = Files.readString(DECISIONS.resolve("README.md"));
    List<String> faults = new ArrayList<>();
    try (Stream<Path> files = Files.list(DECISIONS)) {
      for (String name : files.map(file -> file.getFileName().toString()).sorted().toList()) {
        String room = name.replaceFirst("-.*", "");
        boolean known = room.equals("build") || Files.isDirectory(roomOf(room));
        if (!name.equals("README.md") && !known) {
          faults.add(name + " begins with no room");
        }
        if (!name.equals("README.md") && !index.contains("](" + name + ")")) {
          faults.add(name + " is not in the index");
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  @Test
  void everyRoomHasItsQuestionInTheTableOfContributors() throws IOException {
    String text = read(CONTRIBUTING);
    List<String> faults = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOMS)) {
      for (Path info : files.filter(f -> f.endsWith("package-info.java")).sorted().toList()) {
        String room = ROOMS.relativize(info.getParent()).toString().replace('/', '.');
        if (!text.contains("| `" + room + "` |")) {
          faults.add(room + " has no row in " + CONTRIBUTING);
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  @Test
  void everyFileThatARecipeNamesExists() {
    List<String> faults = new ArrayList<>();
    for (Matcher file = JAVA_FILE.matcher(read(CONTRIBUTING)); file.find(); ) {
      boolean isThere =
          Stream.of(ROOMS, Path.of("src/test/java/tallystick"))
              .anyMatch(top -> Files.exists(top.resolve(file.group(1))));
      if (!isThere) {
        faults.add(CONTRIBUTING + " names " + file.group(1));
      }
    }
    assertThat(faults).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "What a record cannot hold, what-a-record-cannot-hold",
    "Metrics from a `Prometheus`: why?, metrics-from-a-prometheus-why",
    "Step-by-step (again), step-by-step-again"
  })
  void anAnchorIsMadeAsTheRenderersMakeIt(String heading, String anchor) {
    assertThat(anchorOf(heading)).isEqualTo(anchor);
  }

  private boolean isThere(Path file, String target) {
    if (!Files.exists(file)) {
      return false;
    }
    int hash = target.indexOf('#');
    return hash < 0
        || anchors
            .computeIfAbsent(file, DocumentsTest::anchorsOf)
            .contains(target.substring(hash + 1));
  }

  private static Path besides(Path document, String target) {
    return target.startsWith("#")
        ? document
        : ROOT.resolve(document).resolveSibling(target.replaceFirst("#.*", "")).normalize();
  }

  private static Set<String> anchorsOf(Path file) {
    Set<String> found = new HashSet<>();
    String text = FENCE.matcher(read(file)).replaceAll("");
    Matcher heading = HEADING.matcher(text);
    while (heading.find()) {
      String anchor = anchorOf(heading.group(1));
      String once = anchor;
      for (int again = 1; !found.add(once); again++) {
        once = anchor + "-" + again;
      }
    }
    NAMED.matcher(text).results().forEach(name -> found.add(name.group(1)));
    return found;
  }

  private static String anchorOf(String heading) {
    return heading
        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }

  private static Path roomOf(String name) {
    return ROOMS.resolve(name);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> filesEndingWith(List<String> endings) throws IOException {
    try (Stream<Path> top = Files.list(Path.of("."))) {
      List<Path> found = new ArrayList<>();
      for (Path entry : top.filter(p -> !PASSED_OVER.contains(lastName(p))).sorted().toList()) {
        try (Stream<Path> files = Files.walk(entry)) {
          files
              .filter(Files::isRegularFile)
              .filter(file -> endings.stream().anyMatch(lastName(file)::endsWith))
              .map(Path::normalize)
              .sorted()
              .forEach(found::add);
        }
      }
      return found;
    }
  }

  private static String lastName(Path file) {
    return file.getFileName().toString();
  }
}
