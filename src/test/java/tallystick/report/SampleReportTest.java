package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.AlertSections;
import tallystick.alerting.review.SteppedRun;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.RunAnalysis;
import tallystick.report.screen.Terminal;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RecordReader;

/**
 * Holds {@code reports/sample}: the record of a run against a real vLLM, and every rendering of
 * it. {@code mvn verify -Dupdate-sample} writes the renderings anew; their diff is reviewed like
 * code.
 */
class SampleReportTest {
  private static final Path SAMPLE = Path.of("reports/sample");

  @Test
  void theSampleIsWhatThisCodeWrites(@TempDir Path folder) throws IOException {
    List<Path> written = render(SAMPLE, folder);
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
  void itsEngineIsARealOne() throws IOException {
    RunAnalysis analysis = Analyzer.analyze(RecordReader.open(SAMPLE));
    assertThat(analysis.run().source()).isEqualTo(Manifest.Source.REAL);
    assertThat(Files.readString(SAMPLE.resolve("report.html"))).doesNotContain("simulated engine");
  }

  @Test
  void everyRenderingOfTheSameRunOnASimulatedEngineSaysSo(@TempDir Path folder)
      throws IOException {
    Path run = folder.resolve("run");
    Files.createDirectories(run.resolve("record"));
    try (Stream<Path> files = Files.list(SAMPLE.resolve("record"))) {
      for (Path file : files.toList()) {
        Files.copy(file, run.resolve("record").resolve(file.getFileName()));
      }
    }
    Path manifest = run.resolve("record/manifest.json");
    String real = "\"source\" : \"real\"";
    String text = Files.readString(manifest);
    assertThat(text).contains(real);
    Files.writeString(manifest, text.replace(real, "\"source\" : \"embedded\""));

    for (Path file : render(run, folder)) {
      assertThat(Files.readString(file)).as("%s", file).containsAnyOf("simulated", "embedded");
    }
    assertThat(Files.readString(folder.resolve("report.html")))
        .contains("simulated engine", "do not describe real hardware");
  }

  private static List<Path> render(Path run, Path folder) throws IOException {
    RunAnalysis analysis = Analyzer.analyze(RecordReader.open(run));
    AlertReview review = SteppedRun.review(RecordReader.open(run), analysis).orElseThrow();
    List<Path> written =
        new ArrayList<>(Reports.writeAll(analysis, AlertSections.of(review), folder));
    Path console = folder.resolve("console.txt");
    Files.writeString(console, SampleAnalysis.console(analysis, false));
    written.add(console);
    Path screen = folder.resolve("first-screen.txt");
    Files.writeString(screen, Shown.firstScreen(analysis, run, Terminal.PLAIN));
    written.add(screen);
    return written;
  }
}
