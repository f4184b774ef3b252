package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tallystick.NeedsProgram;

/** The script {@code tally}, in a tree of its own, with a Java and a Maven that only tell. */
class LauncherTest extends LauncherTree {
  @Test
  void aTreeOfSourcesSaysWhichJdkItNeedsWhereItFindsNone() throws Exception {
    Files.createFile(tree.resolve("pom.xml"));
    // No machine has this JDK, so the search behaves as on one without any.
    String launcher = Files.readString(Path.of("tally")).replace("least=21", "least=9999");
    assertThat(launcher).contains("least=9999");
    executable(tree.resolve("tally"), launcher);

    Said said = run(Map.of(), tree.resolve("tally").toString());
    assertThat(said.code()).isEqualTo(3);
    assertThat(said.text()).contains("needs a JDK of version 9999").contains("JAVA_HOME");
  }

  @Test
  void aReleaseNeedsNoCompiler() throws Exception {
    Files.delete(jdk.resolve("bin/javac"));

    Said said = run(Map.of(), tree.resolve("tally").toString(), "plan", "a");

    assertThat(said.code()).as(said.text()).isZero();
    assertThat(said.text()).startsWith("java ").contains("-Dtally.scenarios=" + tree);
  }

  /** A zip that brings its own Java runs on another kind of machine with that machine's. */
  @Test
  void aJavaOfItsOwnIsTakenOnlyOnItsKindOfMachine() throws Exception {
    Path own = tree.resolve("java-linux-arm64");
    executable(own.resolve("bin/java"), TELLING_JAVA.replace("java $", "its own $"));
    Files.copy(jdk.resolve("release"), own.resolve("release"));
    for (String machine : List.of("Linux aarch64", "Linux x86_64", "Darwin arm64")) {
      executable(folder.resolve("tools/uname"), "#!/bin/sh\necho " + machine + "\n");
      String path = folder.resolve("tools") + ":" + System.getenv("PATH");
      assertThat(run(Map.of("PATH", path), tree.resolve("tally").toString(), "plan").text())
          .as(machine)
          .startsWith(machine.equals("Linux aarch64") ? "its own " : "java ");
    }
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
    assertThat(said.text()).contains("needs Java of version 9999").doesNotContain("unbound");
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

  /** Through a terminal of 137 columns. */
  @Test
  @NeedsProgram("script")
  void aWideTerminalIsUsed() throws Exception {
    Said said =
        run(
            Map.of("TERM", "xterm"), "script", "-qec",
            "stty cols 137; '" + tree.resolve("tally") + "' plan a", "/dev/null");
    assertThat(said.text()).contains("-Dtally.live=true -Dtally.columns=137");
  }

  @Test
  void screensNameTheProgramAsItWasTyped() throws Exception {
    executable(
        jdk.resolve("bin/java"),
        TELLING_JAVA.replace("$LC_ALL", "typed as ${TALLY_COMMAND:-in a clone}"));
    Path script = tree.resolve("tally");
    Path link = Files.createSymbolicLink(folder.resolve("load"), script);
    String path = folder + ":" + System.getenv("PATH");

    assertThat(run(Map.of(), "sh", "-c", "cd 'a tree' && ./tally plan a").text())
        .contains("typed as in a clone");
    assertThat(run(Map.of(), "sh", "-c", "'a tree/tally' plan a").text())
        .contains("typed as a\\ tree/tally");
    assertThat(run(Map.of("PATH", path), "sh", "-c", "load plan a").text())
        .contains("typed as load");
    assertThat(run(Map.of("PATH", path), "sh", "-c", link + " plan a").text())
        .contains("typed as load");
    assertThat(run(Map.of("TALLY_COMMAND", "ours"), "sh", "-c", link + " plan a").text())
        .contains("typed as ours");
  }

  /** A copy's classes are as often newer as older than its jar. */
  @Test
  void classesThatAreNewerAreNoOthersThanTheJarsWhereTheirBytesAreTheSame() throws Exception {
    Path classes = tree.resolve("classes/tallystick/cli");
    Files.createDirectories(classes);
    Files.writeString(classes.resolve("Tally.class"), "bytes");
    executable(
        jdk.resolve("bin/jar"),
        "#!/bin/sh\nmkdir -p META-INF tallystick/cli\nprintf bytes > tallystick/cli/Tally.class\n");
    Files.setLastModifiedTime(tree.resolve(JAR), FileTime.from(Instant.EPOCH));
    String[] plan = {tree.resolve("tally").toString(), "plan", "a"};

    assertThat(run(Map.of(), plan).text()).contains("-cp " + tree.resolve(JAR) + " ");
    Files.delete(jdk.resolve("bin/jar"));
    assertThat(run(Map.of(), plan).text()).contains("-cp " + tree.resolve(JAR) + " ");

    Files.writeString(classes.resolve("Tally.class"), "other bytes");
    assertThat(run(Map.of(), plan).text()).contains("-cp " + tree.resolve("classes") + ":");
    executable(
        jdk.resolve("bin/jar"),
        "#!/bin/sh\nmkdir -p META-INF tallystick/cli\nprintf bytes > tallystick/cli/Tally.class\n");
    assertThat(run(Map.of(), plan).text()).contains("-cp " + tree.resolve("classes") + ":");
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
        List.of("--help", "plan", "lint", "doctor", "snapshot", "report", "open", "export");
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
  void aStartIsRememberedOnceForEachJarAndKindOfCommand() throws Exception {
    executable(jdk.resolve("bin/java"), REMEMBERING_JAVA);
    Files.createDirectories(tree.resolve("reports/sample/record"));
    String tally = tree.resolve("tally").toString();
    String used = "-XX:SharedArchiveFile=" + tree.resolve("start-21.cache");

    String quick = "-XX:SharedArchiveFile=" + tree.resolve("start-21-quick.cache");

    assertThat(run(Map.of(), tally, "run").text()).contains("Preparing").doesNotContain(used);
    assertThat(run(Map.of(), tally, "report").text()).contains(used).doesNotContain("Preparing");
    assertThat(run(Map.of(), tally, "plan").text()).contains("Preparing").doesNotContain(quick);
    assertThat(run(Map.of(), tally, "lint").text()).contains(quick).doesNotContain("Preparing");
    Files.writeString(tree.resolve(JAR), "another jar");
    Files.setLastModifiedTime(tree.resolve(JAR), FileTime.from(Instant.EPOCH));
    assertThat(run(Map.of(), tally, "run").text()).contains("Preparing").doesNotContain(used);
    assertThat(run(Map.of(), tally, "run").text()).contains(used).doesNotContain("Preparing");
  }

  /** Where these tests run in the background of a script, Ctrl-C is ignored from the start. */
  @Test
  void whoeverEndsThePreparingHasTheAnswerAndItsExitCode() throws Exception {
    executable(
        jdk.resolve("bin/java"),
        """
        #!/bin/sh
        trap 'exit 130' INT
        case "$*" in *CacheOutput=* | *AtExit=*) touch '%s'; sleep 20; exit ;; esac
        echo "java: $*"
        exit 5
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

    assertThat(said.text()).contains("java:", "Preparing").doesNotContain("Killed");
    assertThat(said.code()).isEqualTo(5);
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
    await("one", "Building tally: the first build downloads its libraries and takes a minute");
    Process second = start(Map.of("PATH", path), "two", tree.resolve("tally").toString(), "help");
    await("two", "Another tally is building");
    Files.writeString(gate, "go");

    for (Process each : List.of(first, second)) {
      assertThat(each.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(each.exitValue()).isZero();
    }
    assertThat(folder.resolve("builds")).hasContent("built");
    assertThat(Files.readString(folder.resolve("one"))).contains("minute or two …\n");
    assertThat(Files.readString(folder.resolve("two"))).contains("tallystick.cli.Tally help");
  }
}
