package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TypedCommandTest {
  @Test
  void isWhatAShellTakesAgain() {
    List<String> typed = List.of("run", "a b.yaml", "--set", "workload.rate=8", "it's");
    assertThat(TypedCommand.words(typed))
        .isEqualTo("run 'a b.yaml' --set workload.rate=8 'it'\\''s'");
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
