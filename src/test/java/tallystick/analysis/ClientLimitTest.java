package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.SmallRun.value;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.ClientLimit;
import tallystick.analysis.result.ClientLimit.Verdict;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.HarnessRow;

/** Whether the client could have sent more; the window goes from 10 s to 69 s. */
class ClientLimitTest {
  private final MadeRun run = SmallRun.run(20, 0, row -> row);

  /** Twenty seconds; in the last one both use a core more. */
  private void seconds(double process, double machine) {
    run.host.put("cores", "4");
    for (int i = 0; i < 20; i++) {
      double more = i == 19 ? 1 : 0;
      long at = MadeRun.nanos(20 + i);
      run.harness.add(new HarnessRow.Cpu(at, process + more, machine + more));
    }
  }

  private void wake(double lateMillis) {
    List<Long> late = Collections.nCopies(200, (long) (lateMillis * 1e6));
    run.harness.add(new HarnessRow.WakeUps(MadeRun.nanos(30), 5_000_000, late));
  }

  private ClientLimit limit() {
    return run.analyze().harness().limit();
  }

  private boolean isToldNear() {
    return run.analyze().findings().stream()
        .anyMatch(finding -> finding.code() == Code.CLIENT_NEAR_ITS_LIMIT);
  }

  @Test
  void aClientWithTwoThirdsOfItsCoresFreeHasRoomForTwice() {
    seconds(0.25, 1.5);
    wake(0.4);
    ClientLimit limit = limit();
    assertThat(limit.verdict()).isEqualTo(Verdict.ROOM_FOR_TWICE);
    assertThat(limit.text())
        .startsWith("The client was not the limit: it used 0.25 of 4 cores, and ")
        .endsWith(" ms of 5.0 allowed. Its cores leave room for twice this load.");
    assertThat(value(limit.cores())).isEqualTo(4);
    assertThat(value(limit.busiestMachineCores())).isEqualTo(1.5);
    assertThat(isToldNear()).isFalse();
  }

  @Test
  void moreThanHalfOfItsCoresIsNoProofOfTwice() {
    seconds(0.25, 2.1);
    wake(0.4);
    assertThat(limit().verdict()).isEqualTo(Verdict.NOT_THE_LIMIT);
    assertThat(limit().text()).endsWith(
        " Twice this load is not shown to fit: all on its machine together used 2.10 of 4 cores.");
  }

  @Test
  void whereOthersUseTheRestNobodyKnows() {
    seconds(0.25, 3.9);
    wake(0.4);
    assertThat(limit().verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(limit().text()).endsWith(": all on its machine together used 3.90 of 4 cores.");
    assertThat(isToldNear()).isFalse();
  }

  @Test
  void itsOwnCoresOrHalfOfAnAllowedDelayBringItNear() {
    seconds(3.3, 3.3);
    wake(2.6);
    assertThat(limit().verdict()).isEqualTo(Verdict.NEAR);
    assertThat(limit().text())
        .isEqualTo(
            "The client was near its limit: its P95 wake-up delay was 2.6 ms of 5.0 allowed;"
                + " it used 3.30 of 4 cores.");
    assertThat(isToldNear()).isTrue();
  }

  @Test
  void halfOfTheStandstillThatSpoilsARunBringsItNear() {
    seconds(0.25, 1.5);
    run.harness.add(new HarnessRow.Stall(MadeRun.nanos(40), MadeRun.nanos(0.4)));
    assertThat(limit().text()).contains("it stood still for 0.7 % of the window");
  }

  @Test
  void aSaturatedClientReachedItAndIsToldOnce() {
    seconds(3.3, 3.3);
    wake(6);
    assertThat(limit().verdict()).isEqualTo(Verdict.REACHED);
    assertThat(isToldNear()).isFalse();
  }

  private String remedy() {
    return run.analyze().findings().stream()
        .filter(finding -> finding.code() == Code.CLIENT_SATURATED)
        .map(Finding::remedy)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theRemedySpeaksOfWhoUsedTheMachine() {
    wake(6);
    assertThat(remedy()).startsWith("Close other programs on this machine or use another one");
    seconds(0.25, 2.25);
    assertThat(remedy())
        .isEqualTo(
            "Other programs, an engine here too, used 2.00 of 4 cores: send the load from a"
                + " machine of its own.");
  }

  @Test
  void nobodyIsToldToCloseProgramsWhereNoneRan() {
    wake(6);
    seconds(3.3, 3.4);
    assertThat(remedy())
        .startsWith("The client alone used 3.30 of 4 cores: lower the rate");
  }

  @Test
  void aMachineThatNobodyKeptBusyMayWaitForItsHost() {
    wake(6);
    seconds(0.5, 0.7);
    assertThat(remedy()).contains("(0.50 of 4 cores)", "(0.20 of 4 cores)", "wait for its host");
  }

  @Test
  void withoutNotesItCannotBeTold() {
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.harness().limit().verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(analysis.harness().limit().busiestCores()).isEqualTo(Figure.missing("not noted"));
    seconds(0.25, Double.NaN);
    wake(0.4);
    assertThat(limit().text()).endsWith("what else ran on its machine was not noted.");
  }

  @Test
  void aMergedRecordSendsTheReaderToItsShards() {
    seconds(0.25, 1.5);
    run.host.put("shards", "2");
    assertThat(limit().verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(limit().text()).contains("each shard's own record");
  }
}
