package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.NeedsProgram;

/**
 * A user with a clone, who types what a document shows. What runs in real time does so against
 * {@link StandIns}, for seconds; verdicts on such short runs may be any.
 */
final class FollowedDocument implements AutoCloseable {
  private static final long MOST_SECONDS = 600;

  /** After it a search of an hour is interrupted, as a user may. */
  private static final long PATIENCE_SECONDS = 60;

  /** Whose verdict is the answer, good or bad, where the document promises none. */
  private static final Pattern SEARCH =
      Pattern.compile("^\\./tally (capacity|study|tune|regress|fit) ");

  /** What reads runs that earlier commands left. */
  private static final Pattern READER =
      Pattern.compile("^\\./tally (report|compare|alerts|backtest|fit|history|merge) ");

  private static final Set<Integer> VERDICTS = Set.of(0, 1, 4, 5);
  private static final int INTERRUPTED = 130;
  private static final int NOT_TRUSTED = 4;

  /** A file that a comparison leaves only if its runs can be trusted. */
  private static final Pattern SAVED = Pattern.compile("--save-baseline (\\S+)");

  private final Path place;
  private final StandIns standIns;
  private final List<Typed> background = new ArrayList<>();
  private final Set<String> unmade = new HashSet<>();
  private boolean isShortened;
  private int count;

  private FollowedDocument(Path place) throws IOException {
    this.place = place;
    this.standIns = new StandIns(place);
  }

  /** One command that was started; of a short run any verdict is right. */
  private record Typed(
      FencedCommands.Shown shown, boolean isShort, Process process, Path said, long startNanos) {
    String text() throws IOException {
      return shown + "\n" + Files.readString(said);
    }

    int code() throws Exception {
      assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).as(text()).isTrue();
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
      System.out.println(
          "Ended with " + process.exitValue() + " after " + seconds + " s: " + shown);
      return process.exitValue();
    }
  }

  /** A folder with what a clone has, and with the rules that documents take for granted. */
  static FollowedDocument in(Path place) throws Exception {
    for (String part : List.of("scenarios", "reports/sample", "reports/study-sample")) {
      copy(Path.of(part), place.resolve(part));
    }
    copy(Path.of("reports/study-sample/alerts"), place.resolve("alerts"));
    Files.copy(Path.of("reports/study-sample/alerts/rules.yaml"), place.resolve("my-rules.yaml"));
    Files.copy(Path.of(".gitignore"), place.resolve(".gitignore"));
    new ProcessBuilder("git", "init", "-q").directory(place.toFile()).start().waitFor();
    String java = ProcessHandle.current().info().command().orElse("java");
    Path tally = place.resolve("tally");
    Files.writeString(
        tally,
        """
        #!/bin/sh
        # The slower compiler does not pay for itself in a short command, nor with these small runs.
        case "$1" in
          plan | lint | doctor | snapshot | report | compare | backtest) level=1 ;;
          history | export | launch) level=1 ;;
          *) level=4 ;;
        esac
        exec '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=$level \\
          --add-opens=java.base/java.lang=ALL-UNNAMED \\
          --enable-native-access=ALL-UNNAMED -cp '%s' tallystick.cli.Tally "$@"
        """
            .formatted(java, absoluteClassPath()));
    Files.setPosixFilePermissions(tally, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new FollowedDocument(place);
  }

  /** Runs one command to its end; an engine and a shard go on beside those that follow. */
  void type(FencedCommands.Shown shown) throws Exception {
    if (shown.text().contains("promtool ") && !NeedsProgram.Condition.isThere("promtool")) {
      System.out.println("Left out, because promtool is not installed: " + shown);
      return;
    }
    if (unmade.stream().anyMatch(shown.text()::contains)) {
      System.out.println("Left out, because the machine was too busy for its file: " + shown);
      return;
    }
    boolean isShard = shown.text().contains("--shard ");
    if (!isShard) {
      endShards();
    }
    Typed typed = start(shown, standIns.typed(shown.text()));
    if (shown.text().startsWith("./tally engine")) {
      background.add(typed);
      awaitReady(typed);
    } else if (isShard) {
      background.add(typed);
    } else if (StandIns.isTimed(shown.text()) && isLong(shown.text())) {
      typed.process().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      typed.process().destroy();
      int code = typed.code();
      assertThat(code).as(typed.text()).isIn(INTERRUPTED, 0, 1, 4, 5);
    } else {
      check(typed);
    }
  }

  /** A search without a budget has one of half an hour. */
  private static boolean isLong(String text) {
    return text.contains("--budget ") || text.matches("\\./tally (capacity|study|tune) .*");
  }

  private Typed start(FencedCommands.Shown shown, String typed) throws IOException {
    boolean isShort = typed.contains("shorter/") || StandIns.isTimed(shown.text());
    isShortened |= isShort;
    Path said = Files.createDirectories(place.resolve("target")).resolve("said-" + count++);
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-c", typed)
            .directory(place.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    shell.environment().keySet().removeAll(Set.of("DISPLAY", "WAYLAND_DISPLAY"));
    shell
        .environment()
        .putAll(
            Map.of(
                "GIT_AUTHOR_NAME", "reader", "GIT_AUTHOR_EMAIL", "reader@example.com",
                "GIT_COMMITTER_NAME", "reader", "GIT_COMMITTER_EMAIL", "reader@example.com"));
    boolean readsShort = isShortened && READER.matcher(shown.text()).find();
    return new Typed(shown, isShort || readsShort, shell.start(), said, System.nanoTime());
  }

  private void check(Typed typed) throws Exception {
    String text = typed.shown().text();
    boolean isPromised = text.contains("exit code ");
    boolean isSearch = SEARCH.matcher(text).find() && !isPromised;
    int code = typed.code();
    if (typed.isShort() || isSearch) {
      assertThat(VERDICTS).as(typed.text()).contains(code);
    } else {
      assertThat(code).as(typed.text()).isEqualTo(typed.shown().exitCode());
    }
    Matcher saved = SAVED.matcher(text);
    if (saved.find() && code == NOT_TRUSTED) {
      unmade.add(saved.group(1));
    }
  }

  private void awaitReady(Typed engine) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    while (!Files.readString(engine.said()).contains("ready at http://")) {
      assertThat(engine.process().isAlive()).as(engine.text()).isTrue();
      assertThat(System.nanoTime()).as(engine.text()).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private void endShards() throws Exception {
    for (Typed typed : background) {
      if (typed.shown().text().contains("--shard ")) {
        check(typed);
      }
    }
    background.removeIf(typed -> !typed.process().isAlive());
  }

  private static String absoluteClassPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path copied = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copied.getParent());
        Files.copy(file, copied);
      }
    }
  }

  @Override
  public void close() throws Exception {
    try {
      endShards();
      for (Typed engine : background) {
        engine.process().destroy();
        int code = engine.code();
        assertThat(code).as(engine.text()).isEqualTo(INTERRUPTED);
      }
    } finally {
      background.forEach(typed -> typed.process().destroyForcibly());
      standIns.close();
    }
  }
}
