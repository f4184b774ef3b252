package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures that lie beside a record stand in for it only while they are of that very record. */
class KeptFiguresTest {
  private static final String FILE = "figures.json";

  @TempDir Path folder;
  private Path one;
  private Path other;
  private String read;

  @BeforeEach
  void twoRunsThatNobodyHasReadYet() throws IOException {
    one = simulated("one", "1");
    other = simulated("other", "1.5");
    read = history();
  }

  private Path simulated(String name, String slow) throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("small.yaml"),
            "workload: {arrival: poisson, rate: 12, prompt_tokens: 200, output_tokens: 30}\n"
                + "duration: 8s\n");
    Path out = folder.resolve("runs").resolve(name);
    CommandRun run =
        CommandRun.of(
            "simulate", scenario.toString(), "--fault", "slow:decode=" + slow, "--no-report",
            "--out", out.toString());
    assertThat(run.code()).as(run.output()).isZero();
    return CommandRun.onlyRun(out);
  }

  private String history() {
    return CommandRun.of(
            "history", folder.resolve("runs").toString(), "--metric", "tpot_mean", "--json")
        .output();
  }

  /** Writes another figure into a file, so that its use would be seen. */
  private void poison(Path run) throws IOException {
    ObjectNode kept = (ObjectNode) CommandRun.json(Files.readString(run.resolve(FILE)));
    ((ObjectNode) kept.at("/figures/metrics")).put("TPOT_MEAN", 7.77);
    Files.writeString(run.resolve(FILE), kept.toString());
    assertThat(Files.readString(run.resolve(FILE))).contains("7.77");
  }

  @Test
  void keptFiguresSayTheSameAndAreUsed() throws IOException {
    assertThat(one.resolve(FILE)).exists();
    assertThat(history()).isEqualTo(read);
    poison(one);
    assertThat(history()).contains("7.77").isNotEqualTo(read);
  }

  @Test
  void aReportKeepsThemToo() throws IOException {
    Files.delete(one.resolve(FILE));
    CommandRun.of("report", one.toString());
    assertThat(one.resolve(FILE)).exists();
    poison(one);
    assertThat(history()).contains("7.77");
  }

  @Test
  void thoseOfARecordThatChangedSinceAreNotUsed() throws IOException {
    poison(one);
    Files.setLastModifiedTime(
        one.resolve("record/requests.ndjson"), FileTime.fromMillis(System.currentTimeMillis() + 5));
    assertThat(history()).isEqualTo(read);
    poison(one);
    Files.writeString(one.resolve("record/requests.ndjson"), "");
    assertThat(history()).doesNotContain("7.77").isNotEqualTo(read);
  }

  @Test
  void thoseOfAnotherRunAreNotUsed() throws IOException {
    poison(other);
    Files.write(one.resolve(FILE), Files.readAllBytes(other.resolve(FILE)));
    Files.delete(other.resolve(FILE));
    assertThat(history()).isEqualTo(read);
  }

  @Test
  void thoseOfAnotherBuildAreNotUsed() throws IOException {
    poison(one);
    JsonNode kept = CommandRun.json(Files.readString(one.resolve(FILE)));
    ((ObjectNode) kept).put("build", "0");
    Files.writeString(one.resolve(FILE), kept.toString());
    assertThat(history()).isEqualTo(read);
  }

  @Test
  void aFileThatIsNoneIsNotUsed() throws IOException {
    Files.writeString(one.resolve(FILE), "{\"build\": 3");
    assertThat(history()).isEqualTo(read);
    Files.writeString(one.resolve(FILE), "{}");
    assertThat(history()).isEqualTo(read);
  }
}
