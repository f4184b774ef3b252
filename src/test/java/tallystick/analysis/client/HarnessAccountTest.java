package tallystick.analysis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.analysis.MadeRun.nanos;
import static tallystick.analysis.SmallRun.value;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import tallystick.analysis.MadeRun;
import tallystick.analysis.SmallRun;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.HarnessRow;

/** What of the harness's notes lies inside the window, which goes from 10 s to 69 s here. */
class HarnessAccountTest {
  private final MadeRun run = SmallRun.run(20, 0, row -> row);

  private void stall(double end, double seconds) {
    run.harness.add(new HarnessRow.Stall(nanos(end), nanos(seconds)));
  }

  private void pause(double end, double seconds) {
    run.harness.add(new HarnessRow.GcPause(nanos(end), nanos(seconds), "a test"));
  }

  private void second(double end, double cores) {
    run.harness.add(new HarnessRow.Cpu(nanos(end), cores, 2));
  }

  @Test
  void whatCameBeforeTheWarmUpIsOutsideTheWindow() {
    run.mark(5, HarnessRow.Mark.Kind.WARMUP_ORIGIN);
    stall(3, 2);
    pause(3, 1);
    second(3, 1.9);
    woke(3, nanos(1));
    RunAnalysis.HarnessHealth health = run.analyze().harness();
    assertThat(health.saturated()).isFalse();
    assertThat(health.stalls().count()).isZero();
    assertThat(health.wakeUps().count()).isZero();
    assertThat(health.gcPauses()).isZero();
    assertThat(health.gcSeconds()).isZero();
    assertThat(health.processCores()).isEqualTo(Figure.missing("not noted"));
  }

  @Test
  void whatCameBeforeTheWindowOfARunWithoutWarmUpIsOutsideToo() {
    stall(9.5, 2);
    stall(70.5, 1);
    pause(9.5, 1);
    assertThat(run.analyze().harness().stalls().count()).isZero();
    assertThat(run.analyze().harness().gcPauses()).isZero();
  }

  @Test
  void whatReachesOverAnEndOfTheWindowCountsInPart() {
    stall(10.25, 1);
    stall(70, 3);
    pause(10.5, 2);
    Distribution stalls = run.analyze().harness().stalls();
    assertThat(value(stalls.mean())).isEqualTo(1.125);
    assertThat(stalls.maximum()).isEqualTo(Figure.of(2));
    assertThat(run.analyze().harness().gcSeconds()).isEqualTo(0.5);
  }

  @Test
  void coresAreThoseOfTheTimeInsideTheWindow() {
    second(9.5, 2);
    second(10.5, 2);
    second(11.5, 0.5);
    assertThat(value(run.analyze().harness().processCores())).isCloseTo(1, within(1e-9));
  }

  @Test
  void wakeUpsOfASecondThatBeganBeforeTheWindowAreTakenOneByOne() {
    woke(10.5, 0);
    assertThat(run.analyze().harness().wakeUps().count()).isEqualTo(101);
  }

  @Test
  void anAccountWithoutMarksIsMeasuredWhereTheRequestsAre() {
    run.harness.clear();
    stall(5, 2);
    stall(15, 2);
    assertThat(run.analyze().harness().stalls().count()).isEqualTo(1);
  }

  @Test
  void aCollectionAndItsStallAreOneStandstill() {
    ClientPauses still = new ClientPauses();
    still.add(nanos(10), nanos(1));
    still.add(nanos(9.9), nanos(0.8));
    still.add(nanos(12), nanos(0.5));
    still.add(nanos(11), nanos(0.01));
    assertThat(still.nanosWithin(0, nanos(100))).isEqualTo(nanos(1.5));
    assertThat(still.nanosWithin(nanos(9.5), nanos(11.75))).isEqualTo(nanos(0.75));
    assertThat(still.isMostOf(nanos(8), nanos(10))).isTrue();
    assertThat(still.isMostOf(nanos(7.9), nanos(10))).isFalse();
  }

  private void woke(double end, long late) {
    run.harness.add(
        new HarnessRow.WakeUps(nanos(end), nanos(0.005), Collections.nCopies(200, late)));
  }
}
