package tallystick.experiment.capacity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.Golden;
import tallystick.cli.exit.ExitCode;
import tallystick.experiment.ScreenLines;
import tallystick.report.ScreenPage;

/** What every end of a search says: screen, page, figures, line in the list of runs, exit code. */
class CapacityGoldenTest {
  private static final String FOLDER = "reports/chat-capacity-1";
  private static Map<String, CapacityEnd> ends;

  @TempDir private Path top;

  @BeforeAll
  static void makeEnds() {
    ends = MadeEnds.all();
  }

  static Set<String> names() {
    return MadeEnds.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyEndSaysTheSameAsBefore(String name) throws IOException {
    CapacityReport report = new CapacityReport(ends.get(name));
    String typed = "./tally capacity chat.yaml --rehearse";
    String said =
        report.text()
            .replace("COMMAND --resume", typed + " --resume")
            .replace("COMMAND", typed);
    Golden.assertSame("capacity/" + name + ".txt", ScreenLines.in(FOLDER, said));
    Path folder = Files.createDirectories(top.resolve("chat-capacity-1"));
    Path page =
        ScreenPage.write(
            folder, said, Instant.parse("2026-01-01T12:00:00Z"),
            new ScreenPage.Drawn(
                verdict(code(report.outcome())), List.of(), Optional.of(report.curve())));
    report.write(folder);
    for (Path file : List.of(page, folder.resolve("answers.json"))) {
      String text = withoutStyle(Files.readString(file).replace(folder.toString(), FOLDER));
      String ending = file.equals(page) ? ".html" : ".answers.json";
      Golden.assertSame("capacity/" + name + ending, text);
    }
    Golden.assertSame(
        "capacity/" + name + ".json", Files.readString(folder.resolve("capacity.json")));
  }

  private static String withoutStyle(String page) {
    return page.replaceAll("(?s)<(script|style)>.*?</\\1>\\s*", "");
  }

  @Test
  void everyEndHasItsExitCode() {
    StringBuilder codes = new StringBuilder();
    ends.forEach(
        (name, end) ->
            codes.append(name).append(' ')
                .append(code(new CapacityReport(end).outcome()).number()).append('\n'));
    Golden.assertSame("capacity/exit-codes.txt", codes.toString());
  }

  private static ExitCode code(CapacityReport.Outcome outcome) {
    return switch (outcome) {
      case CERTIFIED -> ExitCode.GOOD;
      case NOT_PROVEN -> ExitCode.NOT_PROVEN;
      case NEVER_HELD -> ExitCode.RESULT_FAILS;
      case NOT_TRUSTED -> ExitCode.NOT_TRUSTED;
      case BUDGET_TOO_SMALL -> ExitCode.USER_MISTAKE;
    };
  }

  private static ScreenPage.Verdict verdict(ExitCode code) {
    return switch (code) {
      case GOOD -> ScreenPage.Verdict.GOOD;
      case NOT_PROVEN -> ScreenPage.Verdict.UNPROVEN;
      case RESULT_FAILS, NOT_TRUSTED -> ScreenPage.Verdict.BAD;
      case USER_MISTAKE, WORLD_FAILED, BUG, INTERRUPTED -> ScreenPage.Verdict.NONE;
    };
  }
}
