package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What can be said of the container's recipe without a container. */
class ContainerRecipeTest {
  @Test
  void startsTheReleasesLauncherAsAUserWithoutRights() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("Dockerfile"));
    int user = lines.indexOf("USER 10001");
    assertThat(user).isGreaterThan(0);
    assertThat(lines.subList(user, lines.size())).noneMatch(line -> line.startsWith("RUN"));
    assertThat(lines).contains("ENTRYPOINT [\"/opt/tallystick/tally\"]");
  }

  @Test
  void unpacksTheZipThatTheReleaseMakes() throws IOException {
    String release = Files.readString(Path.of("src/dist/release.xml"));
    assertThat(release).contains("<format>zip</format>", "src/dist/release-files.xml");
    assertThat(Files.readString(Path.of("src/dist/release-files.xml")))
        .contains("<include>tally</include>");
    assertThat(Files.readString(Path.of("Dockerfile")))
        .contains("-Pdist", "jar xf /source/target/tallystick-*.zip", "COPY --from=built");
  }

  /** The launcher needs 21, as the recipe's image has. */
  @Test
  void bringsTheJavaThatTheLauncherAsksFor() throws IOException {
    String least = Files.readString(Path.of("tally")).replaceAll("(?s).*least=(\\d+).*", "$1");
    assertThat(Files.readString(Path.of("Dockerfile"))).contains("FROM eclipse-temurin:" + least);
  }
}
