package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.cli.CommandRun;
import tallystick.experiment.Journal;

/**
 * Experiments in virtual time that are killed (SIGKILL) at moments drawn by chance, go on, are
 * killed again, and once more while they write their answer. What they leave at last must be what
 * one that nobody killed leaves: the same files, byte for byte, but for the times of day. A moment
 * is a length of the journal, so nothing here asks how fast the machine is.
 */
@Tag("stress")
class KilledExperimentIT {
  /** At least so many for each command; three in each experiment. */
  private static final int KILLS = Integer.getInteger("kills", 12);

  private static final long SEED = Long.getLong("kills.seed", 20_270);
  private static final int MOST_MILLIS = 40;
  private static final String TIME_OF_DAY = "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:[0-9.]+)?Z?";

  private static final String SCENARIO =
      """
      name: small
      endpoint: completions
      workload: {arrival: poisson, rate: 8, prompt_tokens: 100, output_tokens: 16}
      duration: 10s
      seed: 3
      objectives: [{ttft: 100ms, share: 0.95}, {e2e: 2s, share: 0.95}]
      labels: {gpu: none, team: serving, night: "4"}
      engine: {max_num_seqs: "4", max_num_batched_tokens: "1024", block_size: "32"}
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "capacity; capacity.json; --budget 6m",
        "regress; comparison.json; --repeats 3 --candidate-engine max_num_seqs=2",
        "tune; tune.json; --blocks 2 --repeats 3 --vary max_num_seqs=2,4",
        "study; study.json; --budget 20m"
      })
  void killedAndResumedItLeavesWhatItWouldHaveLeft(
      String command, String result, String options) throws Exception {
    Path scenario = Files.writeString(folder.resolve("small.yaml"), SCENARIO);
    List<String> words = new ArrayList<>(List.of(command, scenario.toString(), "--rehearse"));
    words.addAll(List.of(options.split(" ")));
    CommandRun whole = resumed(words, folder.resolve("whole-000"));
    Path expected = CommandRun.onlyRun(folder.resolve("whole-000"));
    long length = written(expected);
    SplittableRandom random = new SplittableRandom(SEED + command.hashCode());
    int kills = 0;
    for (int i = 0; kills < KILLS; i++) {
      assertThat(i).as("experiments of which nearly none was killed").isLessThan(KILLS);
      Path out = folder.resolve("killed-%02d".formatted(i));
      for (int kill = 0; kill < 2; kill++) {
        long moment = random.nextLong((kill + 1) * length / 2 + 1);
        kills += killedAt(words, out, at -> written(at) >= moment, random) ? 1 : 0;
      }
      kills +=
          killedAt(words, out, at -> Files.exists(at.resolve(result)), random) ? 1 : 0;
      cutInHalf(experiment(out).map(at -> at.resolve(result)));

      CommandRun last = resumed(words, out);

      assertThat(last.code()).as(last.output()).isEqualTo(whole.code());
      Path left = experiment(out).orElseThrow();
      assertSame("experiment %d, killed".formatted(i), files(left), files(expected));
    }
  }

  /** Says the file and the first line that differ: the files themselves are long. */
  private static void assertSame(
      String what, Map<String, String> left, Map<String, String> expected) {
    assertThat(left.keySet()).as(what).isEqualTo(expected.keySet());
    for (Map.Entry<String, String> file : expected.entrySet()) {
      List<String> lines = left.get(file.getKey()).lines().toList();
      List<String> wanted = file.getValue().lines().toList();
      for (int i = 0; i < Math.min(lines.size(), wanted.size()); i++) {
        assertThat(lines.get(i)).as("%s: %s, line %d", what, file.getKey(), i + 1)
            .isEqualTo(wanted.get(i));
      }
      assertThat(lines).as("%s: %s, lines", what, file.getKey()).hasSameSizeAs(wanted);
    }
  }

  /** A moment of an experiment. */
  private interface Moment {
    boolean hasCome(Path experiment) throws IOException;
  }

  /** Whether it was killed: it may have ended before its moment came. */
  private boolean killedAt(
      List<String> words, Path out, Moment moment, SplittableRandom random) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
                System.getProperty("java.class.path"), "tallystick.cli.Tally"));
    command.addAll(arguments(words, out));
    Process tally =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    try {
      while (tally.isAlive() && !hasCome(moment, out)) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_MILLIS));
      boolean isRunning = tally.isAlive();
      tally.destroyForcibly().waitFor();
      return isRunning && tally.exitValue() == 137;
    } finally {
      tally.destroyForcibly().waitFor();
    }
  }

  private static boolean hasCome(Moment moment, Path out) throws IOException {
    Optional<Path> experiment = experiment(out);
    return experiment.isPresent() && moment.hasCome(experiment.get());
  }

  /** One that was killed before its journal began is begun anew. */
  private static List<String> arguments(List<String> words, Path out) throws IOException {
    List<String> all = new ArrayList<>(words);
    Optional<Path> experiment = experiment(out);
    if (experiment.isPresent()) {
      all.addAll(List.of("--resume", experiment.get().toString()));
    } else {
      all.addAll(List.of("--out", out.toString()));
    }
    return all;
  }

  private static CommandRun resumed(List<String> words, Path out) throws IOException {
    return CommandRun.of(arguments(words, out).toArray(String[]::new));
  }

  private static Optional<Path> experiment(Path out) throws IOException {
    if (Files.notExists(out)) {
      return Optional.empty();
    }
    try (Stream<Path> folders = Files.list(out)) {
      return folders.filter(Journal::isIn).findFirst();
    }
  }

  /** How much is in the journals of an experiment. */
  private static long written(Path experiment) throws IOException {
    long bytes = 0;
    for (String name : List.of("", "confirm")) {
      Path journal = experiment.resolve(name).resolve(Journal.FILE);
      bytes += Files.exists(journal) ? Files.size(journal) : 0;
    }
    return bytes;
  }

  private static void cutInHalf(Optional<Path> result) throws IOException {
    if (result.isPresent() && Files.exists(result.get())) {
      byte[] bytes = Files.readAllBytes(result.get());
      Files.write(result.get(), Arrays.copyOf(bytes, bytes.length / 2));
    }
  }

  /** All files without the lock, without times of day and the folder's place and name. */
  private static Map<String, String> files(Path experiment) throws IOException {
    Map<String, String> files = new TreeMap<>();
    String name = experiment.getFileName().toString();
    try (Stream<Path> all = Files.walk(experiment)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        files.put(
            experiment.relativize(file).toString(),
            text.replace(experiment.toString(), "EXPERIMENT")
                .replace(name, "EXPERIMENT")
                .replaceAll(TIME_OF_DAY, "TIME"));
      }
    }
    files.remove("journal.lock");
    return files;
  }
}
