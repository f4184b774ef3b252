package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.RunAnalysis;

/** What happened to the engine, or on the way to it, is a finding with its time. */
class StandstillTest {
  private static final String CHAT =
      "{arrival: poisson, rate: 6, prompt_tokens: {uniform: [200, 500]},"
          + " output_tokens: {uniform: [60, 180]}}";

  @TempDir private Path folder;

  @Test
  void anEngineThatStoodStillIsSaidFirstWithItsTime() throws IOException {
    RunAnalysis analysis =
        Analyzer.analyze(
            PlantedRun.of(CHAT, 120, "--fault", "stall:at=60s,for=20s").play(folder, 3));

    Finding first = analysis.findings().get(0);
    assertThat(first.code()).isEqualTo(Finding.Code.ENGINE_STOOD_STILL);
    assertThat(first.text())
        .containsPattern(
            "from 5\\d\\.\\d s to 7\\d\\.\\d s, "
                + "for between 1[89]\\.\\d and 2[01]\\.\\d s");
    for (Decomposition whole : analysis.decompositions()) {
      whole.parts().forEach(part -> assertThat(low(part)).isGreaterThanOrEqualTo(0));
    }
  }

  @Test
  void anIdleEngineThatStopsAndThenTakesNothingInStoodStill() throws IOException {
    RunAnalysis analysis =
        Analyzer.analyze(
            PlantedRun.of(
                    CHAT.replace("rate: 6", "rate: 0.5"), 120, "--fault",
                    "stall:at=60s,for=20s")
                .play(folder, 3));

    assertThat(analysis.findings())
        .filteredOn(finding -> finding.code() == Finding.Code.ENGINE_STOOD_STILL)
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.text())
                    .containsPattern("for (between|at least) 1[5-9]\\.\\d "));
  }

  @Test
  void anEngineThatTakesNothingInStoodStillOnceAllThatRanHasEnded() throws IOException {
    RunAnalysis analysis =
        Analyzer.analyze(
            PlantedRun.of(
                    CHAT.replace("[60, 180]", "[20, 40]"), 120, "--fault",
                    "admission:at=60s,for=20s")
                .play(folder, 3));

    Finding first = analysis.findings().get(0);
    assertThat(first.code()).isEqualTo(Finding.Code.ENGINE_STOOD_STILL);
    assertThat(first.text()).containsPattern("to [78]\\d\\.\\d s, for between 1[6-9]\\.\\d and ");
  }

  @Test
  void oneReplicaOfTwoThatStoodStillIsNamed() throws IOException {
    RunAnalysis analysis =
        Analyzer.analyze(
            PlantedRun.of(
                    CHAT, 120, "--data-parallel-size", "2", "--fault",
                    "stall:at=60s,for=20s,engine=1")
                .play(folder, 3));

    Finding first = analysis.findings().get(0);
    assertThat(first.code()).isEqualTo(Finding.Code.ENGINE_STOOD_STILL);
    assertThat(first.text())
        .containsPattern(
            "^Engine 1 stood still from [56]\\d\\.\\d s to [78]\\d\\.\\d s, "
                + "for between 1\\d\\.\\d and 2\\d\\.\\d s")
        .contains("The other engines went on.");
  }

  @Test
  void anEngineWhoseTokensAreNotToldApartIsNotSaidToHaveStoodStill() throws IOException {
    RunAnalysis analysis =
        Analyzer.analyze(
            PlantedRun.of(
                    CHAT.replace("rate: 6", "rate: 2"), 120, "--family", "sglang",
                    "--data-parallel-size", "2")
                .play(folder, 3));

    assertThat(analysis.findings())
        .extracting(Finding::code)
        .doesNotContain(Finding.Code.ENGINE_STOOD_STILL);
  }

  /** It takes prompts in and makes no token of them: their users give up before the first one. */
  @Test
  void anEngineBusyWithPromptsThatWereGivenUpDidNotStandStill() throws IOException {
    String prompts =
        "{arrival: poisson, rate: 26, prompt_tokens: {uniform: [16, 1500]},"
            + " output_tokens: {uniform: [16, 48]}}";
    RunAnalysis analysis =
        Analyzer.analyze(
            PlantedRun.of(
                    prompts, 80, "--set", "timeout=20s", "--set", "scrape_interval=500ms",
                    "--fault", "slow:prefill=2,decode=2,at=40s")
                .play(folder, 26));

    assertThat(analysis.counts().sent()).isGreaterThan(analysis.counts().ok());
    assertThat(analysis.findings())
        .extracting(Finding::code)
        .doesNotContain(Finding.Code.ENGINE_STOOD_STILL);
  }

  @Test
  void anEngineThatNeverStoodStillHasNoSuchFinding() throws IOException {
    RunAnalysis analysis = Analyzer.analyze(PlantedRun.of(CHAT, 120).play(folder, 3));

    assertThat(analysis.findings())
        .extracting(Finding::code)
        .doesNotContain(Finding.Code.ENGINE_STOOD_STILL, Finding.Code.TIME_OUTSIDE_ENGINE,
            Finding.Code.ENGINE_DIED);
  }

  @Test
  void aConstantDelayOnTheWayIsAFindingWithItsMilliseconds() throws IOException {
    RunAnalysis analysis =
        Analyzer.analyze(PlantedRun.of(CHAT, 120, "--network-us", "25000").play(folder, 3));

    assertThat(analysis.findings())
        .filteredOn(finding -> finding.code() == Finding.Code.TIME_OUTSIDE_ENGINE)
        .singleElement()
        .satisfies(finding -> assertThat(finding.text()).startsWith("50.0 ms of the mean TTFT"));
  }

  private static double low(Decomposition.Part part) {
    return part.mean().low() instanceof Figure.Known known ? known.value() : 0;
  }
}
