package tallystick.experiment.tune;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.Golden;
import tallystick.experiment.ScreenLines;
import tallystick.report.ScreenPage;

/** All that a tuning says, in each of its ends. */
class TuneGoldenTest {
  private static final String COMMAND = "./tally tune chat.yaml --seed 5";

  @TempDir private Path folder;

  private static Set<String> ends() {
    return MadeTuning.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("ends")
  void saysWhatItSaid(String name) throws Exception {
    TuneReport report = new TuneReport(MadeTuning.all().get(name));
    String screen =
        ScreenLines.in(
            "FOLDER",
            report.text().replace("COMMAND --resume", COMMAND + " --resume")
                .replace("COMMAND", COMMAND));
    ScreenPage.Verdict verdict =
        switch (report.outcome()) {
          case RECOMMENDED, KEEP_CURRENT -> ScreenPage.Verdict.GOOD;
          case NOT_PROVEN -> ScreenPage.Verdict.UNPROVEN;
          case NONE_HOLDS, NOT_TRUSTED -> ScreenPage.Verdict.BAD;
        };
    int exit =
        switch (report.outcome()) {
          case RECOMMENDED, KEEP_CURRENT -> 0;
          case NOT_PROVEN -> 5;
          case NONE_HOLDS -> 1;
          case NOT_TRUSTED -> 4;
        };
    Path there = Files.createDirectory(folder.resolve("chat-tune"));
    report.write(there);
    Path page =
        ScreenPage.write(
            there, screen, Instant.parse("2026-01-01T12:00:00Z"),
            new ScreenPage.Drawn(verdict, report.maps(), Optional.empty()));
    keep(name + ".code.txt", "" + exit);
    keep(name + ".txt", screen);
    keep(name + ".account.txt", report.wholeText());
    keep(name + ".page.txt", words(Files.readString(page)));
    keep(name + ".json", Files.readString(there.resolve("tune.json")));
    keep(name + ".answers.json", Files.readString(there.resolve("answers.json")));
  }

  private static void keep(String file, String said) {
    Golden.assertSame("tune/" + file, said);
  }

  /** A page without its style, its scripts and its tags, one sentence or cell in a line. */
  private static String words(String html) {
    return html
        .replaceAll("(?s)<(style|script)\\b.*?</\\1>", " ")
        .replaceAll("<[^>]*>", "\n")
        .replaceAll("\\s*\n\\s*", "\n");
  }
}
