package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Long runs on the simulated engine, whose speed falls while it runs. */
class SustainedRateTest {
  private static final double BAD = 0.05;

  private static List<ProbeResult> runs(String fault, double... rates) {
    SimulatedBench bench =
        new SimulatedBench(
            0.25, 0.05, 350, 60,
            fault.isEmpty()
                ? Map.of("max-num-seqs", "16")
                : Map.of("max-num-seqs", "16", "fault", fault));
    List<ProbeResult> done = new ArrayList<>();
    for (double rate : rates) {
      int number = done.size() + 1;
      done.add(
          bench.play(new Probe(number, Probe.Purpose.NARROW, rate, 15, 150, 70 + number)));
    }
    return done;
  }

  private static Optional<SustainedRate> sustained(List<ProbeResult> done) {
    return SustainedRate.of(done, 1 - BAD, Double.POSITIVE_INFINITY);
  }

  /** It carries 18.2/s and, at half its speed, about half of it: after 90 s its credit is spent. */
  @Test
  void anEngineThatSlowsDownInEachRunSustainsWhatTheLaterPartKeeps() {
    List<ProbeResult> done =
        runs(
            "slow:prefill=1.6,decode=1.6,at=90s,for=3600s", 19, 8, 11, 13, 17.5, 9.5);

    assertThat(sustained(done))
        .hasValueSatisfying(
            one -> {
              assertThat(one.firstPerSecond()).isBetween(16.5, 19.5);
              assertThat(one.perSecond()).isBetween(8.5, 12.0);
              assertThat(one.words("requests/s")).contains("falls during a run");
            });
  }

  @Test
  void ofAnEngineOfOneSpeedNothingIsSaid() {
    assertThat(sustained(runs("", 16, 20, 17, 19, 18))).isEmpty();
  }

  /** Beyond the ceiling a queue grows from half to half: an engine of one speed does that, too. */
  @Test
  void aQueueThatGrowsBeyondTheCeilingIsNoFall() {
    List<ProbeResult> done =
        runs("slow:prefill=1.6,decode=1.6,at=90s,for=3600s", 8, 11, 13, 20, 17);

    assertThat(SustainedRate.of(done, 1 - BAD, 12)).isEmpty();
  }
}
