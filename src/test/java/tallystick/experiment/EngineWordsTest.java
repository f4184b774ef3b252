package tallystick.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineWordsTest {
  private static final String STARTED = "an engine that a command starts";

  @TempDir private Path runs;

  private void record(String name, String source) throws IOException {
    Path from = Path.of("reports/sample/record/manifest.json");
    Path folder = Files.createDirectories(runs.resolve(name).resolve("record"));
    String text = Files.readString(from);
    assertThat(text).contains("\"real\"");
    Files.writeString(folder.resolve("manifest.json"), text.replace("\"real\"", source));
  }

  @Test
  void whatACommandStartedIsToldByTheNewestRecord() throws IOException {
    assertThat(EngineWords.of(STARTED, runs.resolve("none"))).isEqualTo(STARTED);
    assertThat(EngineWords.of(STARTED, runs)).isEqualTo(STARTED);

    record("run-001", "\"real\"");
    assertThat(EngineWords.of(STARTED, runs)).isEqualTo(STARTED + " (version 0.32.0)");
    assertThat(EngineWords.of("vLLM 0.32.0 at http://x", runs)).doesNotContain("(version");

    record("run-002", "\"simulated\"");
    Files.createDirectories(runs.resolve("run-003"));
    String words = EngineWords.of(STARTED, runs);
    assertThat(words).isEqualTo(STARTED + " (a simulated one)");
    assertThat(TrustWords.simulated(words)).isNotEmpty();
  }
}
