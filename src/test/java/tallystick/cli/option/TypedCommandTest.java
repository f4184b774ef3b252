package tallystick.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.answer.Invocation;
import tallystick.scenario.PlainText;

class TypedCommandTest {
  @Test
  void aFolderWithBlanksIsOneArgument() {
    assertThat(PlainText.argument("/tmp/my runs/it's")).isEqualTo("'/tmp/my runs/it'\\''s'");
    assertThat(PlainText.arguments("./tally open '/tmp/my runs/it'\\''s' --json"))
        .containsExactly("./tally", "open", "'/tmp/my runs/it'\\''s'", "--json");
  }

  @Test
  void isWhatAShellTakesAgain() {
    List<String> typed = List.of("run", "a b.yaml", "--set", "workload.rate=8", "it's");
    assertThat(TypedCommand.words(typed))
        .isEqualTo("run 'a b.yaml' --set workload.rate=8 'it'\\''s'");
  }

  @Test
  void anAnswerNamesTheNextCommandWithoutWhatItGivesAnew() {
    Invocation asked =
        new Invocation(
            List.of(
                new Invocation.Word("", "capacity"), new Invocation.Word("", "x.yaml"),
                new Invocation.Word("--budget", "--budget 10m"),
                new Invocation.Word("--rehearse", "--rehearse")),
            "/tmp/my runs/x");
    assertThat(asked.again("--budget")).isEqualTo("./tally capacity x.yaml --rehearse");
    assertThat(asked.resume())
        .isEqualTo("./tally capacity x.yaml --rehearse --resume '/tmp/my runs/x'");
    assertThat(asked.in("alerts")).isEqualTo("'/tmp/my runs/x/alerts'");
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
