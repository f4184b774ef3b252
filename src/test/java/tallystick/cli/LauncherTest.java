package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.exit.ExitCode;

/** The script {@code tally}, in a tree of its own, with a Java and a Maven that only tell. */
class LauncherTest {
  private static final String TELLING_JAVA =
      """
      #!/bin/sh
      case "$*" in *-version*) exit 0 ;; esac
      echo "java $LC_ALL in $(pwd): $*"
      """;

  private static final String JAR = "tallystick-0.1.0.jar";

  /** Makes what it is asked for as its memory of a start. */
  private static final String REMEMBERING_JAVA =
      """
      #!/bin/sh
      case "$*" in *-version*) exit 0 ;; esac
      for word in "$@"; do
        case $word in
          -XX:ArchiveClassesAtExit=* | -XX:AOTCacheOutput=*) echo made > "${word#*=}"; exit 1 ;;
        esac
      done
      echo "java: $*"
      """;

  @TempDir Path folder;
  private Path tree;
  private Path jdk;

  @BeforeEach
  void plantATree() throws IOException {
    tree = Files.createDirectories(folder.resolve("a tree"));
    executable(tree.resolve("tally"), Files.readString(Path.of("tally")));
    jdk = folder.resolve("jdk 21");
    executable(jdk.resolve("bin/java"), TELLING_JAVA);
    executable(jdk.resolve("bin/javac"), "#!/bin/sh\n");
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"21.0.1\"\n");
    Files.writeString(tree.resolve(JAR), "a jar");
  }

  @Test
  void saysWhichJdkItNeedsWhereItFindsNone() throws Exception {
    // No machine has this JDK, so the search behaves as on one without any.
    String launcher = Files.readString(Path.of("tally")).replace("least=21", "least=9999");
    assertThat(launcher).contains("least=9999");
    executable(tree.resolve("tally"), launcher);

    Said said = run(Map.of(), tree.resolve("tally").toString());
    assertThat(said.code()).isEqualTo(3);
    assertThat(said.text()).contains("needs a JDK of version 9999").contains("JAVA_HOME");
  }

  @Test
  void needsNeitherAHomeNorAJavaOnThePath() throws Exception {
    executable(
        tree.resolve("tally"),
        Files.readString(Path.of("tally")).replace("least=21", "least=9999"));
    Path tools = folder.resolve("tools");
    for (String tool : List.of("bash", "readlink", "dirname", "sed", "head", "locale")) {
      executable(tools.resolve(tool), "#!/bin/sh\nexec /usr/bin/" + tool + " \"$@\"\n");
    }
    Said said =
        run(
            Map.of("-HOME", "", "-JAVA_HOME", "", "PATH", tools.toString()),
            "/bin/bash", tree.resolve("tally").toString());
    assertThat(said.code()).as(said.text()).isEqualTo(3);
    assertThat(said.text()).contains("needs a JDK of version 9999").doesNotContain("unbound");
  }

  @Test
  void worksFromAnyFolderThroughALinkAndWithBlanksInItsPath() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("a link"), tree.resolve("tally"));
    Said said = run(Map.of(), link.toString(), "plan", "a b");
    assertThat(said.code()).as(said.text()).isZero();
    assertThat(said.text())
        .contains("-cp " + tree.resolve(JAR) + " tallystick.cli.Tally")
        .contains("in " + folder)
        .contains("tallystick.cli.Tally plan a b");
  }

  @Test
  void aJavaThatCannotStartIsTheWorldsFailure() throws Exception {
    executable(
        jdk.resolve("bin/java"), "#!/bin/sh\necho Could not reserve enough space >&2\nexit 1\n");
    Said said = run(Map.of(), tree.resolve("tally").toString(), "help");
    assertThat(said.code()).isEqualTo(3);
    assertThat(said.text())
        .contains("Could not reserve enough space")
        .contains("Java cannot start");
  }

  /** No crash of Java gives the number that a failed result has inside. */
  @Test
  void onlyAResultThatFailsEndsWithOne() throws Exception {
    String tally = tree.resolve("tally").toString();
    for (int code : List.of(0, 2, 3, 4, 5, 70, 130, 137)) {
      executable(jdk.resolve("bin/java"), endingWith(code));
      assertThat(run(Map.of(), tally, "run").code()).isEqualTo(code);
    }
    executable(jdk.resolve("bin/java"), endingWith(ExitCode.leaving(1)));
    assertThat(run(Map.of(), tally, "run").code()).isEqualTo(1);
    for (int crash : List.of(1, 134, 139)) {
      executable(jdk.resolve("bin/java"), endingWith(crash));
      for (String command : List.of("run", "plan")) {
        Said said = run(Map.of(), tally, command);
        assertThat(said.code()).as(command + " " + crash).isEqualTo(3);
        assertThat(said.text()).contains("Java failed in the middle", "ended with " + crash);
      }
    }
  }

  /** A Java that takes its mark away, as the first thing it does, and ends. */
  private static String endingWith(int code) {
    return """
        #!/bin/sh
        for word in "$@"; do
          case $word in -Dtally.unbegun=*) rm "${word#*=}" ;; esac
        done
        exit %d
        """
        .formatted(code);
  }

  @Test
  void tooFewOpenFilesAreASentence() throws Exception {
    for (int few : List.of(32, 64, 127)) {
      String typed = "ulimit -n " + few + "; '" + tree.resolve("tally") + "' plan";
      Said said = run(Map.of(), "bash", "-c", typed);
      assertThat(said.code()).as("%d: %s", few, said.text()).isEqualTo(3);
      assertThat(said.text()).contains("needs 128 open files", "and " + few + " are allowed");
    }
  }

  @Test
  void aFolderWithAColonIsASentence() throws Exception {
    Path there = folder.resolve("a:b");
    executable(there.resolve("tally"), Files.readString(Path.of("tally")));
    Said said = run(Map.of(), there.resolve("tally").toString(), "plan");
    assertThat(said.code()).isEqualTo(3);
    assertThat(said.text()).contains("colon in its path", there.toString());
  }

  @Test
  void whatIsSentToTheScriptReachesJava() throws Exception {
    executable(
        jdk.resolve("bin/java"),
        """
        #!/bin/bash
        for name in HUP INT TERM; do trap "echo got $name; exit 130" $name; done
        echo up
        while :; do sleep 0.05; done
        """);
    for (String name : List.of("HUP", "INT", "TERM")) {
      Process script =
          start(
              Map.of(), name, "env", "--default-signal=INT", "bash", "-c",
              "exec '" + tree.resolve("tally") + "' run");
      await(name, "up");
      new ProcessBuilder("kill", "-" + name, Long.toString(script.pid())).start().waitFor();
      assertThat(script.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(script.exitValue()).isEqualTo(130);
      assertThat(Files.readString(folder.resolve(name))).contains("got " + name);
    }
  }

  /** With a memory that no Java starts with. */
  private void plantADamagedMemory(String deathOfJava) throws Exception {
    executable(jdk.resolve("bin/java"), REMEMBERING_JAVA);
    Files.createDirectories(tree.resolve("reports/sample/record"));
    run(Map.of(), tree.resolve("tally").toString(), "plan");
    executable(
        jdk.resolve("bin/java"),
        """
        #!/bin/bash
        echo started >> '%s'
        case "$*" in *SharedArchiveFile*) %s ;; esac
        echo "java: $*"
        """
            .formatted(folder.resolve("starts"), deathOfJava));
  }

  @Test
  void aMemoryThatEndsJavaIsDeletedAndTheCommandStartsWithoutIt() throws Exception {
    for (String death : List.of("kill -ABRT $$", "kill -SEGV $$", "exit 1")) {
      plantADamagedMemory(death);
      Said said = run(Map.of(), tree.resolve("tally").toString(), "run");
      assertThat(said.code()).as(said.text()).isZero();
      assertThat(said.text())
          .contains("memory of quick starts did not let Java start: it is deleted")
          .contains("java: ");
      assertThat(tree.resolve("start-21.cache")).doesNotExist();
    }
  }

  /** It may have sent requests, which nobody asked for twice. */
  @Test
  void whatHasBegunIsNeverDoneTwice() throws Exception {
    plantADamagedMemory(
        "for word; do case $word in -Dtally.unbegun=*) rm \"${word#*=}\" ;; esac; done;"
            + " kill -SEGV $$");
    Files.deleteIfExists(folder.resolve("starts"));
    Said said = run(Map.of(), tree.resolve("tally").toString(), "run");
    assertThat(said.code()).isEqualTo(3);
    assertThat(said.text()).contains("failed in the middle").doesNotContain("java: ");
    assertThat(folder.resolve("starts")).hasContent("started");
    assertThat(tree.resolve("start-21.cache")).doesNotExist();
  }

  @Test
  void aMemoryThatIsNotWhatWasWrittenIsMadeAnew() throws Exception {
    executable(jdk.resolve("bin/java"), REMEMBERING_JAVA);
    Files.createDirectories(tree.resolve("reports/sample/record"));
    String tally = tree.resolve("tally").toString();
    run(Map.of(), tally, "plan");
    Files.writeString(tree.resolve("start-21.cache"), "mads\n");
    assertThat(run(Map.of(), tally, "plan").text())
        .contains("memory of quick starts is damaged", "Preparing", "SharedArchiveFile");
    assertThat(tree.resolve("start-21.cache")).hasContent("made");
    assertThat(run(Map.of(), tally, "plan").text()).doesNotContain("damaged", "Preparing");
  }

  @Test
  void withoutACharacterSetFilesAreNamedInUtf8() throws Exception {
    Said plain = run(Map.of("LC_ALL", "C"), tree.resolve("tally").toString(), "help");
    assertThat(plain.text()).contains("java C.UTF-8 in");
    Said unset = run(Map.of("-LC_ALL", "", "LANG", "C"), tree.resolve("tally").toString(), "help");
    assertThat(unset.text()).contains("java C.UTF-8 in");
  }

  @Test
  void aReleaseWithoutItsJarSaysSo() throws Exception {
    Files.delete(tree.resolve(JAR));
    Said said = run(Map.of(), tree.resolve("tally").toString(), "help");
    assertThat(said.code()).isEqualTo(3);
    assertThat(said.text()).contains("jar is missing");
  }

  @Test
  void shortCommandsAndThoseThatMeasureAreLeftToTheFastCompiler() throws Exception {
    String tally = tree.resolve("tally").toString();
    String fast = "-XX:TieredStopAtLevel=1";
    List<String> shortOnes =
        List.of("--help", "plan", "lint", "doctor", "snapshot", "report", "open", "export", "man");
    Stream<String> measuring = Stream.of("run", "engine", "capacity", "tune", "regress", "study");
    for (String command : Stream.concat(shortOnes.stream(), measuring).toList()) {
      assertThat(run(Map.of(), tally, command).text()).as(command).contains(fast);
    }
    for (String command : List.of("simulate", "capacity --rehearse", "alerts")) {
      List<String> words = Stream.concat(Stream.of(tally), Stream.of(command.split(" "))).toList();
      assertThat(run(Map.of(), words.toArray(String[]::new)).text())
          .as(command)
          .contains("-XX:Tier4BackEdgeThreshold=400000")
          .doesNotContain(fast);
    }
    Path record = Files.createDirectories(folder.resolve("long run/record"));
    Files.write(record.resolve("requests.ndjson"), new byte[17 << 20]);
    String longRun = folder.resolve("long run").toString();
    assertThat(run(Map.of(), tally, "report", longRun).text()).doesNotContain(fast);
  }

  @Test
  void aStartIsRememberedOnceForEachJarByWhateverCommandIsFirst() throws Exception {
    executable(jdk.resolve("bin/java"), REMEMBERING_JAVA);
    Files.createDirectories(tree.resolve("reports/sample/record"));
    String tally = tree.resolve("tally").toString();
    String used = "-XX:SharedArchiveFile=" + tree.resolve("start-21.cache");

    assertThat(run(Map.of(), tally, "run").text()).contains("Preparing", used);
    assertThat(run(Map.of(), tally, "plan").text()).contains(used).doesNotContain("Preparing");
    assertThat(run(Map.of(), tally, "run").text()).contains(used).doesNotContain("Preparing");
    Files.setLastModifiedTime(
        tree.resolve("start-21.cache"), FileTime.from(Instant.EPOCH));
    assertThat(run(Map.of(), tally, "plan").text()).contains("Preparing", used);
  }

  /** Where these tests run in the background of a script, Ctrl-C is ignored from the start. */
  @Test
  void whoeverEndsThePreparingEndsTheCommandToo() throws Exception {
    executable(
        jdk.resolve("bin/java"),
        """
        #!/bin/sh
        trap 'exit 130' INT
        case "$*" in *CacheOutput=* | *AtExit=*) touch '%s'; sleep 20; exit ;; esac
        echo "java: $*"
        """
            .formatted(folder.resolve("prepares")));
    Files.createDirectories(tree.resolve("reports/sample/record"));
    String typed =
        """
        set -m
        '%s' run &
        until [ -e '%s' ]; do sleep 0.05; done
        kill -INT -- -$!
        wait $!
        """
            .formatted(tree.resolve("tally"), folder.resolve("prepares"));
    Path scratch = Files.createDirectory(folder.resolve("scratch"));

    Said said =
        run(
            Map.of("TMPDIR", scratch.toString()), "env", "--default-signal=INT", "bash", "-c",
            typed);

    assertThat(said.text()).contains("Preparing").doesNotContain("java:");
    assertThat(said.code()).isEqualTo(130);
    assertThat(scratch).isEmptyDirectory();
    assertThat(tree.resolve("start-21.cache")).doesNotExist();
  }

  @Test
  void aJavaThatRemembersNothingIsAskedOnce() throws Exception {
    Files.createDirectories(tree.resolve("reports/sample/record"));
    String tally = tree.resolve("tally").toString();
    assertThat(run(Map.of(), tally, "plan").text())
        .contains("Preparing", "tallystick.cli.Tally plan")
        .doesNotContain("SharedArchiveFile");
    assertThat(run(Map.of(), tally, "plan").text())
        .contains("tallystick.cli.Tally plan")
        .doesNotContain("Preparing");
  }

  @Test
  void aDamagedMemoryOfAStartIsPassedOverWithoutAWord() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path memory = Files.writeString(folder.resolve("start.cache"), "no memory of anything");
    for (String use : List.of("-XX:SharedArchiveFile=", "-XX:AOTCache=")) {
      if (use.contains("AOT") && Runtime.version().feature() < 25) {
        continue;
      }
      String hush = use.contains("AOT") ? "-Xlog:aot*=off" : "-Xlog:cds*=off";
      Said said = run(Map.of(), java.toString(), use + memory, hush, "-version");
      assertThat(said.code()).isZero();
      assertThat(said.text()).doesNotContain("start.cache").doesNotContainIgnoringCase("error");
    }
  }

  @Test
  void ofTwoFirstBuildsAtOnceTheSecondWaits() throws Exception {
    Files.writeString(tree.resolve("pom.xml"), "<project/>");
    Files.createDirectories(tree.resolve("src/main"));
    Files.createDirectories(tree.resolve("simulations"));
    Path gate = folder.resolve("gate");
    new ProcessBuilder("mkfifo", gate.toString()).start().waitFor();
    executable(
        folder.resolve("maven/mvn"),
        """
        #!/bin/sh
        echo built >> '%s/builds'
        cat '%s' > /dev/null
        mkdir -p target/classes/tallystick/cli target/lib
        touch target/classes/tallystick/cli/Tally.class
        """
            .formatted(folder, gate));
    String path = folder.resolve("maven") + ":" + System.getenv("PATH");

    Process first = start(Map.of("PATH", path), "one", tree.resolve("tally").toString(), "help");
    await("one", "Building");
    Process second = start(Map.of("PATH", path), "two", tree.resolve("tally").toString(), "help");
    await("two", "Another tally is building");
    Files.writeString(gate, "go");

    for (Process each : List.of(first, second)) {
      assertThat(each.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(each.exitValue()).isZero();
    }
    assertThat(folder.resolve("builds")).hasContent("built");
    assertThat(Files.readString(folder.resolve("two"))).contains("tallystick.cli.Tally help");
  }

  private record Said(int code, String text) {}

  private Said run(Map<String, String> surroundings, String... command) throws Exception {
    Process process = start(surroundings, "said", command);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Said(process.exitValue(), Files.readString(folder.resolve("said")));
  }

  /** Starts with variables set, or taken away where their name begins with a dash. */
  private Process start(Map<String, String> surroundings, String log, String... command)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(command)));
    builder.environment().put("JAVA_HOME", jdk.toString());
    surroundings.forEach(
        (name, value) -> {
          if (name.startsWith("-")) {
            builder.environment().remove(name.substring(1));
          } else {
            builder.environment().put(name, value);
          }
        });
    return builder
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(log).toFile())
        .start();
  }

  private void await(String log, String words) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!Files.readString(folder.resolve(log)).contains(words)) {
      assertThat(System.nanoTime()).as("no \"%s\"", words).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static void executable(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    file.toFile().setExecutable(true);
  }
}
