package tallystick.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class VersionsTest {

  @Test
  void areThoseOfThePom() throws Exception {
    String pom = Files.readString(Path.of("pom.xml"));
    assertThat(pom)
        .contains("<artifactId>tallystick</artifactId>\n  <version>" + Versions.tally() + "<")
        .contains("<gatling.version>" + Versions.gatling() + "<");
  }
}
