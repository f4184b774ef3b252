package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Stamp;
import tallystick.analysis.result.WaitPart;

class OutsideFindingsTest {
  private static final Figure UNKNOWN = Figure.missing("the whole run is one trend");

  @Test
  void aShareWhoseLowerBoundIsRealIsTold() {
    List<Finding> findings = of(0.3, Figure.of(0.2), Figure.of(0.4));
    assertThat(findings).singleElement().satisfies(
        one -> assertThat(one.evidence().getFirst()).contains("200.0 to 400.0 ms"));
    assertThat(of(0.3, Figure.of(0.009), Figure.of(0.6))).isEmpty();
  }

  /** A short run knows its own mean, which must be half of the whole. */
  @Test
  void withoutAnIntervalMoreIsAsked() {
    assertThat(of(0.49, UNKNOWN, UNKNOWN)).isEmpty();
    List<Finding> findings = of(0.51, UNKNOWN, UNKNOWN);
    assertThat(findings).singleElement().satisfies(
        one -> {
          assertThat(one.text()).startsWith("510.0 ms of the mean TTFT of 1000.0 ms (51 %)");
          assertThat(one.evidence()).containsExactly(
              "the mean of this run alone: it has no interval");
        });
  }

  private static List<Finding> of(double mean, Figure low, Figure high) {
    Decomposition.Part outside =
        new Decomposition.Part(
            WaitPart.OUTSIDE, new Interval(Figure.of(mean), low, high), "a test");
    Decomposition whole =
        new Decomposition(
            Decomposition.Whole.TTFT, true, "",
            new Interval(Figure.of(1), Figure.of(0.9), Figure.of(1.1)), List.of(outside),
            Stamp.NONE);
    return OutsideFindings.of(List.of(whole), List.of(), false);
  }
}
