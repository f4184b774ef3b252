package tallystick;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the floor plan of docs/architecture.md: which room may use which. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("tallystick");

  /** Room → the rooms it may use. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("scenario", Set.of()),
          Map.entry("plan", Set.of("scenario")),
          Map.entry("runrecord", Set.of("scenario", "plan")),
          Map.entry("openai", Set.of("scenario", "plan", "runrecord")),
          Map.entry("scrape", Set.of("scenario", "plan", "runrecord")),
          Map.entry("tracing", Set.of("runrecord")),
          Map.entry("gatling", Set.of("scenario", "plan", "runrecord", "openai")),
          Map.entry("simulations", Set.of("scenario", "plan", "runrecord", "gatling")),
          Map.entry(
              "run",
              Set.of(
                  "scenario", "plan", "runrecord", "scrape", "tracing", "openai", "gatling",
                  "simulations")),
          Map.entry("analysis", Set.of("scenario", "plan", "runrecord")),
          Map.entry("alerting", Set.of("scenario", "plan", "runrecord", "analysis")),
          Map.entry("report", Set.of("scenario", "plan", "runrecord", "analysis", "alerting")),
          Map.entry("export", Set.of("scenario", "plan", "runrecord")),
          Map.entry("simengine", Set.of()),
          Map.entry("virtualrun", Set.of("scenario", "plan", "runrecord", "simengine")),
          Map.entry(
              "cli",
              Set.of(
                  "scenario", "plan", "runrecord", "scrape", "run", "analysis", "alerting",
                  "report", "export", "simengine", "virtualrun")));

  /** Library package → the rooms it may be used in. */
  private static final Map<String, Set<String>> LIBRARIES =
      Map.ofEntries(
          Map.entry("com.fasterxml.jackson.dataformat.yaml", Set.of("scenario", "alerting")),
          Map.entry("org.apache.hadoop", Set.of("export")),
          Map.entry("org.apache.parquet", Set.of("export")),
          Map.entry("okhttp3", Set.of("openai", "scrape")),
          Map.entry("io.gatling", Set.of("gatling", "simulations")),
          Map.entry("scala", Set.of("gatling", "simulations")),
          Map.entry("org.apache.commons.math3", Set.of("analysis", "alerting")),
          Map.entry("org.HdrHistogram", Set.of("analysis", "simengine")),
          Map.entry("io.opentelemetry.proto", Set.of("tracing")),
          Map.entry("com.google.protobuf", Set.of("tracing")),
          Map.entry("io.vertx", Set.of("simengine")),
          Map.entry("picocli", Set.of("cli")));

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
