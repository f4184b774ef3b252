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
      capacity   chat on simulated engine   31 of 30 min
               budget
      VERDICT  64.1 requests/s hold TTFT <= 250 ms and TPOT <= 30 ms of every request
               for 99 %
               interval 62.9 to 65.0
      TRUST    yes
        rate  good
          64  99.6 %
      NEXT     ./tally plan chat.yaml
               ./tally open FOLDER/alerts
      """;

  @Test
  void saysWhatTheScreenSaysAndStandsInTheListOfRuns(@TempDir Path top) throws IOException {
    Path reports = top.resolve("reports");
    Path folder = Files.createDirectories(reports.resolve("chat-capacity"));
    Path page =
        ScreenPage.write(
            folder, SCREEN, Instant.EPOCH, ScreenPage.Drawn.words(ScreenPage.Verdict.GOOD));
    assertThat(page).isEqualTo(folder.resolve("capacity.html"));
    assertThat(Files.readString(page))
        .contains(
            "<p>64.1 requests/s hold TTFT &lt;= 250 ms and TPOT &lt;= 30 ms of every request for"
                + " 99 %</p>",
            "<div class=\"good\"><dt>Verdict</dt>", "<div class=\"plain\"><dt>Trust</dt>",
            "<p class=\"more\">interval 62.9 to 65.0</p>",
            "  rate  <a class=\"term\" href=\"#def-goodput\">good</a>\n    64  99.6 %")
        .contains("./tally plan chat.yaml", "default-src 'none'")
        .contains("chat on simulated engine · 31 of 30 min budget")
        .contains("./tally open " + folder + "/alerts");
    assertThat(Files.readString(RunsPage.renew(folder).orElseThrow()))
        .contains("./chat-capacity/capacity.html", "for 99 %; interval 62.9")
        .contains("<span class=\"chip caution\">chat on simulated engine");
  }

  @Test
  void anEarnedAlertIsALineOfItsOwnHoweverLongItIs(@TempDir Path top) throws IOException {
    String screen =
        """
        study    chat on vLLM 0.32.0   2 of 9 alerts earned
        EARNED   VLLMTTFTBudgetBurnTicket: bad requests > 3 % in 1d and in 2h  (ticket)
                 VLLMTTFTAvailabilityBudgetBurnTicket: bad requests > 3 % in 1d and in 2h
                 (ticket)
                 VLLMHighTTFT: TTFT P99 > 0.25 s in 5m  (warning)
        """;
    Path page =
        ScreenPage.write(
            top, screen, Instant.EPOCH, ScreenPage.Drawn.words(ScreenPage.Verdict.GOOD));
    assertThat(Files.readString(page))
        .contains(
            "<p>VLLMTTFTBudgetBurnTicket: bad requests &gt; 3 % in 1d and in 2h  (ticket)</p>",
            "<p class=\"more\">VLLMTTFTAvailabilityBudgetBurnTicket: bad requests &gt; 3 % in 1d"
                + " and in 2h (ticket)</p>",
            "<p class=\"more\">VLLMHighTTFT: TTFT P99 &gt; 0.25 s in 5m  (warning)</p>");
  }
}
