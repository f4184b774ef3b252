package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CeilingTest {
  private static final double COMPLETED = 14;
  private static final double CARRIED = 20;

  /** A closed loop that was disturbed, on an engine that carries more than it tells. */
  private static ProbeResult disturbed(Probe probe) {
    boolean isLoop = probe.users() > 0;
    double rate = isLoop ? COMPLETED : probe.perSecond();
    long judged = Math.round(rate * probe.measuredSeconds());
    ProbeResult.Load load =
        new ProbeResult.Load(
            isLoop ? probe.users() : rate, rate, false, 1, isLoop ? 0.9 * probe.users() : rate, 3,
            -1, -1, 0, 0, 0, 0, probe.measuredSeconds(), judged);
    return MadeProbes.result(
        probe, probe.loadSeconds() + 5, judged, !isLoop && rate < CARRIED ? judged : judged / 2,
        load, ProbeResult.Trust.TRUSTED, "");
  }

  /** On a real engine three runs of 85 s crept up to such a ceiling, and the budget was gone. */
  @Test
  void whereNothingFailedTheSecondLongRunComesAsFarAsTheCeilingLets() {
    CapacitySearch search =
        new CapacitySearch(
            new CapacityQuestion(0.99, 200, false, Ceiling.users(16), 1500, 1800, 5, 7));
    List<ProbeResult> done = new ArrayList<>();
    while (search.next(done) instanceof CapacitySearch.Step.Play play) {
      done.add(disturbed(play.probe()));
    }

    List<Double> longRuns =
        done.stream()
            .filter(one -> one.probe().isLong())
            .map(one -> one.probe().perSecond())
            .toList();
    assertThat(longRuns.get(0)).isLessThan(1.09 * COMPLETED);
    assertThat(longRuns.get(1)).isCloseTo(1.1 * COMPLETED, within(0.01));
    assertThat(done).anyMatch(one -> one.probe().perSecond() > CARRIED);
    assertThat(((CapacitySearch.Step.Conclude) search.next(done)).answer().interval().high())
        .isBetween(CARRIED * 0.95, CARRIED * 1.15);
  }
}
