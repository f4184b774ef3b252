package tallystick.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.experiment.regress.ComparedMetric;

class HistoryReadingTest {
  /** By name those of the first scenario were read, and the latest night of the last was not. */
  @Test
  void ofTooManyRunsTheLatestAreRead(@TempDir Path folder) throws IOException {
    for (int i = 0; i < 1003; i++) {
      String scenario = i < 2 ? "z" : "a";
      String name =
          String.format(
              Locale.ROOT, "%s-real-202601%02d-%02d%02d00-0001", scenario, 1 + i / 60,
              i % 60 / 30, i % 30);
      Path record = Files.createDirectories(folder.resolve(name).resolve("record"));
      Files.writeString(record.resolve("manifest.json"), "");
    }

    History history = HistoryReading.of(folder, List.of(ComparedMetric.TTFT_P95));

    assertThat(history.leftOut())
        .filteredOn(one -> one.why().equals("too many"))
        .extracting(History.LeftOut::folder)
        .containsExactly(
            "a-real-20260101-000200-0001", "z-real-20260101-000000-0001",
            "z-real-20260101-000100-0001");
    assertThat(history.leftOut()).hasSize(1003);
  }
}
