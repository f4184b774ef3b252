package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.cli.exit.ExitCode;
import tallystick.report.screen.RunOutcome;

/** Requests of somebody else beside the plan's own are found by the ledger, and none is made up. */
class PlantedTrafficTest {
  private static final String CHAT =
      "{arrival: poisson, rate: 20, prompt_tokens: {uniform: [20, 100]},"
          + " output_tokens: {uniform: [5, 30]}}";

  @TempDir private Path folder;

  @Test
  void onePercentOfForeignTrafficIsFound() throws IOException {
    for (long seed = 1; seed <= 3; seed++) {
      RunAnalysis analysis = analyze(seed, "--foreign-share", "0.01");
      assertThat(analysis.findings()).extracting(Finding::code)
          .contains(Finding.Code.FOREIGN_TRAFFIC);
      assertThat(analysis.reconciliation().verdict())
          .isEqualTo(Reconciliation.Verdict.NOT_RECONCILED);
    }
  }

  @Test
  void noForeignTrafficIsNotClaimed() throws IOException {
    for (long seed = 1; seed <= 3; seed++) {
      RunAnalysis analysis = analyze(seed);
      assertThat(analysis.findings())
          .extracting(Finding::code)
          .doesNotContain(Finding.Code.FOREIGN_TRAFFIC);
      assertThat(analysis.reconciliation().verdict()).isEqualTo(Reconciliation.Verdict.RECONCILED);
    }
  }

  @Test
  void leaveForOthersTrafficCoversIt() throws IOException {
    RunAnalysis analysis = analyze(1, "--foreign-share", "0.1");
    assertThat(code(analysis, false)).isEqualTo(ExitCode.NOT_TRUSTED);
    assertThat(code(analysis, true)).isEqualTo(ExitCode.GOOD);
  }

  @Test
  void leaveForOthersTrafficCoversNoClientThatStoodStill() throws IOException {
    RunAnalysis analysis =
        analyze(
            1, "--foreign-share", "0.1", "--client-pause-at-ms", "8000", "--client-pause-for-ms",
            "6000");
    assertThat(analysis.findings())
        .extracting(Finding::code)
        .contains(Finding.Code.FOREIGN_TRAFFIC, Finding.Code.CLIENT_SATURATED);
    assertThat(code(analysis, true)).isEqualTo(ExitCode.NOT_TRUSTED);
  }

  private RunAnalysis analyze(long seed, String... options) throws IOException {
    return Analyzer.analyze(PlantedRun.of(CHAT, 30, options).play(folder, seed));
  }

  private static ExitCode code(RunAnalysis analysis, boolean allowsForeignTraffic) {
    return ExitCode.of(
        RunOutcome.of(analysis, allowsForeignTraffic));
  }
}
