package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.RequestRow;

class SimulateCommandTest {
  @TempDir private Path folder;

  @Test
  void oneSeedGivesOneRecord() throws IOException {
    Path first = simulate("one", "--seed", "5");
    Path second = simulate("two", "--seed", "5");
    Path other = simulate("three", "--seed", "6");
    for (String file : List.of("requests.ndjson", "scrapes.ndjson", "harness.ndjson")) {
      assertThat(first.resolve(file)).hasSameBinaryContentAs(second.resolve(file));
    }
    assertThat(Files.mismatch(first.resolve("requests.ndjson"), other.resolve("requests.ndjson")))
        .isNotNegative();
  }

  @Test
  void theRecordIsClosedAndHoldsEveryPlannedRequest() throws IOException {
    Path record = simulate("whole");
    RecordReader rows = RecordReader.open(record.getParent());
    long[] tokens = {0, 0};
    rows.eachRequest(row -> count(row, tokens));
    assertThat(rows.manifest().isComplete()).isTrue();
    assertThat(rows.manifest().source().isSimulated()).isTrue();
    assertThat(tokens[0]).isEqualTo(256);
    assertThat(tokens[1]).isEqualTo(256L * 200);
  }

  @Test
  void aPlanThatTheEngineCannotHoldGivesFailedRowsNotACrash() throws IOException {
    Path record = simulate("long", "--engine-max-model-len", "60");
    RecordReader rows = RecordReader.open(record.getParent());
    rows.eachRequest(row -> assertThat(row.ending().status()).isEqualTo(400));
  }

  private static void count(RequestRow row, long[] tokens) {
    tokens[0]++;
    for (int chunk : row.chunks().tokens()) {
      tokens[1] += chunk;
    }
  }

  private Path simulate(String name, String... more) throws IOException {
    Path out = folder.resolve(name);
    List<String> arguments =
        Stream.concat(
                Stream.of(
                    "simulate", "scenarios/kv-pressure.yaml", "--no-report", "--out",
                    out.toString()),
                Stream.of(more))
            .toList();
    Interruption interruption = Interruption.watch();
    int code = Tally.commandLine(interruption).execute(arguments.toArray(new String[0]));
    interruption.finished();
    assertThat(code).isZero();
    try (Stream<Path> runs = Files.list(out)) {
      return runs.findFirst().orElseThrow().resolve("record");
    }
  }
}
