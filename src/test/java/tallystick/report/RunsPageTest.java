package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunsPageTest {
  @Test
  void listsTheNewestRunFirstWithItsAnswer(@TempDir Path reports) throws IOException {
    Reports.writeAll(SampleAnalysis.of(), reports.resolve("first"));
    assertThat(RunsPage.write(reports)).isEmpty();
    Reports.writeAll(SampleAnalysis.of(), reports.resolve("<second> & more"));
    startedIn(2030, reports.resolve("<second> & more"));
    Optional<Path> page = RunsPage.write(reports);
    assertThat(page).contains(reports.resolve("index.html"));
    String html = Files.readString(page.orElseThrow());
    assertThat(html.indexOf("./%3Csecond%3E%20%26%20more/report.html"))
        .isPositive()
        .isLessThan(html.indexOf("./first/report.html"));
    assertThat(html).contains("VERDICT", "TRUST", "TTFT P95", "simulated engine");
  }

  @Test
  void leavesAPageOfSomebodyElseAlone(@TempDir Path reports) throws IOException {
    Reports.writeAll(SampleAnalysis.of(), reports.resolve("a"));
    Reports.writeAll(SampleAnalysis.of(), reports.resolve("b"));
    Files.writeString(reports.resolve("index.html"), "<h1>mine</h1>");
    assertThat(RunsPage.write(reports)).isEmpty();
    assertThat(reports.resolve("index.html")).hasContent("<h1>mine</h1>");
  }

  @Test
  void aRunWhoseAnswersAreDamagedIsLeftOut(@TempDir Path reports) throws IOException {
    for (String name : java.util.List.of("a", "b", "c")) {
      Reports.writeAll(SampleAnalysis.of(), reports.resolve(name));
    }
    Files.writeString(reports.resolve("b").resolve(RunsPage.ANSWERS), "{\"name\": 3");
    String html = Files.readString(RunsPage.write(reports).orElseThrow());
    assertThat(html).contains("./a/", "./c/").doesNotContain("./b/");
  }

  private static void startedIn(int year, Path folder) throws IOException {
    Path file = folder.resolve(RunsPage.ANSWERS);
    String began = "\"started_utc\" : \"";
    Files.writeString(
        file, Files.readString(file).replaceAll(began + "\\d{4}", began + year));
  }
}
