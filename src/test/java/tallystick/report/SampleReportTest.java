package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.SteppedRun;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.RecordReader;

/**
 * Holds {@code reports/sample}: a real record of the scenario beside it on the embedded engine,
 * and every rendering of it. {@code mvn verify -Dupdate-sample} writes the renderings anew; their
 * diff is reviewed like code.
 */
class SampleReportTest {
  private static final Path SAMPLE = Path.of("reports/sample");

  @Test
  void theSampleIsWhatThisCodeWrites(@TempDir Path folder) throws IOException {
    List<Path> written = render(folder);
    if (System.getProperty("update-sample") != null) {
      for (Path file : written) {
        Files.copy(
            file, SAMPLE.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    for (Path file : written) {
      assertThat(SAMPLE.resolve(file.getFileName()))
          .as("%s differs: run mvn verify -Dupdate-sample and review", file.getFileName())
          .hasSameTextualContentAs(file);
    }
  }

  @Test
  void theSampleSaysThatItsEngineIsSimulated() throws IOException {
    RunAnalysis analysis = Analyzer.analyze(RecordReader.open(SAMPLE));
    assertThat(analysis.run().source().isSimulated()).isTrue();
    assertThat(Files.readString(SAMPLE.resolve("report.html"))).contains("simulated engine");
  }

  private static List<Path> render(Path folder) throws IOException {
    RunAnalysis analysis = Analyzer.analyze(RecordReader.open(SAMPLE));
    AlertReview review = SteppedRun.review(RecordReader.open(SAMPLE), analysis).orElseThrow();
    List<Path> written = new ArrayList<>(Reports.writeAll(analysis, review, folder));
    Path console = folder.resolve("console.txt");
    Files.writeString(console, Reports.console(analysis, false));
    written.add(console);
    Path screen = folder.resolve("first-screen.txt");
    Files.writeString(screen, Reports.firstScreen(analysis, SAMPLE, false));
    written.add(screen);
    return written;
  }
}
