package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.RecordCheck.State;

/** Checksums of lines and of files. */
class RecordSumsTest {
  @TempDir Path folder;

  /** CRC-32C of {@code {"a":1,"sum":"}, and of {@code HEX"}\n{"b":"}","sum":"}, by another tool. */
  @Test
  void aLineEndsWithTheSumOfAllSinceTheOneBefore() throws IOException {
    String text = sealed("{\"a\":1}\n{\"b\":\"}\"}\n", 3);
    assertThat(text)
        .isEqualTo("{\"a\":1,\"sum\":\"19bb5bde\"}\n{\"b\":\"}\",\"sum\":\"afcd9733\"}\n");
  }

  @Test
  void itIsTheSameHoweverTheBytesCome() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 4000; i++) {
      lines.append("{\"index\":").append(i).append(",\"list\":[1,2,").append(i).append("]}\n");
    }
    String whole = sealed(lines.toString(), 1 << 20);
    for (int piece : List.of(1, 7, 8000, 65_537)) {
      assertThat(sealed(lines.toString(), piece)).as("pieces of " + piece).isEqualTo(whole);
    }
  }

  /** A line without an object, as the first of a plan, is of the sum of the next that has one. */
  @Test
  void aBitAnywhereInManyBlocksIsFoundInItsLine() throws IOException {
    StringBuilder text = new StringBuilder("{\"requests\":[\n");
    for (int i = 0; i < 30_000; i++) {
      text.append(i == 0 ? "" : ",").append("{\"index\":").append(i).append(",\"text\":\"")
          .append("x".repeat(i % 190)).append("\"}").append(i == 29_999 ? "]}\n" : "\n");
    }
    byte[] sound = sealed(text.toString(), 8000).getBytes(StandardCharsets.UTF_8);
    assertThat(sound.length).isGreaterThan(3 << 20);
    assertThat(changes(sound)).isEmpty();
    SplittableRandom random = new SplittableRandom(20260);
    for (int i = 0; i < 40; i++) {
      byte[] changed = sound.clone();
      int at = random.nextInt(sound.length - 2);
      changed[at] ^= (byte) (1 << random.nextInt(8));
      long line = 1;
      for (int before = 0; before < at; before++) {
        line += sound[before] == '\n' ? 1 : 0;
      }
      assertThat(changes(changed)).as("byte " + at).isNotEmpty();
      assertThat(changes(changed).getFirst())
          .containsAnyOf("lines:" + line + " ", "lines:" + (line + 1) + " ", "line " + line);
    }
  }

  @Test
  void linesThatWentCameOrChangedPlacesAreFound() throws IOException {
    List<String> sound =
        sealed("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n{\"a\":4}\n", 100).lines().toList();
    List<List<String>> changed = new ArrayList<>();
    changed.add(List.of(sound.get(0), sound.get(2), sound.get(3)));
    changed.add(List.of(sound.get(1), sound.get(2), sound.get(3)));
    changed.add(List.of(sound.get(0), sound.get(1), sound.get(1), sound.get(2), sound.get(3)));
    changed.add(List.of(sound.get(0), sound.get(2), sound.get(1), sound.get(3)));
    for (List<String> lines : changed) {
      byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
      assertThat(changes(bytes)).as(lines.toString()).isNotEmpty();
    }
  }

  @Test
  void aFileThatIsOneObjectHoldsItsOwnSum() {
    byte[] sealed = Seal.sealed("{\n  \"a\" : {\n    \"b\" : 1\n  }\n}".getBytes());
    assertThat(Seal.holds(sealed)).isTrue();
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 4;
      assertThat(Seal.holds(changed)).as("byte " + i).isFalse();
    }
    assertThat(Seal.holds(new byte[0])).isFalse();
    assertThat(Seal.holds("{}".getBytes())).isFalse();
  }

  @Test
  void aRecordOfTheFirstFormatIsReadAndCarriesNone() throws IOException {
    Path sample = Path.of("reports/sample");
    assertThat(RecordReader.open(sample).changes()).isEmpty();
    assertThat(RecordCheck.of(sample).state()).isEqualTo(State.UNKNOWN);
  }

  /** {@code src/test/resources/runrecord/format-2} was written by the first build that knew it. */
  @Test
  void aRecordOfTheSecondFormatIsWholeForEveryLaterBuild() throws IOException {
    Path run = Path.of("src/test/resources/runrecord/format-2");
    RecordReader rows = RecordReader.open(run);
    long[] requests = new long[1];
    rows.eachRequest(row -> requests[0]++);
    assertThat(requests[0]).isEqualTo(rows.manifest().ending().requestRows()).isPositive();
    assertThat(rows.faults()).isEmpty();
    assertThat(rows.changes()).isEmpty();
    assertThat(RecordCheck.of(run).state()).isEqualTo(State.WHOLE);
  }

  @Test
  void aRecordThatNobodyClosedIsHeldAgainstItsLines() throws IOException {
    Path run = copyOfTheSecondFormat();
    Path manifest = RecordFiles.ofRun(run).manifest();
    Manifest closed = ManifestJson.read(manifest);
    ManifestJson.write(closed.closed(closed.clock(), Manifest.Ending.OPEN), manifest);
    assertThat(RecordCheck.of(run).state()).isEqualTo(State.OPEN);

    Path requests = RecordFiles.ofRun(run).requests();
    String text = Files.readString(requests);
    Files.writeString(requests, text.replaceFirst("\"started_ns\":(\\d)", "\"started_ns\":9$1"));
    assertThat(RecordCheck.of(run).state()).isEqualTo(State.CHANGED);
    RecordReader rows = RecordReader.open(run);
    rows.eachRequest(row -> {});
    assertThat(rows.changes()).anyMatch(change -> change.startsWith("requests.ndjson:"));
  }

  @Test
  void aFileThatIsGoneCutOrNewIsNamed() throws IOException {
    Path run = copyOfTheSecondFormat();
    RecordFiles files = RecordFiles.ofRun(run);
    List<String> harness = Files.readAllLines(files.harness());
    Files.write(files.harness(), harness.subList(0, harness.size() - 1));
    Files.delete(files.scrapes());
    Files.writeString(files.traces(), "{\"trace_id\":\"\"}\n");
    assertThat(RecordCheck.of(run).changes())
        .anyMatch(change -> change.startsWith("harness.ndjson has"))
        .contains("scrapes.ndjson is missing")
        .anyMatch(change -> change.startsWith("traces.ndjson was not there"));
  }

  private Path copyOfTheSecondFormat() throws IOException {
    Path run = folder.resolve("run");
    Files.createDirectories(run.resolve("record"));
    for (String name :
        List.of("manifest.json", "plan.json", "requests.ndjson", "scrapes.ndjson",
            "harness.ndjson")) {
      Files.copy(
          Path.of("src/test/resources/runrecord/format-2/record", name),
          run.resolve("record").resolve(name));
    }
    return run;
  }

  private static String sealed(String text, int piece) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] all = text.getBytes(StandardCharsets.UTF_8);
    try (SealedLines lines = new SealedLines(bytes)) {
      for (int at = 0; at < all.length; at += piece) {
        lines.write(all, at, Math.min(piece, all.length - at));
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private List<String> changes(byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve("lines"), bytes);
    RowFaults faults = new RowFaults("lines");
    new RowFile<>(file, (line, from, length) -> Optional.empty(), faults).eachAhead(row -> {});
    List<String> inTurn = new ArrayList<>(faults.changes());
    RowFaults again = new RowFaults("lines");
    new RowFile<>(file, (line, from, length) -> Optional.empty(), again).eachInTurn(row -> {});
    assertThat(again.changes()).isEqualTo(inTurn);
    return inTurn;
  }
}
