package tallystick.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.cli.CommandRun;

class GivenTimeTest {
  @ParameterizedTest
  @CsvSource({"1m30, 1m30s", "2h15, 2h15m", "1d6, 1d6h", "3s500, 3s500ms"})
  void aTimeWithoutItsLastUnitIsAnsweredWithTheNextSmaller(String given, String meant) {
    assertThatThrownBy(() -> GivenTime.seconds("--budget", given))
        .hasMessage(
            "--budget is not a time, was \"" + given + "\": did you mean " + meant + "?");
    assertThatThrownBy(() -> new GivenTime().convert(given))
        .hasMessageEndingWith("did you mean " + meant + "?");
  }

  /** A number alone is seconds. Flags of the engine are as vLLM has them. */
  @Test
  void noOptionTakesSecondsOnly() {
    List<String> inSecondsOnly =
        CommandRun.line().getSubcommands().values().stream()
            .flatMap(command -> command.getCommandSpec().options().stream())
            .filter(option -> option.paramLabel().matches("SECONDS|DURATION"))
            .map(option -> option.longestName())
            .filter(name -> !name.startsWith("--engine-"))
            .toList();
    assertThat(inSecondsOnly).isEmpty();
    assertThat(CommandRun.of("run", "absent.yaml", "--quiet-timeout", "2m").output())
        .contains("absent.yaml")
        .doesNotContain("quiet-timeout");
  }

  @Test
  void nothingIsGuessedOfOtherWords() {
    assertThatThrownBy(() -> GivenTime.seconds("--budget", "300ms5"))
        .hasMessageEndingWith("write for example 90s, 1m30s or 2h");
    assertThatThrownBy(() -> GivenTime.seconds("--budget", "soon"))
        .hasMessageEndingWith("write for example 90s, 1m30s or 2h");
    assertThat(GivenTime.seconds("--budget", "1m30s")).isEqualTo(90);
    assertThatThrownBy(() -> new GivenTime().convert("6 weeks"))
        .hasMessage("'6 weeks' is not a time: unknown unit \"weeks\"; use us, ms, s, m, h or d");
  }
}
