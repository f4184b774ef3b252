package tallystick.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.answer.Tone;
import tallystick.answer.chart.Strip;
import tallystick.report.markup.Markup;

class StripPictureTest {
  @Test
  void goodStandsAboveBadAndWhatLiesBeyondAtTheEnd() {
    Markup html = new Markup();
    List<Strip.Value> values =
        List.of(
            new Strip.Value(0.25, Tone.GOOD), new Strip.Value(0.75, Tone.BAD),
            new Strip.Value(9, Tone.BAD));
    Charts.draw(html, new Strip("2 above", values, 0.5, 1));
    assertThat(html.toString())
        .contains("aria-label=\"2 above\"")
        .containsSubsequence(
            "M35.5 1V9\" stroke=\"var(--good)\"", "M104.5 11V19\" stroke=\"var(--bad)\"",
            "M139.0 11V19\" stroke=\"var(--bad)\"", "M70.0 0V20\" stroke=\"var(--ink)\"");
  }
}
