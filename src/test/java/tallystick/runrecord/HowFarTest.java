package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HowFarTest {
  @TempDir Path folder;

  private Path requests(String run) throws IOException {
    Path record = Files.createDirectories(folder.resolve(run).resolve("record"));
    return Files.writeString(record.resolve("requests.ndjson"), "x".repeat(100));
  }

  @Test
  void severalRunsAreCounted() throws IOException {
    Path first = requests("a");
    Path second = requests("b");
    HowFar.ofRuns(4);
    assertThat(HowFar.words()).isEmpty();
    HowFar.read(first, 60);
    assertThat(HowFar.words()).matches("reading run 1 of 4, 15 %, \\d+ s left");
    HowFar.read(first, 60);
    HowFar.read(second, 1);
    assertThat(HowFar.words()).matches("reading run 2 of 4, 25 %, \\d+ s left");
    HowFar.oneRunLess();
    assertThat(HowFar.words()).startsWith("reading run 2 of 3");
  }

  @Test
  void whatWasReadIsWorkedOn() throws IOException {
    Path first = requests("a");
    HowFar.ofRuns(1);
    HowFar.read(first, 2);
    assertThat(HowFar.words()).isEqualTo("reading the run");
    HowFar.read(first, 98);
    assertThat(HowFar.words()).isEqualTo("read, working on the answer");
    HowFar.read(requests("b"), 50);
    assertThat(HowFar.words()).startsWith("reading the run, 50 %");
  }

  @Test
  void aSimulatedRunTellsItsShare() {
    HowFar.simulated(0.01);
    assertThat(HowFar.words()).isEqualTo("simulating");
    HowFar.simulated(0.62);
    assertThat(HowFar.words()).matches("simulating, 62 %, \\d+ s left");
    HowFar.ofRuns(1);
  }
}
