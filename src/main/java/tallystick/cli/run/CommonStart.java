package tallystick.cli.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import tallystick.cli.option.Mistake;
import tallystick.runrecord.WholeFile;

/**
 * How shards agree when to begin: by files in a folder that all of them see. Each says that it is
 * there; once all have, the first names the moment.
 *
 * @param folder the same for all shards of one run, and for no other
 * @param index this shard's, from 0
 * @param count all shards
 */
record CommonStart(Path folder, int index, int count) {
  /** The variable in which a pod finds what its Job alone is called. */
  static final String JOB = "TALLY_JOB";

  /** An image is pulled by one node after the other. */
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  /** A shard makes ready in about 20 s, and a shared file system may show a file late. */
  private static final Duration AHEAD = Duration.ofSeconds(60);

  private static final long LOOK_MILLIS = 500;

  /** In the folder of results, for the Job that this process is a pod of. */
  static CommonStart in(Path out, int index, int count) {
    return new CommonStart(
        out.resolve("start-" + System.getenv().getOrDefault(JOB, "together")), index, count);
  }

  /**
   * Waits for the others.
   *
   * @return the moment, agreed by all
   * @throws Mistake if a run began there already, or not all come
   */
  Instant agreed(PrintWriter console) throws IOException, InterruptedException {
    Path moment = folder.resolve("at");
    if (Files.exists(moment)) {
      throw new Mistake(
          "--start-at ready: the shards of " + folder + " began at " + Files.readString(moment)
              + "; for another run name another --out, or delete that folder");
    }
    Files.createDirectories(folder);
    Files.writeString(here(index), "");
    console.println("This is shard " + index + " of " + count + "; it waits for the others.");
    console.flush();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(moment)) {
      if (index == 0 && missing().findAny().isEmpty()) {
        WholeFile.write(moment, Instant.now().plus(AHEAD).toString());
      } else if (System.nanoTime() > end) {
        throw new Mistake(
            "--start-at ready: after " + PATIENCE.toMinutes() + " min there is no shard "
                + String.join(", ", missing().mapToObj(Integer::toString).toList()));
      } else {
        Thread.sleep(LOOK_MILLIS);
      }
    }
    return Instant.parse(Files.readString(moment));
  }

  private Path here(int shard) {
    return folder.resolve("shard-" + shard);
  }

  private IntStream missing() {
    return IntStream.range(0, count).filter(shard -> !Files.exists(here(shard)));
  }
}
