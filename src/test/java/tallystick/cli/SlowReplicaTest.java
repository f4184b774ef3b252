package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Finding;

/** One engine of several that is slower is named; equal ones have luck, and are not. */
class SlowReplicaTest {
  private static final String CHAT =
      "{arrival: poisson, rate: %s, prompt_tokens: {uniform: [200, 500]},"
          + " output_tokens: {uniform: [60, 180]}}";
  private static final int SEEDS = Integer.getInteger("replica.seeds", 10);
  private static final int FIRST = Integer.getInteger("replica.first", 4101);
  private static final List<String> RATES = List.of("6", "24", "56", "96");

  @TempDir private Path folder;

  @Test
  void oneOfTwoThatIsSixTimesSlowerIsNamedWithItsFigures() throws IOException {
    List<Finding> found = slow("6", 120, 3, "slow:prefill=6,decode=6,engine=1");
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().text())
        .containsPattern(
            "One engine is slower than the others, engine 1: "
                + "TTFT mean [\\d.]+ ms, of the others [\\d.]+ ms; "
                + "ITL mean [\\d.]+ ms, of the others [\\d.]+ ms\\.");
    assertThat(found.getFirst().evidence())
        .anyMatch(line -> line.matches("ITL over the others', by stretches of time: [3-9].*"));
  }

  @Test
  void whatIsNotSlowerIsNotSaidToBe() throws IOException {
    List<Finding> found = slow("6", 120, 4, "slow:prefill=1,decode=3,engine=0");
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().text()).contains("engine 0: ITL mean").doesNotContain("TTFT");
  }

  @Test
  void oneEngineAloneIsSlowerThanNobody() throws IOException {
    assertThat(
            findings(
                PlantedRun.of(
                    CHAT.formatted("6"), 120, "--fault", "slow:prefill=6,decode=6"), 5))
        .isEmpty();
  }

  @Test
  @Tag("stress")
  void equalEnginesAreHardlyEverNamedAtAnyLoad() throws IOException {
    List<String> named = new ArrayList<>();
    for (String rate : RATES) {
      for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
        for (Finding found :
            findings(
                PlantedRun.of(CHAT.formatted(rate), 60, "--data-parallel-size", "2"), seed)) {
          named.add(rate + "/s, seed " + seed + ": " + found.text());
        }
      }
    }
    assertThat(named).hasSizeLessThanOrEqualTo(Math.max(1, RATES.size() * SEEDS / 100));
  }

  @Test
  @Tag("stress")
  void oneOfTwoThatIsTwiceAsSlowIsNamedAtAnyLoad() throws IOException {
    int named = 0;
    for (String rate : RATES) {
      for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
        named += slow(rate, 60, seed, "slow:prefill=2,decode=2,engine=1").isEmpty() ? 0 : 1;
      }
    }
    assertThat(named).isGreaterThanOrEqualTo(RATES.size() * SEEDS * 9 / 10);
  }

  private List<Finding> slow(String rate, int seconds, long seed, String fault)
      throws IOException {
    return findings(
        PlantedRun.of(
            CHAT.formatted(rate), seconds, "--data-parallel-size", "2", "--fault", fault), seed);
  }

  private List<Finding> findings(PlantedRun run, long seed) throws IOException {
    return Analyzer.analyze(run.play(folder, seed)).findings().stream()
        .filter(finding -> finding.code() == Finding.Code.REPLICA_SLOW)
        .toList();
  }
}
