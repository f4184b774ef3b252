package tallystick.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ShippedScenarioTest {
  private final ShippedScenario names = new ShippedScenario();

  @Test
  void aNameIsThatOfAScenarioThatCameAlong() {
    assertThat(names.convert("quickstart")).isEqualTo(Path.of("scenarios/quickstart.yaml"));
  }

  @Test
  void itIsFoundByTheNameThatDocumentsGiveItToo(@TempDir Path shipped) throws IOException {
    Path there = Files.createFile(shipped.resolve("only-shipped.yaml"));
    System.setProperty("tally.scenarios", shipped.toString());
    try {
      assertThat(names.convert("scenarios/only-shipped.yaml")).isEqualTo(there);
      assertThat(names.convert("other/only-shipped.yaml"))
          .isEqualTo(Path.of("other/only-shipped.yaml"));
    } finally {
      System.clearProperty("tally.scenarios");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"scenarios/quickstart.yaml", "no-such-one", "src", "../quickstart", ""})
  void allElseIsAFile(String typed) {
    assertThat(names.convert(typed)).isEqualTo(Path.of(typed));
  }

  @Test
  void whatIsNoFileNameIsRefused() {
    assertThatThrownBy(() -> names.convert("a\0b")).isInstanceOf(TypeConversionException.class);
  }
}
