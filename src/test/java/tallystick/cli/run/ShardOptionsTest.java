package tallystick.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.cli.NextLines;
import tallystick.run.RunEnd;
import tallystick.runrecord.ClockBracket;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.Shard;
import tallystick.runrecord.ShardJson;

/** What a shard says of itself. */
class ShardOptionsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(RunEnd.Kind.class)
  void onlyWhatIsTrueOfItsEndIsNext(RunEnd.Kind kind) throws IOException {
    String said = conclusion(kind);

    NextLines.check(said);
    assertThat(said.lines()).allMatch(line -> line.length() <= 80);
    switch (kind) {
      case COMPLETED ->
          assertThat(said).contains("NEXT     ./tally merge").doesNotContain("--start-at");
      case TARGET_BUSY, LATE, METRICS_LOST, REFUSED ->
          assertThat(said)
              .contains("start all of them at a later --start-at", "no whole run")
              .doesNotContain("tally merge");
      case STOPPED, INTERRUPTED, CRASHED, DISK_FAILED ->
          assertThat(said).contains("later --start-at", "tally merge", "exit code 4");
    }
  }

  @Test
  void aStartThatIsFarAheadIsSaidAsPeopleReadTime() {
    long start = RunClock.utcNanos() + TimeUnit.MINUTES.toNanos(1_455);
    assertThat(ShardOptions.announcement(new Shard(0, 2, start, start, 0, ClockBracket.UNKNOWN)))
        .contains(", in 24 h 15 min; it must stand ready 5 s before.");
  }

  private String conclusion(RunEnd.Kind kind) throws IOException {
    RecordFiles files = RecordFiles.ofRun(folder);
    Files.createDirectories(files.folder());
    ShardJson.write(new Shard(1, 3, 1, 1, 0, ClockBracket.UNKNOWN), files.shard());
    StringWriter said = new StringWriter();
    ShardOptions.conclude(new RunEnd(kind, ""), folder, new PrintWriter(said));
    return said.toString();
  }
}
