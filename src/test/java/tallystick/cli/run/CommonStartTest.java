package tallystick.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.option.Mistake;

class CommonStartTest {
  @TempDir private Path out;

  @Test
  void allBeginAtOneMomentOnceTheLastIsThere() throws Exception {
    Path folder = out.resolve("start");
    StringWriter said = new StringWriter();
    try (ExecutorService shards = Executors.newCachedThreadPool()) {
      Future<Instant> first =
          shards.submit(() -> new CommonStart(folder, 0, 2).agreed(new PrintWriter(said)));
      while (!said.toString().contains("shard 0 of 2")) {
        Thread.onSpinWait();
      }
      assertThat(folder.resolve("at")).doesNotExist();
      Instant before = Instant.now();
      Instant second = new CommonStart(folder, 1, 2).agreed(nobody());
      assertThat(second).isEqualTo(first.get());
      assertThat(Duration.between(before, second)).isBetween(
          CommonStart.AHEAD.minusSeconds(1), CommonStart.AHEAD.plusSeconds(30));
    }
  }

  @Test
  void aRunThatBeganThereIsNotJoined() throws Exception {
    Files.writeString(out.resolve("at"), "2026-11-22T19:00:00Z");
    assertThatThrownBy(() -> new CommonStart(out, 1, 2).agreed(nobody()))
        .isInstanceOf(Mistake.class)
        .hasMessageContainingAll("began at 2026-11-22T19:00:00Z", "another --out");
  }

  @Test
  void whatSomebodyLeftWhoWasKilledIsNobody() throws Exception {
    Path folder = Files.createDirectories(out.resolve("start"));
    Files.writeString(folder.resolve("shard-1"), "7");
    try (ExecutorService shards = Executors.newCachedThreadPool()) {
      Future<Instant> first =
          shards.submit(() -> new CommonStart(folder, 0, 2).agreed(nobody()));
      Thread.sleep(1_500);
      assertThat(folder.resolve("at")).doesNotExist();
      assertThat(new CommonStart(folder, 1, 2).agreed(nobody())).isEqualTo(first.get());
    }
    assertThat(folder.resolve("shard-0")).doesNotExist();
  }

  /** Whoever knows the moment takes its sign away, perhaps between a look and a read. */
  @Test
  void aSignThatIsGoneWhenItIsReadIsNoFault() throws Exception {
    Path folder = Files.createDirectories(out.resolve("start"));
    Files.createSymbolicLink(folder.resolve("shard-1"), folder.resolve("nowhere"));
    try (ExecutorService shards = Executors.newCachedThreadPool()) {
      Future<Instant> first =
          shards.submit(() -> new CommonStart(folder, 0, 2).agreed(nobody()));
      Thread.sleep(700);
      assertThat(first.isDone()).isFalse();
      assertThat(new CommonStart(folder, 1, 2).agreed(nobody())).isEqualTo(first.get());
    }
  }

  @Test
  void aRunOfOneShardWaitsForNobody() throws Exception {
    assertThat(new CommonStart(out.resolve("one"), 0, 1).agreed(nobody())).isAfter(Instant.now());
  }

  private static PrintWriter nobody() {
    return new PrintWriter(Writer.nullWriter());
  }
}
