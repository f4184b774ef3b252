package tallystick.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.experiment.ScreenLines;
import tallystick.scenario.PlainText;

class TypedCommandTest {
  @Test
  void aFolderWithBlanksIsOneArgumentOnEveryScreen() {
    assertThat(PlainText.argument("/tmp/my runs/it's")).isEqualTo("'/tmp/my runs/it'\\''s'");
    assertThat(PlainText.arguments("./tally open '/tmp/my runs/it'\\''s' --json"))
        .containsExactly("./tally", "open", "'/tmp/my runs/it'\\''s'", "--json");
    String screen =
        ScreenLines.in(
            "/tmp/my runs/steady-chat-capacity-20261124-024754-0001",
            "NEXT     ./tally capacity scenarios/steady-chat.yaml --rehearse --resume FOLDER\n");
    assertThat(screen.lines()).allMatch(line -> line.length() <= 80);
    assertThat(screen)
        .contains(
            "--resume \\\n",
            "--resume '/tmp/my runs/steady-chat-capacity-20261124-024754-0001'".substring(9));
  }

  @Test
  void isWhatAShellTakesAgain() {
    List<String> typed = List.of("run", "a b.yaml", "--set", "workload.rate=8", "it's");
    assertThat(TypedCommand.words(typed))
        .isEqualTo("run 'a b.yaml' --set workload.rate=8 'it'\\''s'");
  }

  @Test
  void lengthsInTokensAreNoSecret() {
    List<String> typed =
        List.of(
            "tune", "x.yaml", "--vary", "max_num_batched_tokens=256,1024", "--set",
            "workload.output_tokens=128", "--base-engine", "tokenizer_mode=slow");
    assertThat(TypedCommand.words(typed)).isEqualTo(String.join(" ", typed));
    assertThat(TypedCommand.words(List.of("--set", "request.headers.X-Token=abc", "token=abc")))
        .doesNotContain("abc");
  }

  @Test
  void keepsNoSecret() {
    String words =
        TypedCommand.words(
            List.of(
                "run", "--set", "request.headers.Authorization=Bearer abc=", "--api-key=abc",
                "--target", "http://me:abc@10.0.0.7:8000", "--api-key-env=MY_KEY"));
    assertThat(words).doesNotContain("abc").contains("…@10.0.0.7:8000", "--api-key-env=MY_KEY");
  }
}
