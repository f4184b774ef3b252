package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Timeline;
import tallystick.analysis.result.Timeline.Track;
import tallystick.answer.Block;
import tallystick.answer.Section;
import tallystick.report.markup.Drawn;
import tallystick.report.markup.Markup;
import tallystick.report.picture.TimelineChart;

class PageSizeTest {
  private static final List<String> TRACKS =
      List.of(
          "num_requests_waiting", "num_requests_running", "kv_cache_usage_perc",
          "num_preemptions", "generation_tokens_per_second");

  /** An hour scraped every second. One value of one engine is far above all others. */
  @ParameterizedTest
  @CsvSource({"1, 1", "16, 3", "256, 3"})
  void aPageStaysSmallWhateverTheTargetsAndKeepsTheHighestValue(int engines, int megabytes) {
    String page = page(engines);
    assertThat(page.length()).as("%d engines", engines).isLessThan(megabytes * 1_000_000);
    String values = page.substring(page.indexOf("id=\"tracks\""));
    assertThat(values).contains(",77777,");
    assertThat(page.substring(0, page.indexOf("id=\"tracks\""))).contains("V22.22H");
  }

  @Test
  void eachOfAFewEnginesHasAStrokeOfItsOwn() {
    assertThat(page(1)).doesNotContain("stroke1");
    assertThat(page(2))
        .contains("class=\"line strong stroke1\"", "strong waiting stroke1\"><i></i>")
        .doesNotContain("stroke2");
    assertThat(page(5)).doesNotContain("stroke1");
  }

  private static String page(int engines) {
    List<Track> tracks = new ArrayList<>();
    for (int engine = 0; engine < engines; engine++) {
      for (String name : TRACKS) {
        tracks.add(track(name, engine));
      }
    }
    Markup html = new Markup();
    RunAnalysis analysis =
        new SampleAnalysis().over(new Timeline(1, List.of(), tracks)).build();
    Section section = TimelineChart.section(analysis);
    ((Drawn) ((Block.Picture) section.blocks().getFirst()).drawing()).draw(html);
    return html.toString();
  }

  private static Track track(String name, int engine) {
    double[] seconds = new double[3_600];
    double[] values = new double[3_600];
    Arrays.setAll(seconds, i -> i + 0.0203);
    Arrays.setAll(values, i -> (i * 7 + engine * 13) % 23 + 0.137);
    if (engine == 0 && name.equals("num_requests_waiting")) {
      values[2_797] = 77_777;
    }
    return new Track(name, "count", "engine " + engine, seconds, values);
  }
}
