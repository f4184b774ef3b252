package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;

class FileRowsTest {
  private static final RunClock CLOCK = MovedClock.of(1_000_000_000_000L, () -> 42);

  @TempDir private Path folder;

  @Test
  void makesARowOfEachTimestamp() throws IOException {
    List<ScrapeRow> rows =
        rows(
            """
            # TYPE a counter
            a_total{x="1"} 1 1000.5
            a_total{x="1"} 2 1001.5
            # TYPE b gauge
            b 7 1000.5
            b 8 1001.5
            b 8 1001.5
            # EOF
            """);
    assertThat(rows)
        .extracting(ScrapeRow::startedNanos)
        .containsExactly(500_000_000L, 1_500_000_000L);
    assertThat(rows.get(0).samples()).extracting(Sample::value).containsExactly(1.0, 7.0);
    assertThat(rows.get(1).samples()).extracting(Sample::value).containsExactly(2.0, 8.0);
  }

  @Test
  void takesACopyOfMetricsForOneScrapeOfNow() throws IOException {
    List<ScrapeRow> rows = rows("a 1\nb 2\n");
    assertThat(rows).singleElement().matches(row -> row.startedNanos() == 42);
    assertThat(rows.getFirst().samples()).hasSize(2);
  }

  @Test
  void readsMillisecondsInTheTextFormat() throws IOException {
    assertThat(rows("a 1 1000500\n").getFirst().startedNanos()).isEqualTo(500_000_000L);
  }

  @Test
  void namesTheLineThatIsWrong() throws IOException {
    assertThat(rows("a 1\nb x\n").getFirst().error()).startsWith("line 2: ");
  }

  @Test
  void saysThatAFileHoldsNoSamples() throws IOException {
    assertThat(rows("# only words\n").getFirst().error()).endsWith("holds no samples");
  }

  @Test
  void saysThatThereIsNoFile() {
    MetricsUrl gone = OpenUrl.of(folder.resolve("gone").toUri().toString());
    FileRows source = new FileRows(0, gone, CLOCK);
    assertThat(source.next().getFirst().error()).endsWith(": there is no such file");
  }

  private List<ScrapeRow> rows(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("metrics"), text);
    return new FileRows(0, OpenUrl.of(file.toUri().toString()), CLOCK).next();
  }
}
