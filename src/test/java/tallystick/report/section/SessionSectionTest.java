package tallystick.report.section;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tallystick.report.SampleAnalysis;
import tallystick.report.SampleLater;

class SessionSectionTest {
  @Test
  void theScreenTellsSessionsInOneLine() {
    assertThat(SessionSection.sentence(SampleLater.sessions(120)))
        .hasValue(
            "120 of 120 completed; half took at most 8.40 s, without pauses 4.90 s;"
                + " 1,100 good/hour");
  }

  @Test
  void theAccountTellsEachTurn() {
    SampleAnalysis sample = new SampleAnalysis();
    sample.sessions = SampleLater.sessions(120);
    assertThat(SampleAnalysis.console(sample.build(), false))
        .containsPattern("1 +120 +200 ms +600 ms +2.21 s +4.93 s +256 +0 %")
        .containsPattern("2 and later +120 +100 ms +300 ms +2.21 s +4.93 s +512 +100 %");
  }

  @Test
  void aRunOfSingleRequestsHasNoSuchSection() {
    assertThat(SampleAnalysis.console(SampleAnalysis.of(), false)).doesNotContain("Sessions:");
    assertThat(SessionSection.sentence(SampleLater.sessions(0))).isEmpty();
  }
}
