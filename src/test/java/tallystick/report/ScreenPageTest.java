package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScreenPageTest {
  private static final String SCREEN =
      """
      capacity   chat on simulated engine   31 min of 30 m
               budget
      VERDICT  64.1 requests/s hold TTFT <= 250 ms
               for 99 %
      TRUST    yes
        rate  good
          64  99.6 %
      NEXT     ./tally plan chat.yaml
      """;

  @Test
  void saysWhatTheScreenSaysAndStandsInTheListOfRuns(@TempDir Path top) throws IOException {
    Path reports = top.resolve("reports");
    Path folder = Files.createDirectories(reports.resolve("chat-capacity"));
    Path page = ScreenPage.write(folder, SCREEN, Instant.EPOCH, ScreenPage.Pictures.NONE);
    assertThat(page).isEqualTo(folder.resolve("capacity.html"));
    assertThat(Files.readString(page))
        .contains("64.1 requests/s hold TTFT &lt;= 250 ms for 99 %", "  rate  good\n    64  99.6 %")
        .contains("./tally plan chat.yaml", "default-src 'none'")
        .contains("chat on simulated engine · 31 min of 30 m budget");
    assertThat(Files.readString(RunsPage.renew(folder).orElseThrow()))
        .contains("./chat-capacity/capacity.html", "64.1 requests/s");
  }
}
