package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.alerting.FirstRules;
import tallystick.report.markup.Definitions;
import tallystick.report.writing.HtmlPage;

class DefinitionsTest {
  private static final Path METRICS = Path.of("docs/metrics.md");

  @Test
  void everyMeaningStandsWordForWordInItsSectionOfTheDocument() throws IOException {
    String document = plain(Files.readString(METRICS));
    for (Definitions.Definition one : Definitions.all()) {
      String words = one.words().getFirst();
      assertThat(document).as("%s: not in %s", words, METRICS).contains(plain(one.text()));
      String heading = "## " + one.section().replace('-', ' ');
      assertThat(document.toLowerCase(java.util.Locale.ROOT)).as(words).contains(heading);
    }
  }

  @Test
  void noWordHasTwoMeanings() {
    assertThat(Definitions.all().stream().flatMap(one -> one.words().stream()))
        .doesNotHaveDuplicates();
  }

  @Test
  void aWordOnThePageLeadsToItsMeaningInTheSameFile() throws IOException {
    String page =
        HtmlPage.of(
            RunDocument.of(SampleAnalysis.of(), FirstRules.section(SampleAnalysis.of())),
            "");
    assertThat(page)
        .containsPattern("class=\"term\" href=\"#def-ttft\" title=\"How long[^>]*>TTFT</a>")
        .contains("id=\"def-ttft\"");
  }

  @Test
  void everyPageOfAnExperimentSaysWhatItsWordsMean(@TempDir Path folder) throws IOException {
    Map<String, Path> pages = EveryPage.write(folder);
    for (String name : List.of("capacity", "tune", "study", "regress", "compare", "history")) {
      String page = Files.readString(pages.get(name));
      List<String> links =
          Pattern.compile("class=\"term\" href=\"#([^\"]*)\"").matcher(page).results()
              .map(found -> found.group(1)).toList();
      assertThat(links).as(name).allMatch(to -> page.contains("id=\"" + to + "\""));
      if (!name.equals("study")) {
        assertThat(page).as(name).contains("id=\"definitions\"", "id=\"def-ttft\"");
      }
    }
    assertThat(Files.readString(pages.get("regress")))
        .containsPattern("href=\"#def-itl\" title=\"[^>]*>ITL P99</a>");
    assertThat(Files.readString(pages.get("capacity")))
        .containsPattern("href=\"#def-goodput\" title=\"[^>]*>good</a>");
  }

  private static String plain(String markdown) {
    return markdown.replaceAll("[`*|]", " ").replaceAll("\\s+", " ");
  }
}
