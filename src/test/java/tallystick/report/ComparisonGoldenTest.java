package tallystick.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.Golden;
import tallystick.experiment.regress.RegressReport;
import tallystick.report.screen.Terminal;

/** What a comparison of each kind says, on the terminal and in each of its files. */
class ComparisonGoldenTest {
  @TempDir private Path top;

  static Stream<String> kinds() {
    return MadeComparisons.all().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void saysWhatItSaid(String kind) throws IOException {
    RegressReport report = MadeComparisons.all().get(kind);
    Path folder = Files.createDirectory(top.resolve("made-regress-1"));
    RegressionText.write(report, folder);
    String golden = "compare/" + kind;
    Golden.assertSame(golden + ".txt", RegressionText.screen(report, Terminal.PLAIN));
    Golden.assertSame(golden + ".md", read(folder, "summary.md"));
    Golden.assertSame(golden + ".html", bare(read(folder, "regress.html")));
    Golden.assertSame(golden + ".junit.xml", read(folder, "junit.xml"));
    Golden.assertSame(golden + ".answers.json", read(folder, "answers.json"));
    Golden.assertSame(golden + ".json", report.json());
  }

  private static String read(Path folder, String file) throws IOException {
    return Files.readString(folder.resolve(file));
  }

  /** A page without what every page has. */
  static String bare(String page) {
    return page.replaceAll("(?s)<(script|style)>.*?</\\1>", "");
  }
}
