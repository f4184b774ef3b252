package tallystick.alerting.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.promql.Firing;
import tallystick.promql.Labels;

class LeadTimeTest {
  private static final long MINUTE = 60_000;
  private static final long ONSET = 60;

  @Test
  void theMedianOfThreeRampsLeadsIfTheAlertIsMostlyRight() {
    List<RunTimeline> ramps =
        List.of(ramp(firing(57, 80)), ramp(firing(55, 80)), ramp(firing(61, 80)));
    LeadTime lead = LeadTime.of("A", ramps, 0.8);
    assertThat(lead.seconds()).containsExactly(-60.0, 180.0, 300.0);
    assertThat(lead.verdict()).isEqualTo("leading");
    assertThat(lead.figures()).isEqualTo("180 s (-60 to 300)");
    assertThat(LeadTime.of("A", ramps, 0.79).verdict())
        .isEqualTo("early, but precision on held-out runs 0.79, need >= 0.8");
    assertThat(LeadTime.of("A", ramps, Double.NaN).verdict()).contains("was not measured");
    assertThat(LeadTime.of("A", ramps.subList(0, 2), 1).verdict())
        .isEqualTo("early on 2 ramps, need >= 3 to call it leading");
  }

  @Test
  void aMinuteEitherWayIsCoincidentAndLaterIsTrailing() {
    assertThat(LeadTime.of("A", List.of(ramp(firing(59, 80))), 1).verdict())
        .isEqualTo("coincident");
    assertThat(LeadTime.of("A", List.of(ramp(firing(61, 80))), 1).verdict())
        .isEqualTo("coincident");
    assertThat(LeadTime.of("A", List.of(ramp(firing(62, 80))), 1).verdict()).isEqualTo("trailing");
  }

  @Test
  void aFiringThatEndedBeforeUsersSufferedDidNotAnnounceIt() {
    LeadTime lead = LeadTime.of("A", List.of(ramp(firing(5, 6), firing(62, 63))), 1);
    assertThat(lead.seconds()).containsExactly(-120.0);
  }

  @Test
  void aRampOnWhichItWasSilentIsTheLatestOfAll() {
    LeadTime lead = LeadTime.of("A", List.of(ramp(firing(57, 80)), ramp(), ramp()), 1);
    assertThat(lead.verdict()).isEqualTo("silent on 2 of 3 ramps");
    assertThat(lead.figures()).isEqualTo("n/a");
    LeadTime most =
        LeadTime.of("A", List.of(ramp(firing(57, 80)), ramp(firing(58, 80)), ramp()), 1);
    assertThat(most.medianSeconds()).isEqualTo(120);
  }

  @Test
  void aRampWithoutSufferingTellsNothing() {
    RunTimeline healthy =
        new RunTimeline(
            "run", List.of(), List.of(), List.of(firing(5, 6)), 0, MINUTE, 30_000, Map.of());
    assertThat(LeadTime.of("A", List.of(healthy), 1).verdict())
        .isEqualTo("not measured: 0 ramps on which users suffered, need >= 3");
  }

  private static Firing firing(long fromMinute, long toMinute) {
    return new Firing(
        "A", Labels.EMPTY, fromMinute * MINUTE, fromMinute * MINUTE, toMinute * MINUTE);
  }

  private static RunTimeline ramp(Firing... firings) {
    return new RunTimeline(
        "run", List.of(new Episode(ONSET * MINUTE + 30_000, 90 * MINUTE)), List.of(),
        Arrays.asList(firings), 0, 120 * MINUTE, 30_000, Map.of());
  }
}
