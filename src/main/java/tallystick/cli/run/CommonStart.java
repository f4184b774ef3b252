package tallystick.cli.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tallystick.cli.option.Mistake;
import tallystick.runrecord.WholeFile;

/**
 * How shards agree when to begin: by files in a folder that all of them see. Each goes on saying
 * that it is there; once all do, the first names the moment.
 *
 * @param folder the same for all shards of one run, and for no other
 * @param index this shard's, from 0
 * @param count all shards
 */
record CommonStart(Path folder, int index, int count) {
  /** An image is pulled by one node after the other. */
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  /** A shard makes ready in about 20 s, and a shared file system may show a file a minute late. */
  static final Duration AHEAD = Duration.ofSeconds(90);

  private static final long LOOK_MILLIS = 500;
  private static final String MOMENT = "at";

  /**
   * Waits for the others.
   *
   * @return the moment, agreed by all
   * @throws Mistake if a run began there already, or not all come
   */
  Instant agreed(PrintWriter console) throws IOException, InterruptedException {
    Path moment = folder.resolve(MOMENT);
    if (Files.exists(moment)) {
      throw new Mistake(
          "--start-at ready: the shards of " + folder + " began at " + Files.readString(moment)
              + "; for another run name another --out, or delete that folder");
    }
    Files.createDirectories(folder);
    console.println("This is shard " + index + " of " + count + "; it waits for the others.");
    try {
      waitFor(moment);
      return Instant.parse(Files.readString(moment));
    } finally {
      Files.deleteIfExists(sign(index));
    }
  }

  private void waitFor(Path moment) throws IOException, InterruptedException {
    Map<Integer, String> first = new HashMap<>();
    long begin = System.nanoTime();
    // To list a folder asks its server; whether a file is there may be answered from memory.
    while (!list().contains(MOMENT)) {
      long waited = System.nanoTime() - begin;
      Files.writeString(sign(index), Long.toString(waited));
      List<Integer> missing = missing(first);
      if (index == 0 && missing.isEmpty()) {
        WholeFile.write(moment, Instant.now().plus(AHEAD).toString());
      } else if (waited > PATIENCE.toNanos()) {
        throw new Mistake(
            "--start-at ready: " + PATIENCE.toMinutes() + " min are over, and "
                + (missing.isEmpty() ? "shard 0 named no moment" : "these shards have not signed"
                + " in: " + missing));
      } else {
        Thread.sleep(LOOK_MILLIS);
      }
    }
  }

  /** Shards whose sign does not change; one that somebody left who was killed stays as it is. */
  private List<Integer> missing(Map<Integer, String> first) throws IOException {
    List<String> there = list();
    List<Integer> all = IntStream.range(0, count).boxed().toList();
    all.stream()
        .filter(shard -> there.contains(sign(shard).getFileName().toString()))
        .forEach(shard -> said(shard).ifPresent(said -> first.putIfAbsent(shard, said)));
    return all.stream().filter(shard -> shard != index && !hasMoved(shard, first)).toList();
  }

  private boolean hasMoved(int shard, Map<Integer, String> first) {
    return first.containsKey(shard)
        && said(shard).filter(said -> !said.equals(first.get(shard))).isPresent();
  }

  /** What its sign says; empty where it took that away, as each does that knows the moment. */
  private Optional<String> said(int shard) {
    try {
      return Optional.of(Files.readString(sign(shard)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private Path sign(int shard) {
    return folder.resolve("shard-" + shard);
  }
}
