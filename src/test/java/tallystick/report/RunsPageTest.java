package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.analysis.result.Finding;
import tallystick.answer.Section;
import tallystick.experiment.study.MadeStudies;

class RunsPageTest {
  @Test
  void listsTheNewestRunFirstWithItsAnswer(@TempDir Path top) throws IOException {
    Path reports = top.resolve("reports");
    SampleAnalysis.writeAll(SampleAnalysis.of(), reports.resolve("first"));
    SampleAnalysis.writeAll(SampleAnalysis.of(), reports.resolve("<second> & more"));
    startedIn(2030, reports.resolve("<second> & more"));
    Optional<Path> page = RunsPage.renew(reports.resolve("first"));
    assertThat(page).contains(reports.resolve("index.html"));
    String html = Files.readString(page.orElseThrow());
    assertThat(html.indexOf("./%3Csecond%3E%20%26%20more/report.html"))
        .isPositive()
        .isLessThan(html.indexOf("./first/report.html"));
    assertThat(html).contains("MISSED", "TRUST", "TTFT P95", "simulated engine");
  }

  @Test
  void anExperimentsLineBeginsWithItsVerdict(@TempDir Path top) throws IOException {
    Path study = Files.createDirectories(top.resolve("reports/study"));
    AnswerFiles.write(MadeStudies.earned(), study, "2026-01-01T12:00:00Z");
    assertThat(Files.readString(RunsPage.renew(study).orElseThrow()))
        .containsPattern("<p class=\"says good\"><b>READY</b> 2 alerts with a threshold learned");
  }

  @Test
  void runsOfOneScenarioStandTogetherAndThoseOfAnExperimentBelowIt(@TempDir Path top)
      throws IOException {
    Path reports = top.resolve("reports");
    SampleAnalysis.writeAll(SampleAnalysis.of(), reports.resolve("a"));
    SampleAnalysis.writeAll(SampleAnalysis.of(), reports.resolve("b"));
    startedIn(2030, reports.resolve("b"));
    Path study = Files.createDirectories(reports.resolve("study"));
    AnswerFiles.write(MadeStudies.earned(), study, "2026-01-01T12:00:00Z");
    for (String part : List.of("study/runs/one", "study/runs/two", "elsewhere/runs/three")) {
      Path run = Files.createDirectories(reports.resolve(part));
      Reports.writePage(SampleAnalysis.of(), Section.of("", "", List.of()), run);
    }
    String html = Files.readString(RunsPage.renew(study).orElseThrow());
    assertThat(html)
        .contains("colspan=\"7\">" + SampleAnalysis.of().run().scenario() + ", 2 runs</th>")
        .containsSubsequence(
            "./b/report.html", "./a/report.html", "./study/study.html",
            "class=\"part\"><th scope=\"row\"><a href=\"./study/runs/two/report.html",
            "./study/runs/one/report.html")
        .doesNotContain("three");
  }

  @Test
  void manyRunsOfOneScenarioPointToTheirHistory(@TempDir Path top) throws IOException {
    Path reports = top.resolve("reports");
    for (int i = 0; i < 9; i++) {
      SampleAnalysis.writeAll(SampleAnalysis.of(), reports.resolve("run" + i));
    }
    Path last = reports.resolve("run0");
    assertThat(Files.readString(RunsPage.renew(last).orElseThrow())).doesNotContain("history");
    SampleAnalysis.writeAll(SampleAnalysis.of(), reports.resolve("run9"));
    assertThat(Files.readString(RunsPage.renew(last).orElseThrow()))
        .contains(", 10 runs; tally history reports tells where their level changed");
  }

  @Test
  void runsOfAnInterruptedExperimentStandBelowItsName(@TempDir Path top) throws IOException {
    Path reports = top.resolve("reports");
    SampleAnalysis.writeAll(SampleAnalysis.of(), reports.resolve("a"));
    Path tune = Files.createDirectories(reports.resolve("tune"));
    Files.writeString(tune.resolve("journal.ndjson"), "{}\n");
    for (String part : List.of("tune/runs/one", "tune/runs/two")) {
      Path run = Files.createDirectories(reports.resolve(part));
      Reports.writePage(SampleAnalysis.of(), Section.of("", "", List.of()), run);
    }
    assertThat(Files.readString(RunsPage.renew(tune).orElseThrow()))
        .containsSubsequence(
            ">tune, 2 runs: interrupted, or still running</th>",
            "class=\"part\"><th scope=\"row\"><a href=\"./tune/runs/",
            "class=\"part\"><th scope=\"row\"><a href=\"./tune/runs/");
  }

  @Test
  void leavesAPageOfSomebodyElseAlone(@TempDir Path top) throws IOException {
    Path reports = top.resolve("reports");
    SampleAnalysis.writeAll(SampleAnalysis.of(), reports.resolve("a"));
    SampleAnalysis.writeAll(SampleAnalysis.of(), reports.resolve("b"));
    Files.writeString(reports.resolve("index.html"), "<h1>mine</h1>");
    assertThat(RunsPage.renew(reports.resolve("a"))).isEmpty();
    assertThat(reports.resolve("index.html")).hasContent("<h1>mine</h1>");
  }

  @Test
  void aRunElsewhereHasNoList(@TempDir Path elsewhere) throws IOException {
    SampleAnalysis.writeAll(SampleAnalysis.of(), elsewhere.resolve("a"));
    assertThat(RunsPage.renew(elsewhere.resolve("a"))).isEmpty();
    assertThat(elsewhere.resolve("index.html")).doesNotExist();
  }

  @Test
  void aRunOneFolderDeeperIsInTheList(@TempDir Path top) throws IOException {
    Path run = top.resolve("reports/steps/up");
    SampleAnalysis.writeAll(SampleAnalysis.of(), run);
    assertThat(Files.readString(RunsPage.renew(run).orElseThrow()))
        .contains("./steps/up/report.html");
    assertThat(top.resolve("reports/steps/index.html")).doesNotExist();
  }

  @Test
  void figuresOfAnInvalidRunStepBack(@TempDir Path top) throws IOException {
    Path reports = top.resolve("reports");
    SampleAnalysis sample = new SampleAnalysis();
    SampleAnalysis.writeAll(sample.build(), reports.resolve("a"));
    assertThat(Files.readString(RunsPage.renew(reports.resolve("a")).orElseThrow()))
        .doesNotContain("number missing");
    sample.findings =
        List.of(
            new Finding(
                Finding.Code.CLIENT_SATURATED, "Late.",
                List.of(), ""));
    SampleAnalysis.writeAll(sample.build(), reports.resolve("a"));
    assertThat(Files.readString(RunsPage.renew(reports.resolve("a")).orElseThrow()))
        .contains("<td class=\"number missing\" ");
  }

  @Test
  void aRunWhoseAnswersAreDamagedIsLeftOut(@TempDir Path top) throws IOException {
    Path reports = top.resolve("reports");
    for (String name : List.of("a", "b", "c")) {
      SampleAnalysis.writeAll(SampleAnalysis.of(), reports.resolve(name));
    }
    Files.writeString(reports.resolve("b").resolve(RunsPage.ANSWERS), "{\"name\": 3");
    String html = Files.readString(RunsPage.renew(reports.resolve("a")).orElseThrow());
    assertThat(html).contains("./a/", "./c/").doesNotContain("./b/");
  }

  private static void startedIn(int year, Path folder) throws IOException {
    Path file = folder.resolve(RunsPage.ANSWERS);
    String began = "\"run\" : \"";
    Files.writeString(
        file, Files.readString(file).replaceAll(began + "\\d{4}", began + year));
  }
}
