package tallystick.experiment.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.Golden;
import tallystick.experiment.ScreenLines;
import tallystick.report.ScreenPage;

/** All that a study says, in each of its ends. */
class StudyGoldenTest {
  private static final String COMMAND = "./tally study chat.yaml --seed 5";

  @TempDir private Path folder;

  private static Set<String> ends() {
    return MadeStudies.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("ends")
  void saysWhatItSaid(String name) throws Exception {
    MadeStudies.Made made = MadeStudies.all().get(name);
    StudyReport report = new StudyReport(made.study(), made.reviews());
    String screen =
        ScreenLines.in(
            "FOLDER",
            report.text().replace("COMMAND --resume", COMMAND + " --resume")
                .replace("COMMAND", COMMAND));
    ScreenPage.Verdict verdict =
        switch (report.outcome()) {
          case EARNED -> ScreenPage.Verdict.GOOD;
          case NOT_PROVEN -> ScreenPage.Verdict.UNPROVEN;
          case NOT_TRUSTED -> ScreenPage.Verdict.BAD;
          case BUDGET_TOO_SMALL -> ScreenPage.Verdict.NONE;
        };
    int exit =
        switch (report.outcome()) {
          case EARNED -> 0;
          case NOT_PROVEN -> 5;
          case NOT_TRUSTED -> 4;
          case BUDGET_TOO_SMALL -> 2;
        };
    Path there = Files.createDirectory(folder.resolve("chat-study"));
    report.write(there);
    ScreenPage.write(
        there, screen, Instant.parse("2026-01-01T12:00:00Z"), ScreenPage.Drawn.words(verdict));

    keep(name + ".code.txt", "" + exit);
    keep(name + ".txt", screen);
    keep(name + ".summary.md", StudySummary.of(made.study(), screen));
    keep(name + ".page.txt", words(Files.readString(there.resolve("study.html"))));
    keep(name + ".json", Files.readString(there.resolve("study.json")));
    keep(name + ".answers.json", Files.readString(there.resolve("answers.json")));
  }

  private static void keep(String file, String said) {
    Golden.assertSame("study/" + file, said);
  }

  /** A page without its style, its scripts and its tags, one sentence or cell in a line. */
  private static String words(String html) {
    return html
        .replaceAll("(?s)<(style|script)\\b.*?</\\1>", " ")
        .replaceAll("<[^>]*>", "\n")
        .replaceAll("\\s*\n\\s*", "\n");
  }
}
