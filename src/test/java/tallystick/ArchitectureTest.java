package tallystick;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the floor plan of docs/architecture.md: which room may use which. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("tallystick");

  private static final Map<String, Set<String>> NAMES = ClassGraph.read();

  /** Room → the rooms it may use. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("reach", Set.of()),
          Map.entry("scenario", Set.of("reach")),
          Map.entry("plan", Set.of("scenario")),
          Map.entry("runrecord", Set.of("scenario", "plan")),
          Map.entry("openai", Set.of("reach", "scenario", "plan", "runrecord")),
          Map.entry("scrape", Set.of("reach", "scenario", "plan", "runrecord")),
          Map.entry("tracing", Set.of("runrecord")),
          Map.entry("live", Set.of("runrecord")),
          Map.entry("gatling", Set.of("scenario", "plan", "runrecord", "openai")),
          Map.entry("simulations", Set.of("scenario", "plan", "runrecord", "gatling")),
          Map.entry(
              "run",
              Set.of(
                  "reach", "scenario", "plan", "runrecord", "scrape", "tracing", "live", "openai",
                  "gatling", "simulations")),
          Map.entry("promql", Set.of("scenario", "runrecord")),
          Map.entry("analysis", Set.of("scenario", "plan", "runrecord")),
          Map.entry("answer", Set.of("scenario", "plan", "runrecord", "analysis")),
          Map.entry(
              "alerting", Set.of("scenario", "plan", "runrecord", "promql", "analysis", "answer")),
          Map.entry(
              "report",
              Set.of(
                  "scenario", "plan", "runrecord", "analysis", "answer", "experiment")),
          Map.entry(
              "history", Set.of("scenario", "runrecord", "analysis", "answer", "experiment")),
          Map.entry("export", Set.of("scenario", "plan", "runrecord")),
          Map.entry("simengine", Set.of()),
          Map.entry("virtualrun", Set.of("scenario", "plan", "runrecord", "simengine")),
          Map.entry("shards", Set.of("scenario", "plan", "runrecord")),
          Map.entry("launch", Set.of()),
          Map.entry(
              "experiment",
              Set.of("scenario", "plan", "runrecord", "analysis", "answer", "alerting")),
          Map.entry(
              "cli",
              Set.of(
                  "reach", "scenario", "plan", "runrecord", "scrape", "run", "promql", "analysis",
                  "answer", "alerting", "report", "export", "simengine", "virtualrun", "experiment",
                  "history", "shards", "launch")));

  /** Library package → the rooms it may be used in. */
  private static final Map<String, Set<String>> LIBRARIES =
      Map.ofEntries(
          Map.entry("com.fasterxml.jackson.dataformat.yaml", Set.of("scenario", "alerting")),
          Map.entry("org.apache.hadoop", Set.of("export")),
          Map.entry("org.apache.parquet", Set.of("export")),
          Map.entry("okhttp3", Set.of("openai", "scrape")),
          Map.entry("io.gatling", Set.of("gatling", "simulations")),
          Map.entry("scala", Set.of("gatling", "simulations")),
          Map.entry(
              "org.apache.commons.math3", Set.of("analysis", "alerting", "experiment")),
          Map.entry("org.HdrHistogram", Set.of("analysis", "simengine")),
          Map.entry("io.opentelemetry.proto", Set.of("tracing", "live")),
          Map.entry("com.google.protobuf", Set.of("tracing", "live")),
          Map.entry("io.prometheus", Set.of("live")),
          Map.entry("com.google.re2j", Set.of("promql")),
          Map.entry("io.vertx", Set.of("simengine")),
          Map.entry("picocli", Set.of("cli")));

  /** Statistics and the judge of a request, which no room must have twice. */
  private static final Set<String> SHARED =
      Set.of(
          "tallystick.analysis.statistics.BlockBootstrap",
          "tallystick.analysis.statistics.Isotonic",
          "tallystick.analysis.statistics.LeastSquares",
          "tallystick.analysis.statistics.Proportion",
          "tallystick.analysis.statistics.SampleSet",
          "tallystick.analysis.statistics.GrowthTrend",
          "tallystick.analysis.statistics.LevelChanges",
          "tallystick.analysis.statistics.LevelChanges$Rule",
          "tallystick.analysis.statistics.LevelChanges$Split",
          "tallystick.analysis.client.ObjectiveReading",
          "tallystick.analysis.client.SampleConsumer");

  /** Room inside analysis → those beside it that it may use; none uses the room around them. */
  private static final Map<String, Set<String>> INSIDE_ANALYSIS =
      Map.of(
          "result", Set.of(),
          "statistics", Set.of("result"),
          "client", Set.of("result", "statistics"),
          "engine", Set.of("result", "statistics", "client"),
          "exporters", Set.of("result", "statistics", "client", "engine"),
          "change", Set.of("result", "statistics", "client", "engine"));

  /** Room inside alerting → those beside it that it may use; the files it reads lie around them. */
  private static final Map<String, Set<String>> INSIDE_ALERTING =
      Map.of(
          "lint", Set.of(),
          "derivation", Set.of(),
          "backtest", Set.of("derivation"),
          "rules", Set.of("derivation"),
          "watch", Set.of("derivation", "backtest", "rules"),
          "review", Set.of("derivation", "backtest", "rules"),
          "writing", Set.of("derivation", "backtest", "rules", "review"));

  /**
   * Room inside experiment → those beside it that it may use; what all share lies around them. A
   * room that is not here may use none, so that a new experiment needs no line.
   */
  private static final Map<String, Set<String>> INSIDE_EXPERIMENT =
      Map.of("capacity", Set.of("fit"), "tune", Set.of("regress"));

  /** Room inside report → those beside it that it may use; none uses the room around them. */
  private static final Map<String, Set<String>> INSIDE_REPORT =
      Map.of(
          "markup", Set.of(),
          "picture", Set.of("markup"),
          "section", Set.of("markup", "picture"),
          "writing", Set.of("markup", "picture"),
          "screen", Set.of("markup", "section", "writing"));

  /** Room inside answer → those beside it that it may use; words are below what is said. */
  private static final Map<String, Set<String>> INSIDE_ANSWER =
      Map.of("words", Set.of(), "chart", Set.of("answer"));

  /** Room inside cli → those beside it that it may use; none uses the room around them. */
  private static final Map<String, Set<String>> INSIDE_CLI =
      Map.of(
          "exit", Set.of(),
          "terminal", Set.of(),
          "option", Set.of(),
          "help", Set.of("option", "exit"),
          "run", Set.of("option", "exit", "terminal"),
          "launch", Set.of("option", "exit"),
          "alerting", Set.of("option", "exit", "terminal", "run"),
          "experiment", Set.of("option", "exit", "terminal", "run", "alerting"));

  private static final Pattern MAY_USE_LINE =
      Pattern.compile("May use:(.*?)<p>Never:", Pattern.DOTALL);
  private static final Pattern ROOM_NAME = Pattern.compile("[a-z]+(\\.[a-z]+)*");

  static List<String> roomsInsideAnalysis() {
    return INSIDE_ANALYSIS.keySet().stream().sorted().toList();
  }

  static List<String> roomsInsideAlerting() {
    return INSIDE_ALERTING.keySet().stream().sorted().toList();
  }

  static List<String> roomsInsideExperiment() throws IOException {
    try (Stream<Path> rooms = Files.list(Path.of("src/main/java/tallystick/experiment"))) {
      return rooms.filter(Files::isDirectory).map(room -> room.getFileName().toString())
          .sorted().toList();
    }
  }

  static List<String> roomsInsideReport() {
    return INSIDE_REPORT.keySet().stream().sorted().toList();
  }

  static List<String> roomsInsideAnswer() {
    return INSIDE_ANSWER.keySet().stream().sorted().toList();
  }

  static List<String> roomsInsideCli() {
    return INSIDE_CLI.keySet().stream().sorted().toList();
  }

  static List<String> rooms() {
    return MAY_USE.keySet().stream().sorted().toList();
  }

  static List<String> libraries() {
    return LIBRARIES.keySet().stream().sorted().toList();
  }

  @ParameterizedTest
  @MethodSource("rooms")
  void aRoomUsesOnlyTheRoomsItMay(String room) {
    String[] forbidden =
        rooms().stream()
            .filter(other -> !other.equals(room) && !MAY_USE.get(room).contains(other))
            .map(other -> "tallystick." + other + "..")
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage("tallystick." + room + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(forbidden)
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void aLibraryStaysInItsRooms(String library) {
    String[] allowed =
        LIBRARIES.get(library).stream()
            .map(room -> "tallystick." + room + "..")
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideOutsideOfPackages(allowed)
        .should()
        .dependOnClassesThat(inside(library))
        .check(CLASSES);
  }

  @ParameterizedTest
  @MethodSource("roomsInsideAnalysis")
  void aRoomInsideAnalysisUsesOnlyThoseItMay(String room) {
    usesBesideIt("analysis", room, INSIDE_ANALYSIS.get(room), Set.of());
  }

  @ParameterizedTest
  @MethodSource("roomsInsideAlerting")
  void aRoomInsideAlertingUsesOnlyThoseItMay(String room) {
    usesBesideIt("alerting", room, INSIDE_ALERTING.get(room), Set.of("alerting"));
  }

  @ParameterizedTest
  @MethodSource("roomsInsideExperiment")
  void aRoomInsideExperimentUsesOnlyThoseItMay(String room) {
    usesBesideIt(
        "experiment", room, INSIDE_EXPERIMENT.getOrDefault(room, Set.of()), Set.of("experiment"));
  }

  @ParameterizedTest
  @MethodSource("roomsInsideReport")
  void aRoomInsideReportUsesOnlyThoseItMay(String room) {
    usesBesideIt("report", room, INSIDE_REPORT.get(room), Set.of());
  }

  @ParameterizedTest
  @MethodSource("roomsInsideAnswer")
  void aRoomInsideAnswerUsesOnlyThoseItMay(String room) {
    usesBesideIt("answer", room, INSIDE_ANSWER.get(room), INSIDE_ANSWER.get(room));
  }

  @ParameterizedTest
  @MethodSource("roomsInsideCli")
  void aRoomInsideCliUsesOnlyThoseItMay(String room) {
    usesBesideIt("cli", room, INSIDE_CLI.get(room), Set.of());
  }

  @Test
  void otherRoomsSeeReportsAndScreens() {
    noClasses()
        .that()
        .resideOutsideOfPackages("tallystick.report..")
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "reside inside report",
                type ->
                    type.getPackageName().startsWith("tallystick.report.")
                        && !type.getPackageName().equals("tallystick.report.screen")))
        .check(CLASSES);
  }

  private static void usesBesideIt(
      String around, String room, Set<String> beside, Set<String> also) {
    noClasses()
        .that()
        .resideInAPackage("tallystick." + around + "." + room)
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "reside in other rooms of " + around,
                type ->
                    type.getPackageName().startsWith("tallystick." + around)
                        && !type.getPackageName().equals("tallystick." + around + "." + room)
                        && !beside.contains(lastName(type.getPackageName()))
                        && !also.contains(lastName(type.getPackageName()))))
        .check(CLASSES);
  }

  @Test
  void otherRoomsSeeTheAnalyzerAndItsResults() {
    Set<String> seen = Set.of("tallystick.analysis", "tallystick.analysis.result");
    noClasses()
        .that()
        .resideOutsideOfPackages("tallystick.analysis..")
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "reside inside analysis",
                type ->
                    type.getPackageName().startsWith("tallystick.analysis")
                        && !seen.contains(type.getPackageName())
                        && !SHARED.contains(type.getFullName())))
        .check(CLASSES);
  }

  @Test
  void mayUseLinesNameWhatIsUsedAndNothingElse() throws IOException {
    List<String> faults = new ArrayList<>();
    for (String room : packages()) {
      Path file = Path.of("src/main/java/tallystick", room.replace('.', '/'), "package-info.java");
      if (!Files.exists(file)) {
        continue;
      }
      Set<String> used = usedBy(room);
      Set<String> named = namedIn(Files.readString(file));
      for (String other : used) {
        if (named.stream().noneMatch(name -> covers(name, other)) && !covers(room, other)) {
          faults.add(room + " uses " + other + " and does not say so");
        }
        String around = firstName(other);
        if (!firstName(room).equals(around) && !MAY_USE.get(firstName(room)).contains(around)) {
          faults.add(room + " names " + other + " and must not, not even for a constant");
        }
      }
      for (String name : named) {
        if (used.stream().noneMatch(other -> covers(name, other))) {
          faults.add(room + " says that it may use " + name + " and does not");
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  private static Set<String> packages() {
    return CLASSES.stream()
        .map(ArchitectureTest::roomOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> usedBy(String room) {
    return NAMES.entrySet().stream()
        .filter(type -> roomOf(type.getKey()).equals(room))
        .flatMap(type -> type.getValue().stream())
        .map(ArchitectureTest::roomOf)
        .filter(other -> !other.equals(room))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> namedIn(String text) {
    Set<String> known = packages();
    Matcher line = MAY_USE_LINE.matcher(text);
    return line.find()
        ? ROOM_NAME
            .matcher(line.group(1))
            .results()
            .map(MatchResult::group)
            .filter(known::contains)
            .collect(Collectors.toCollection(TreeSet::new))
        : Set.of();
  }

  private static boolean covers(String name, String room) {
    return room.equals(name) || room.startsWith(name + ".");
  }

  private static String roomOf(JavaClass type) {
    return type.getPackageName().substring("tallystick.".length());
  }

  private static String roomOf(String type) {
    return type.substring(0, type.lastIndexOf('.'));
  }

  private static String firstName(String room) {
    return room.replaceAll("\\..*", "");
  }

  private static String lastName(String packageName) {
    return packageName.substring(packageName.lastIndexOf('.') + 1);
  }

  @Test
  void roomsFormNoCycle() {
    slices().matching("tallystick.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void everyPackageIsARoomOfThePlan() {
    List<String> strangers =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .distinct()
            .filter(name -> Arrays.stream(name.split("\\.")).skip(1).findFirst().isPresent())
            .filter(name -> !MAY_USE.containsKey(name.split("\\.")[1]))
            .toList();
    if (!strangers.isEmpty()) {
      throw new AssertionError("packages outside the floor plan: " + strangers);
    }
  }

  private static DescribedPredicate<JavaClass> inside(String library) {
    return DescribedPredicate.describe(
        "reside in " + library, type -> (type.getPackageName() + ".").startsWith(library + "."));
  }
}
