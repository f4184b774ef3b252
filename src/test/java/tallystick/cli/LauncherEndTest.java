package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tallystick.cli.exit.ExitCode;

/** How the script {@code tally} ends: its codes, its signals, a Java that fails. */
class LauncherEndTest extends LauncherTree {
  /** No crash of Java gives the number that a failed result has inside. */
  @Test
  void onlyAResultThatFailsEndsWithOne() throws Exception {
    String tally = tree.resolve("tally").toString();
    for (int code : List.of(0, 2, 3, 4, 5, 70, 130, 137)) {
      executable(jdk.resolve("bin/java"), endingWith(code));
      assertThat(run(Map.of(), tally, "run").code()).isEqualTo(code);
    }
    executable(jdk.resolve("bin/java"), endingWith(ExitCode.leaving(1, true)));
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
    for (int few : List.of(32, 64, 255)) {
      String typed = "ulimit -n " + few + "; '" + tree.resolve("tally") + "' plan";
      Said said = run(Map.of(), "bash", "-c", typed);
      assertThat(said.code()).as("%d: %s", few, said.text()).isEqualTo(3);
      assertThat(said.text()).contains("needs 256 open files", "and " + few + " are allowed");
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
              Map.of(), name, "env", "--default-signal", "bash", "-c",
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
    run(Map.of(), tree.resolve("tally").toString(), "run");
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
    run(Map.of(), tally, "run");
    Files.writeString(tree.resolve("start-21.cache"), "mads\n");
    assertThat(run(Map.of(), tally, "run").text())
        .contains("memory of quick starts is damaged", "Preparing")
        .doesNotContain("SharedArchiveFile");
    assertThat(tree.resolve("start-21.cache")).hasContent("made");
    assertThat(run(Map.of(), tally, "run").text())
        .contains("SharedArchiveFile")
        .doesNotContain("damaged", "Preparing");
  }
}
