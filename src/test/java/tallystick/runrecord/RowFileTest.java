package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowFileTest {
  @TempDir Path folder;

  @Test
  void blocksHoldWholeLinesWhateverTheirSize() throws IOException {
    String text = "one\ntwo\n\nthree is longer than a block\nlast";
    for (int size = 1; size < 50; size++) {
      assertThat(blocks(text, size)).as("blocks of %d bytes", size).isEqualTo(text);
    }
    assertThat(blocks("", 8)).isEmpty();
    assertThat(blocks("a\n", 2)).isEqualTo("a\n");
  }

  @Test
  void rowsReadAheadComeInTheOrderOfTheFile() throws IOException {
    int rows = 300_000;
    Path file =
        Files.writeString(
            folder.resolve("rows.ndjson"),
            IntStream.range(0, rows)
                .mapToObj(i -> i % 100_000 == 7 ? "bad" : "row " + i)
                .collect(Collectors.joining("\n")));
    RowFaults faults = new RowFaults("rows.ndjson");
    List<Integer> read = new ArrayList<>();
    Thread caller = Thread.currentThread();
    RowFile<Integer> rowFile = new RowFile<>(file, RowFileTest::number, faults);
    rowFile.eachAhead(
        row -> {
          assertThat(Thread.currentThread()).isSameAs(caller);
          read.add(row);
        });
    assertThat(read).hasSize(rows - 3).isSorted();
    assertThat(faults.sentences())
        .containsExactly(
            "rows.ndjson:8 was left out: no row",
            "rows.ndjson:100008 was left out: no row",
            "rows.ndjson:200008 was left out: no row");
  }

  @Test
  void manyBadLinesAreCounted() throws IOException {
    Path file = Files.writeString(folder.resolve("rows.ndjson"), "bad\n".repeat(1000));
    RowFaults faults = new RowFaults("rows.ndjson");
    new RowFile<>(file, RowFileTest::number, faults).eachInTurn(row -> {});
    assertThat(faults.sentences())
        .hasSize(6)
        .last()
        .isEqualTo("rows.ndjson: 995 more lines were left out");
  }

  @Test
  void aReaderThatFailsEndsTheReading() throws IOException {
    Path file = Files.writeString(folder.resolve("rows.ndjson"), "row 1\nrow 2\n");
    RowFile<Integer> rowFile =
        new RowFile<>(file, RowFileTest::number, new RowFaults("rows.ndjson"));
    assertThatThrownBy(
            () ->
                rowFile.eachAhead(
                    row -> {
                      throw new IllegalStateException("the reader's own");
                    }))
        .hasMessage("the reader's own");
  }

  private static Optional<Integer> number(byte[] bytes, int from, int length)
      throws IOException {
    String line = new String(bytes, from, length, StandardCharsets.UTF_8);
    if (!line.startsWith("row ")) {
      throw new IOException("no row");
    }
    return Optional.of(Integer.parseInt(line.substring(4)));
  }

  private String blocks(String text, int size) throws IOException {
    StringBuilder joined = new StringBuilder();
    Path file = Files.writeString(folder.resolve("blocks.txt"), text);
    try (LineBlocks blocks = new LineBlocks(file, size)) {
      for (Optional<LineBlocks.Block> block = blocks.next();
          block.isPresent();
          block = blocks.next()) {
        int length = block.get().length();
        String part = new String(block.get().bytes(), 0, length, StandardCharsets.UTF_8);
        boolean isLast = joined.length() + length == text.length();
        assertThat(isLast || part.endsWith("\n")).isTrue();
        joined.append(part);
      }
    }
    return joined.toString();
  }
}
