package tallystick.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import tallystick.answer.chart.LevelSeries;
import tallystick.report.markup.Markup;

class LevelChartTest {
  private static final String CUT = "The axis does not begin at 0.";

  @Test
  void theAxisIsSaidToBeCutOnlyWhereZeroIsNotOnIt() {
    assertThat(drawn("0.32.0", 100, 101, 102)).contains("Words. " + CUT);
    // The room below the lowest value reaches to zero and beyond.
    assertThat(drawn("0.32.0", 20, 300, 310)).contains("Words.").doesNotContain(CUT);
  }

  @Test
  void aReleaseIsWrittenOutWhereThereIsRoom() {
    assertThat(drawn("0.32.0+tallystick.sim", 1, 2, 3)).contains(">0.32.0+tallystick.sim</text>");
  }

  @Test
  void aReleaseThatWouldReachTheNextOneIsCut() {
    assertThat(drawn(List.of("0.32.0+first.build", "0.32.0+second.build", "0.32.0+second.build")))
        .contains(">0.32.0+first.bui…</text>", ">0.32.0+second.build</text>");
  }

  private static String drawn(String release, double... values) {
    return drawn(
        DoubleStream.of(values)
            .mapToObj(value -> new LevelSeries.Run(value, release, "a run"))
            .toList(),
        "Words.");
  }

  private static String drawn(List<String> releases) {
    return drawn(
        releases.stream().map(one -> new LevelSeries.Run(1, one, "a run")).toList(), "Words.");
  }

  private static String drawn(List<LevelSeries.Run> runs, String words) {
    Markup html = new Markup();
    LevelChart.draw(
        html,
        new LevelSeries("TTFT P95", words, runs, List.of(), List.of(), String::valueOf));
    return html.toString();
  }
}
