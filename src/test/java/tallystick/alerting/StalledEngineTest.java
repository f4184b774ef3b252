package tallystick.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.alerting.derivation.MadeAlerts;
import tallystick.alerting.rules.RuleBook;
import tallystick.promql.Firing;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.RecordedSeries;
import tallystick.promql.RuleGroup;
import tallystick.promql.RuleReplay;
import tallystick.runrecord.MemoryRun;
import tallystick.scenario.Objective;

/** What stands still in virtual time pages, and by the right name. */
@Tag("stress")
class StalledEngineTest {
  private static final int STEP_SECONDS = 600;
  private static final long STALL_MILLIS = 600_000;

  /** Answers of minutes go on while nothing new begins; short ones end, and no step is left. */
  @ParameterizedTest
  @CsvSource({
    "20000, 0.1, VLLMAdmissionStalled",
    "150, 5, VLLMEngineStuck"
  })
  void admissionThatStandsStillPagesWithinFiveMinutes(
      int outputTokens, double rate, String name) {
    List<Firing> firings = firings(outputTokens, rate, "admission:at=600s,for=500s");
    assertThat(firings).isNotEmpty().allMatch(firing -> firing.alert().equals(name));
    assertThat(firings.getFirst().firedMillis() - STALL_MILLIS).isBetween(1L, 300_000L);
  }

  @ParameterizedTest
  @CsvSource({"20000, 0.1", "20000, 1", "150, 5"})
  void anEngineThatWorksPagesNobodyEvenFull(int outputTokens, double rate) {
    assertThat(firings(outputTokens, rate, "")).isEmpty();
  }

  private static List<Firing> firings(int outputTokens, double rate, String fault) {
    Map<String, String> flags = new HashMap<>();
    flags.put("profile", "invented-mid-gpu");
    flags.put("max-model-len", "40000");
    flags.put("num-gpu-blocks-override", "80000");
    if (!fault.isEmpty()) {
      flags.put("fault", fault);
    }
    MemoryRun run =
        PoissonLoad.of(
            new PoissonLoad.Shape(
                "stalled", "m", 1, 100, outputTokens, new double[] {rate, rate}, STEP_SECONDS, 15,
                flags));
    return new RuleReplay(
            RecordedSeries.of(run, 15_000, Map.of()), PrometheusVersion.V2_42, stalls())
        .run(0, 2L * STEP_SECONDS * 1000, 15_000);
  }

  private static List<RuleGroup> stalls() {
    RuleGroup all =
        RuleBook.of(MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1)).evaluable().getFirst();
    List<RuleGroup.Rule> stalls =
        all.rules().stream()
            .filter(
                rule ->
                    rule instanceof RuleGroup.Alert alert
                        && alert.name().matches("VLLM(EngineStuck|AdmissionStalled)"))
            .toList();
    return List.of(new RuleGroup(all.name(), all.intervalMillis(), stalls));
  }
}
