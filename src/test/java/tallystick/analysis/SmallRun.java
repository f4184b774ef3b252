package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;

import java.util.List;
import java.util.function.UnaryOperator;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Timeline;
import tallystick.runrecord.RequestRow;

/** A small run with an engine that answers at once, and words to ask its analysis with. */
public final class SmallRun {
  private SmallRun() {}

  /** Requests one second apart from 10 s on, served by an engine that answers at once. */
  public static MadeRun run(
      int count, double overhead, UnaryOperator<MadeRequest> shape) {
    MadeRun run = new MadeRun().window(10, 69);
    Exposition exposition = new Exposition();
    run.scrape(9, exposition);
    double spacing = count > 55 ? 55.0 / count : 1;
    for (int i = 0; i < count; i++) {
      RequestRow row = shape.apply(request(i, 10 + i * spacing)).build();
      run.requests.add(row);
      if (row.hasFirstToken() && row.usage().isKnown()) {
        exposition.serve(row, overhead);
      }
    }
    return run.scrape(72, exposition);
  }

  public static double value(Figure figure) {
    assertThat(figure).isInstanceOf(Figure.Known.class);
    return ((Figure.Known) figure).value();
  }

  public static List<String> codes(RunAnalysis analysis) {
    return analysis.findings().stream()
        .filter(finding -> finding.code() != Finding.Code.LOST_SCRAPES)
        .map(finding -> finding.code().code())
        .toList();
  }

  public static Finding finding(RunAnalysis analysis, String code) {
    return analysis.findings().stream()
        .filter(finding -> finding.code().code().equals(code))
        .findFirst()
        .orElseThrow(() -> new AssertionError(code + " is not in " + analysis.findings()));
  }

  static Timeline.Track track(List<Timeline.Track> tracks, String name) {
    return tracks.stream().filter(track -> track.name().equals(name)).findFirst().orElseThrow();
  }
}
