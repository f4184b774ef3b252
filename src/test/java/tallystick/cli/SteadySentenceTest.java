package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.runrecord.RecordReader;

/** What is said of a phase as steady, and what is said beside it, do not contradict. */
class SteadySentenceTest {
  @TempDir private Path folder;

  @Test
  void noPhaseIsSteadyAndChangedItsLevelOrPilesUp() throws IOException {
    int changed = 0;
    for (String scenario : List.of("slo-steps-short", "kv-pressure", "spike", "quickstart")) {
      changed += changedPhases(play("scenarios/" + scenario + ".yaml", scenario));
    }
    PlantedRun over =
        PlantedRun.of(
            "{arrival: poisson, rate: 24.5, prompt_tokens: {uniform: [200, 500]},"
                + " output_tokens: {uniform: [30, 90]}}",
            120,
            "--max-num-seqs", "16");
    changed += changedPhases(Analyzer.analyze(over.play(folder, 3)).phases());
    assertThat(changed).as("phases that the rule is about").isGreaterThanOrEqualTo(3);
  }

  private List<PhaseAnalysis> play(String scenario, String name) throws IOException {
    Path out = folder.resolve(name);
    CommandRun ran =
        CommandRun.of("simulate", scenario, "--no-report", "--seed", "1", "--out", out.toString());
    assertThat(ran.code()).as(ran.output()).isZero();
    return Analyzer.analyze(RecordReader.open(CommandRun.onlyRun(out))).phases();
  }

  private static int changedPhases(List<PhaseAnalysis> phases) {
    int changed = 0;
    for (PhaseAnalysis phase : phases) {
      double filled =
          phase.steady().cutSeconds() instanceof Figure.Known known ? known.value() : 0;
      boolean moves =
          phase.overload().verdict() == PhaseAnalysis.Overload.Verdict.OVERLOADED
              || phase.changes().stream().anyMatch(change -> change.atSeconds() > filled);
      if (moves) {
        changed++;
        assertThat(phase.steady().verdict()).as(phase.phase())
            .isNotEqualTo(PhaseAnalysis.SteadyState.Verdict.STEADY);
        assertThat(phase.steady().text()).doesNotContain("is steady");
      }
    }
    return changed;
  }
}
