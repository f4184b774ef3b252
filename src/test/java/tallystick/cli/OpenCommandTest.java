package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenCommandTest {
  private final StringWriter said = new StringWriter();

  private int open(String... arguments) {
    PrintWriter out = new PrintWriter(said);
    return CommandRun.alone(new OpenCommand(Map.of())).setOut(out).setErr(out).execute(arguments);
  }

  @Test
  void saysWhereTheRunsPageLiesWhereThereIsNoScreen() {
    assertThat(open("reports/sample")).isZero();
    assertThat(said.toString().strip()).isEqualTo("reports/sample/report.html");
  }

  @Test
  void takesAPageItself() {
    assertThat(open("--print", "reports/sample/report.html")).isZero();
    assertThat(said.toString()).contains("reports/sample/report.html");
  }

  @Test
  void aFolderThatIsNotThereIsTheUsersMistake() {
    assertThat(open("reports/nothing")).isEqualTo(2);
    assertThat(said.toString()).contains("reports/nothing: there is no such folder");
  }

  @Test
  void aFolderWithoutAPageSaysWhatWritesOne(@TempDir Path empty) throws IOException {
    assertThat(open(empty.toString())).isEqualTo(2);
    assertThat(said.toString()).contains("holds no page; name a run's folder");
    Files.createDirectory(empty.resolve("record"));
    assertThat(open(empty.toString())).isEqualTo(2);
    assertThat(said.toString()).contains("holds no page; ./tally report");
  }
}
