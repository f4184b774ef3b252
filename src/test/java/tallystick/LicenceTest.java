package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every jar on the class path has a licence that goes with Apache-2.0, and none is for nothing. */
class LicenceTest {
  /** Of a jar with several licences one is chosen. */
  private static final Pattern GOOD =
      Pattern.compile(
          "(?i).*(apache|\\bapl2|\\bmit\\b|bsd|eclipse public|\\bepl|eclipse distribution|cc0"
              + "|\\bgo license|classpath.exception).*");

  private static final Pattern LICENCE =
      Pattern.compile("(?s)<license>.*?<name>([^<]*)</name>.*?</license>");
  private static final Pattern PARENT = Pattern.compile("(?s)<parent>(.*?)</parent>");
  private static final int MOST_PARENTS = 8;

  @Test
  void everyJarHasALicenceThatGoesWithOurs() throws IOException {
    List<String> faults = new ArrayList<>();
    List<Path> jars = ClassPathJars.all();
    for (Path jar : jars) {
      List<String> licences = licences(pomBeside(jar), repository(jar));
      if (licences.stream().noneMatch(name -> GOOD.matcher(name).matches())) {
        faults.add(jar.getFileName() + " has " + licences);
      }
    }
    assertThat(faults).isEmpty();
    assertThat(jars).hasSizeGreaterThan(50);
  }

  /** Gatling brings parts that no simulation here uses; its charts have a licence of their own. */
  @Test
  void noJarIsThereThatARunNeverLoads() {
    assertThat(ClassPathJars.all())
        .extracting(jar -> jar.getFileName().toString())
        .noneMatch(
            name ->
                name.matches(
                    "(?i).*(highcharts|jms|jdbc|redis|saxon|xmlresolver|brotli4j|scala-reflect"
                        + "|gatling-http|pebble|unbescape|lagarto|jmespath"
                        + "|osx|macos|windows).*"));
  }

  private static Path pomBeside(Path jar) throws IOException {
    try (Stream<Path> files = Files.list(jar.getParent())) {
      return files.filter(file -> file.toString().endsWith(".pom")).findFirst().orElseThrow();
    }
  }

  /** The folder that Maven keeps its artifacts in, group by group. */
  private static Path repository(Path jar) {
    Path folder = jar.getParent();
    while (folder != null && !folder.endsWith("repository")) {
      folder = folder.getParent();
    }
    return folder == null ? jar.getParent() : folder;
  }

  private static List<String> licences(Path pom, Path repository) throws IOException {
    Path next = pom;
    for (int i = 0; i < MOST_PARENTS && Files.exists(next); i++) {
      String text = Files.readString(next).replaceAll("(?s)<!--.*?-->", "");
      List<String> names = LICENCE.matcher(text).results().map(m -> m.group(1).strip()).toList();
      if (!names.isEmpty()) {
        return names;
      }
      Optional<Path> parent = parent(text, repository);
      if (parent.isEmpty()) {
        return List.of();
      }
      next = parent.get();
    }
    return List.of();
  }

  private static Optional<Path> parent(String pom, Path repository) {
    Matcher parent = PARENT.matcher(pom);
    if (!parent.find()) {
      return Optional.empty();
    }
    String artifact = part(parent.group(1), "artifactId");
    String version = part(parent.group(1), "version");
    return Optional.of(
        repository
            .resolve(part(parent.group(1), "groupId").replace('.', '/'))
            .resolve(artifact)
            .resolve(version)
            .resolve(artifact + "-" + version + ".pom"));
  }

  private static String part(String parent, String tag) {
    return parent.replaceAll("(?s).*<" + tag + ">\\s*(.*?)\\s*</" + tag + ">.*", "$1");
  }
}
