package tallystick.experiment.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandTemplateTest {

  @Test
  void blanksSeparateWordsAndQuotesKeepThem() {
    CommandTemplate command =
        CommandTemplate.of("  sh 'a  b' \"c\\\"d\" e\\ f '' --x=\"g h\"i {port}\n");

    assertThat(command.fill(Map.of(), 8000))
        .containsExactly("sh", "a  b", "c\"d", "e f", "", "--x=g hi", "8000");
  }

  @Test
  void aGapIsFilledInsideItsWordAndOtherBracesStay() {
    CommandTemplate command =
        CommandTemplate.of("sh --n={max-num-seqs} '{\"level\":3}' {{port}} {} {port}");
    Map<String, String> settings = command.requireFits(Map.of("max-num-seqs", "6 $4"));

    assertThat(command.fill(settings, 7))
        .containsExactly("sh", "--n=6 $4", "{\"level\":3}", "{port}", "{}", "7");
  }

  @Test
  void aSettingWithoutAGapAndAGapWithoutASettingAreNamed() {
    CommandTemplate command = CommandTemplate.of("sh --port {port} {max_num_seqs}");

    assertThatThrownBy(() -> command.requireFits(Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("{max_num_seqs}, which not every run sets")
        .hasMessageContaining("give max_num_seqs=VALUE to base and candidate");
    assertThatThrownBy(
            () -> command.requireFits(Map.of("max_num_seqs", "1", "block-size", "16")))
        .hasMessageContaining("no {block_size}")
        .hasMessageContaining("--block-size {block_size}");
    assertThatThrownBy(() -> command.requireFits(Map.of("max_num_seqs", "1", "port", "16")))
        .hasMessageContaining("free one");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`  `, is empty",
        "vllm serve, no {port}",
        "vllm {port} | tee log, `so | means nothing`",
        "vllm 'serve {port}, `has a ' that is not closed`",
      })
  void whatIsNoCommandIsSaid(String text, String words) {
    assertThatThrownBy(() -> CommandTemplate.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }

  @Test
  void aProgramThatIsNotThereIsNamedBeforeAnythingIsPlayed() {
    assertThatThrownBy(() -> CommandTemplate.of("no-such-engine {port}").requireFits(Map.of()))
        .hasMessage("there is no program no-such-engine on the PATH");
    assertThatThrownBy(() -> CommandTemplate.of("A=b vllm {port}").requireFits(Map.of()))
        .hasMessageContaining("begin with env");
  }
}
