package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A file or folder that is named and not there is the user's mistake, wherever it is named. */
class MissingFileTest {
  private static final String ABSENT = "nowhere";

  private static final String TYPED =
      """
      report nowhere
      report SAMPLE --baseline nowhere
      compare SAMPLE nowhere
      compare SAMPLE -- nowhere
      compare nowhere.json -- SAMPLE
      compare --margins nowhere SAMPLE -- SAMPLE
      history nowhere
      open nowhere
      export nowhere --format csv
      merge nowhere --out OUT
      alerts nowhere
      alerts SAMPLE --slo nowhere
      backtest nowhere SAMPLE
      backtest RULES nowhere
      backtest RULES SAMPLE --slo nowhere
      lint nowhere
      lint RULES --exposition nowhere
      lint RULES --run nowhere
      fit nowhere --out OUT
      fit SAMPLE --check nowhere --out OUT
      plan nowhere
      run nowhere
      run QUICK --out OUT --set request.api_key_file=nowhere
      simulate nowhere
      simulate QUICK --profile nowhere --out OUT
      engine --profile nowhere
      capacity nowhere --rehearse
      capacity CHAT --rehearse --profile nowhere --out OUT
      capacity CHAT --rehearse --predict nowhere --out OUT
      capacity CHAT --rehearse --traffic nowhere --out OUT
      capacity CHAT --rehearse --resume nowhere
      study nowhere --rehearse
      study CHAT --rehearse --mix nowhere --out OUT
      tune nowhere --rehearse
      regress nowhere --rehearse
      regress CHAT --rehearse --margins nowhere --out OUT
      regress CHAT --rehearse --baseline nowhere --out OUT
      snapshot file:/nowhere
      doctor --target http://127.0.0.1:9 --ca-file nowhere
      launch slurm nowhere --target http://127.0.0.1:9 --shards 2 --out OUT
      """;

  @TempDir private Path folder;

  static Stream<String> commands() {
    return TYPED.lines();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void isNamedAndEndsWithTwo(String typed) {
    String[] words =
        typed
            .replace("SAMPLE", "reports/sample")
            .replace("RULES", "src/test/resources/lint/guide.yaml")
            .replace("QUICK", "scenarios/quickstart.yaml")
            .replace("CHAT", "scenarios/steady-chat.yaml")
            .replace("OUT", folder.resolve("out").toString())
            .split(" ");

    CommandRun ran = CommandRun.of(words);

    assertThat(ran.code()).as(ran.output()).isEqualTo(2);
    assertThat(ran.output()).contains(ABSENT).doesNotContain("Exception", "bug in tally");
  }
}
