package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Choice;

/** Holds the line rules of CONTRIBUTING.md. */
class TidyTest {
  private static final int FILE_LIMIT = 600;
  private static final int LINE_LIMIT = 100;
  private static final int METHOD_LIMIT = 50;
  private static final Pattern FORBIDDEN_NAME =
      Pattern.compile("(Manager|Helper|Util|Utils|Common|Base|Impl|Processor|Info|Data|Service)$");
  private static final Pattern METHOD_HEAD =
      Pattern.compile(
          "^ {2,6}(?!return|new|else|throw|case|@\\w+\\([^()]*\\)$)[A-Za-z@<][^;=]*\\([^;]*$");
  private static final Pattern OPEN_TO_LOCALES =
      Pattern.compile(
          "to(Lower|Upper)Case\\(\\)|String\\.format\\(\\s*(?!\\s*(java\\.util\\.)?Locale)"
              + "|\\bprintf\\((?!\\s*Locale)|NumberFormat\\.get|new DecimalFormat\\(");
  private static final String LITERALS = "(?:\"(?:[^\"\\\\\\n]|\\\\.)*\"[\\s)+]*)+";
  private static final Pattern FORMATTED = Pattern.compile(LITERALS + "\\.formatted\\(");
  private static final Pattern NUMBER_IN_FORM = Pattern.compile("%[-+ 0-9,.$(#]*[dfeEgGa]");
  private static final Pattern BEGINS_NEUTRAL =
      Pattern.compile("[^{]*\\{\\s*(//[^\\n]*\\s*)*Locale\\.setDefault\\(Locale\\.ROOT\\);");
  private static final Pattern COMPARED =
      Pattern.compile(
          "\\b(?:equals|equalsIgnoreCase|startsWith|endsWith|contains|contentEquals)\\(\\s*"
              + "\"([^\"]*)\"|(?:\\bcase\\s|\\G,)\\s*\"([^\"]*)\"|\"([^\"]*)\"\\.equals\\(");

  /** Readers of files, protocols, PromQL and the command line: their words are none of ours. */
  private static final Set<String> READERS =
      Set.of(
          "Aggregations", "ChunkJson", "DoctorCommand", "FamilyTypes", "RequestRowJson",
          "ThresholdChecks");

  private static final Set<String> TOP_LEVEL_FILES =
      Set.of(
          "action.yml", "CHANGELOG.md", "CONTRIBUTING.md", "Dockerfile", "LICENSE", "pom.xml",
          "README.md", "SECURITY.md", "tally");

  private static final Pattern CLASS_IN_DOC = Pattern.compile("`([A-Z][A-Za-z]+[a-z])`");

  @Test
  void filesLinesAndMethodsKeepTheirLimits() throws IOException {
    List<String> faults = new ArrayList<>();
    for (Path file : javaFiles()) {
      List<String> lines = Files.readAllLines(file);
      if (lines.size() > FILE_LIMIT) {
        faults.add(file + " has " + lines.size() + " lines, the limit is " + FILE_LIMIT);
      }
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        boolean unbreakable = line.startsWith("import ") || line.contains("http");
        if (line.length() > LINE_LIMIT && !unbreakable) {
          faults.add(file + ":" + (i + 1) + " is " + line.length() + " columns wide");
        }
        if (line.contains("\t")) {
          faults.add(file + ":" + (i + 1) + " has a tab");
        }
      }
      faults.addAll(longMethods(file, lines));
    }
    assertThat(faults).isEmpty();
  }

  @Test
  void typeNamesSayWhatTheyAre() throws IOException {
    List<String> faults =
        javaFiles().stream()
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .filter(name -> FORBIDDEN_NAME.matcher(name).find())
            .toList();
    assertThat(faults).isEmpty();
  }

  @Test
  void everyRoomOpensWithItsFourLines() throws IOException {
    List<String> faults = new ArrayList<>();
    try (Stream<Path> rooms = Files.list(Path.of("src/main/java/tallystick"))) {
      for (Path room : rooms.filter(Files::isDirectory).toList()) {
        Path info = room.resolve("package-info.java");
        String text = Files.exists(info) ? Files.readString(info) : "";
        for (String word : List.of("Takes:", "Gives:", "May use:", "Never:")) {
          if (!text.contains(word)) {
            faults.add(info + " lacks the line " + word);
          }
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  @Test
  void documentsNameOnlyClassesThatExist() throws IOException {
    List<String> known =
        javaFiles().stream()
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .toList();
    String allCode = String.join("\n", javaFiles().stream().map(TidyTest::read).toList());
    List<String> faults = new ArrayList<>();
    List<Path> documents = new ArrayList<>(filesUnder("docs", ".md"));
    documents.add(Path.of("README.md"));
    documents.add(Path.of("CONTRIBUTING.md"));
    for (Path document : documents) {
      Matcher matcher = CLASS_IN_DOC.matcher(Files.readString(document));
      while (matcher.find()) {
        String name = matcher.group(1);
        if (!known.contains(name) && !allCode.contains(name)) {
          faults.add(document + " names " + name);
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  /** The file list is the architecture: a file that a tool left behind is not part of it. */
  @Test
  void theTopLevelHoldsOnlyTheFilesNamedHere() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(""))) {
      List<String> names =
          all.filter(Files::isRegularFile)
              .map(Path::toString)
              .filter(name -> !name.startsWith("."))
              .toList();
      assertThat(names).containsExactlyInAnyOrderElementsOf(TOP_LEVEL_FILES);
    }
  }

  @Test
  void noMarksAreLeftBehind() throws IOException {
    List<String> faults =
        javaFiles().stream()
            .filter(file -> !file.endsWith("TidyTest.java"))
            .filter(file -> Pattern.compile("\\b(TODO|FIXME|XXX)\\b").matcher(read(file)).find())
            .map(Path::toString)
            .toList();
    assertThat(faults).isEmpty();
  }

  /**
   * Digits and points of another locale make JSON invalid and thresholds wrong. {@code %s} writes a
   * count in plain digits; {@code formatted} with any other number asks the locale.
   */
  @Test
  void numbersAreWrittenInOneNeutralLocale() throws IOException {
    List<String> faults = new ArrayList<>();
    for (Path file : filesUnder("src/main/java", ".java")) {
      String text = read(file);
      Matcher open = OPEN_TO_LOCALES.matcher(text);
      while (open.find()) {
        faults.add(file + " lets the locale decide: " + open.group());
      }
      Matcher formatted = FORMATTED.matcher(text);
      while (formatted.find()) {
        if (NUMBER_IN_FORM.matcher(formatted.group()).find()) {
          faults.add(file + " lets the locale decide: " + formatted.group());
        }
      }
      int main = text.indexOf("public static void main(");
      if (main >= 0 && !BEGINS_NEUTRAL.matcher(text.substring(main)).lookingAt()) {
        faults.add(file + " must begin main with Locale.setDefault(Locale.ROOT)");
      }
    }
    assertThat(faults).isEmpty();
  }

  /** A closed choice is an enum: who compares its word again is not told of a new one. */
  @Test
  void noWordOfAClosedChoiceIsComparedAsText() throws IOException {
    Set<String> words = wordsOfChoices();
    assertThat(words).contains("not_explained", "TTFT", "prompt tokens from the prefix cache");
    List<String> faults = new ArrayList<>();
    for (Path file : filesUnder("src/main/java", ".java")) {
      if (READERS.contains(file.getFileName().toString().replace(".java", ""))) {
        continue;
      }
      Matcher matcher = COMPARED.matcher(read(file));
      while (matcher.find()) {
        Stream.of(matcher.group(1), matcher.group(2), matcher.group(3))
            .filter(words::contains)
            .forEach(word -> faults.add(file + " compares with \"" + word + "\""));
      }
    }
    assertThat(faults).isEmpty();
  }

  private static Set<String> wordsOfChoices() {
    return new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .importPackages("tallystick").stream()
            .filter(type -> type.isAssignableTo(Choice.class))
            .map(JavaClass::reflect)
            .filter(Class::isEnum)
            .flatMap(type -> Stream.of(type.getEnumConstants()))
            .map(Choice.class::cast)
            .flatMap(choice -> Stream.of(choice.name(), choice.code(), choice.words()))
            .filter(word -> !word.isEmpty())
            .collect(Collectors.toSet());
  }

  private static List<String> longMethods(Path file, List<String> lines) {
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (!METHOD_HEAD.matcher(lines.get(i)).find() || !opensABody(lines, i)) {
        continue;
      }
      String closing = lines.get(i).replaceAll("\\S.*", "") + "}";
      int end = i;
      while (end < lines.size() && !lines.get(end).equals(closing)) {
        end++;
      }
      if (end - i + 1 > METHOD_LIMIT) {
        faults.add(file + ":" + (i + 1) + " is a method of " + (end - i + 1) + " lines");
      }
    }
    return faults;
  }

  private static boolean opensABody(List<String> lines, int head) {
    boolean isType = lines.get(head).matches(".*\\b(class|record|interface|enum)\\b.*");
    for (int i = head; !isType && i < Math.min(head + 16, lines.size()); i++) {
      if (lines.get(i).endsWith("{")) {
        return !lines.get(i).contains("->");
      }
      if (lines.get(i).endsWith(";") || lines.get(i).isBlank()) {
        return false;
      }
    }
    return false;
  }

  private static List<Path> javaFiles() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String root : List.of("src/main/java", "src/test/java", "simulations")) {
      files.addAll(filesUnder(root, ".java"));
    }
    return files;
  }

  private static List<Path> filesUnder(String root, String ending) throws IOException {
    if (!Files.isDirectory(Path.of(root))) {
      return List.of();
    }
    try (Stream<Path> walk = Files.walk(Path.of(root))) {
      return walk.filter(path -> path.toString().endsWith(ending)).sorted().toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
