package tallystick.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ShippedScenarioTest {
  private final ShippedScenario names = new ShippedScenario();

  @Test
  void aNameIsThatOfAScenarioThatCameAlong() {
    assertThat(names.convert("quickstart")).isEqualTo(Path.of("scenarios/quickstart.yaml"));
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
