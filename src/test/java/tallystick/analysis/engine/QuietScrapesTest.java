package tallystick.analysis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;

class QuietScrapesTest {
  @Test
  void oneThatIsMissingIsToldInSecondsAfterTheWindowsOrigin() {
    OptionalLong before = OptionalLong.of(9_500_000_000L);
    OptionalLong after = OptionalLong.of(72_000_001_000L);
    QuietScrapes quiet =
        new QuietScrapes(
            new MeasuredWindow(10_000_000_000L, 69_000_000_000L, before, after, Set.of(), false));
    Sample any = new Sample(Series.of("vllm:a", Map.of(), Series.Type.GAUGE), 1);
    quiet.read(new ScrapeRow(0, 9_500_000_000L, 9_600_000_000L, List.of(any), ""));
    assertThat(quiet.missing()).containsExactly("62.000001 s");
  }
}
