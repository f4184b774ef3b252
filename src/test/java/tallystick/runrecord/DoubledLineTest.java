package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A line of a record that stands there twice, for example after a copy that was resumed. */
class DoubledLineTest {
  private static final Path SAMPLE = Path.of("reports/sample");

  @TempDir Path folder;

  private Path file(String name) {
    return folder.resolve("record").resolve(name);
  }

  @BeforeEach
  void copySample() throws IOException {
    Files.createDirectory(folder.resolve("record"));
    try (var files = Files.list(SAMPLE.resolve("record"))) {
      for (Path file : files.toList()) {
        Files.copy(file, file(file.getFileName().toString()));
      }
    }
  }

  private static List<Object> rows(RecordReader reader) {
    List<Object> rows = new ArrayList<>();
    reader.eachHarness(rows::add);
    reader.eachScrape(rows::add);
    return rows;
  }

  @ParameterizedTest
  @ValueSource(strings = {"harness.ndjson", "scrapes.ndjson"})
  void isLeftOutAndCounted(String name) throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(file(name)));
    int middle = lines.size() / 2;
    lines.add(middle, lines.get(middle));
    // A block of lines that comes again later would set older values.
    lines.addAll(middle + 10, lines.subList(middle - 3, middle).stream().toList());
    Files.write(file(name), lines);
    RecordReader reader = RecordReader.open(folder);

    assertThat(rows(reader).equals(rows(RecordReader.open(SAMPLE)))).isTrue();
    assertThat(reader.faults())
        .containsExactly(name + ": 4 lines stand there twice and count once");
  }

  @Test
  void aSoundRecordHasNone() throws IOException {
    RecordReader reader = RecordReader.open(folder);
    rows(reader);
    assertThat(reader.faults()).isEmpty();
  }
}
