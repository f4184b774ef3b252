package tallystick.analysis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series;
import tallystick.runrecord.Series.Type;

class FamilyGapsTest {
  private final FamilyGaps gaps = new FamilyGaps();
  private final SeriesTrack tokens = track("vllm:generation_tokens_total", Type.COUNTER);
  private final SeriesTrack preemptions = track("vllm:num_preemptions_total", Type.COUNTER);
  private final SeriesTrack running = track("vllm:num_requests_running", Type.GAUGE);
  private final SeriesTrack unknown = track("other_total", Type.COUNTER);

  @Test
  void aFamilyThatComesBackHadAHole() {
    for (int scrape = 0; scrape <= 5; scrape++) {
      gaps.note(preemptions, scrape);
      if (scrape < 2 || scrape > 3) {
        gaps.note(tokens, scrape);
      }
    }

    assertThat(gaps.holes()).containsExactly("vllm:generation_tokens_total: 2 of 5");
    assertThat(gaps.gone()).isEmpty();
  }

  @Test
  void aCounterThatStaysAwayIsGoneAndAGaugeHasAHole() {
    for (int scrape = 0; scrape <= 5; scrape++) {
      gaps.note(preemptions, scrape);
      if (scrape < 2) {
        gaps.note(tokens, scrape);
        gaps.note(running, scrape);
        gaps.note(unknown, scrape);
      }
    }

    assertThat(gaps.gone()).containsExactly("vllm:generation_tokens_total");
    assertThat(gaps.holes()).containsExactly("vllm:num_requests_running: 4 of 5");
  }

  @Test
  void aFamilyThatAppearsLateHasNoHole() {
    gaps.note(preemptions, 0);
    gaps.note(preemptions, 1);
    gaps.note(preemptions, 2);
    gaps.note(tokens, 2);

    assertThat(gaps.gone()).isEmpty();
    assertThat(gaps.holes()).isEmpty();
  }

  private static SeriesTrack track(String name, Type type) {
    return new SeriesTrack(
        new Sample(Series.of(name, Map.of("engine", "0"), type), 0), true, 0);
  }
}
