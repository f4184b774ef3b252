package tallystick.report;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.Golden;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Answer;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Manifest.Ending.State;

/** What two runs side by side say, on the terminal and in each file. */
class PairGoldenTest {
  static Stream<String> kinds() {
    return Stream.of("different", "equal", "one-invalid", "both-invalid");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void saysWhatItSaid(String kind) {
    Answer answer = RunPairTest.said(pair(kind));
    String golden = "pair/" + kind;
    Golden.assertSame(golden + ".txt", ScreenWriter.text(answer, Terminal.PLAIN));
    Golden.assertSame(
        golden + ".account.txt", ScreenWriter.withAccount(answer, new Terminal(false, 100)));
    Golden.assertSame(golden + ".md", AnswerFiles.markdown(answer));
    Golden.assertSame(
        golden + ".html", AnswerFiles.page(answer, "Two runs, no verdict."));
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

  private static RunAnalysis cut(String name) {
    return new SampleAnalysis()
        .withRun(
            SampleAnalysis.facts(
                name, "sim-8b", State.FAILED, "the disk was full", Manifest.Source.EMBEDDED))
        .build();
  }
}
