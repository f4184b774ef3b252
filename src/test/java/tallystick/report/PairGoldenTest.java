package tallystick.report;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.Golden;
import tallystick.report.screen.Screen;
import tallystick.report.screen.Terminal;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Manifest.Ending.State;

/** What two runs side by side say, on the terminal and in each file. */
class PairGoldenTest {
  private static final List<String> NAMED = List.of("reports/a", "my <b>");

  static Stream<String> kinds() {
    return Stream.of("different", "equal", "one-invalid", "both-invalid");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void saysWhatItSaid(String kind) {
    RunPair pair = pair(kind);
    String golden = "pair/" + kind;
    Golden.assertSame(
        golden + ".txt", Screen.text(room -> pair.screen(NAMED, room), Terminal.PLAIN));
    Golden.assertSame(golden + ".account.txt", pair.text(false));
    Golden.assertSame(golden + ".md", pair.markdown());
    Golden.assertSame(golden + ".html", ComparisonGoldenTest.bare(pair.page(NAMED)));
  }

  private static RunPair pair(String kind) {
    return switch (kind) {
      case "different" -> RunPairTest.pair();
      case "equal" -> RunPairTest.pair(SampleAnalysis.of(), SampleAnalysis.of());
      case "one-invalid" -> RunPairTest.pair(SampleAnalysis.of(), cut("kv-pressure"));
      case "both-invalid" -> RunPairTest.pair(cut("kv-pressure"), cut("another"));
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private static tallystick.analysis.result.RunAnalysis cut(String name) {
    return new SampleAnalysis()
        .withRun(
            SampleAnalysis.facts(
                name, "sim-8b", State.FAILED, "the disk was full", Manifest.Source.EMBEDDED))
        .build();
  }
}
