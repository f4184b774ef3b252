package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.analysis.result.Judgement;

/** The first run that a user sees asks for nothing that its requests cannot carry. */
class QuickstartTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 501, 502, 503})
  void everyObjectiveIsMet(long seed) throws Exception {
    PlayedScenario quickstart =
        new PlayedScenario(Path.of("scenarios/quickstart.yaml"), Map.of(), folder);
    assertThat(quickstart.analysis(seed).objectives())
        .hasSize(3)
        .allSatisfy(result -> assertThat(result.verdict()).isEqualTo(Judgement.Verdict.MET));
  }

  /** A shipped scenario that could only say "cannot tell" would be no check of a server. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "steady-chat", "mixed-traffic", "conversations", "agents", "kv-pressure", "trace-replay",
        "azure-replay"
      })
  void whatIsAskedOfAServerCanBeProven(String name) throws Exception {
    PlayedScenario played =
        new PlayedScenario(Path.of("scenarios", name + ".yaml"), Map.of(), folder);
    for (long seed : List.of(1L, 501L, 502L)) {
      assertThat(played.analysis(seed).objectives())
          .isNotEmpty()
          .noneMatch(one -> one.judgement().isTooClose());
    }
  }
}
